// From the arguments to a command. Errors end here: printed to stderr, with exit code 2 for bad usage and 1 for failures.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { escapeLines } from '../log/escape.ts'
import { redactText } from '../log.ts'
import { type Cli, createCli } from './cli.ts'
import type { CommandContext } from './command-context.ts'
import { CliFailure, INTERRUPTED } from './failure.ts'
import { withCommonOptions } from './options.ts'
import { inLocalTime } from './terminal/output.ts'
import { configureUsage } from './usage.ts'

type Make = (cli: Cli) => Command

// Only the command that is asked for is loaded: loading all of them takes longer than most of them run.
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<Make>>>>> = {
  'Running:': {
    serve: async () => (await import('./serve/serve.ts')).serveCommand,
    worker: async () => (await import('./serve/worker.ts')).workerCommand,
    mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
    config: async () => (await import('./commands/config.ts')).configCommand,
    doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
    backup: async () => (await import('./commands/backup.ts')).backupCommand,
    restore: async () => (await import('./commands/restore.ts')).restoreCommand,
    'migrate-store': async () => (await import('./commands/migrate-store.ts')).migrateStoreCommand,
    completion: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  'Sources:': {
    add: async () => (await import('./commands/add.ts')).addCommand,
    list: async () => (await import('./commands/list.ts')).listCommand,
    edit: async () => (await import('./commands/edit.ts')).editCommand,
    enable: async () => (await import('./commands/enable-disable-remove.ts')).enableCommand,
    disable: async () => (await import('./commands/enable-disable-remove.ts')).disableCommand,
    remove: async () => (await import('./commands/enable-disable-remove.ts')).removeCommand,
    import: async () => (await import('./commands/import.ts')).importCommand,
    export: async () => (await import('./commands/export.ts')).exportCommand,
  },
  'Polling:': {
    poll: async () => (await import('./commands/poll.ts')).pollCommand,
    preview: async () => (await import('./commands/preview.ts')).previewCommand,
    why: async () => (await import('./commands/why.ts')).whyCommand,
    polls: async () => (await import('./commands/polls.ts')).pollsCommand,
    status: async () => (await import('./commands/status.ts')).statusCommand,
    watch: async () => (await import('./watch/watch.ts')).watchCommand,
    hosts: async () => (await import('./commands/hosts.ts')).hostsCommand,
  },
  'Reading:': {
    posts: async () => (await import('./commands/posts.ts')).postsCommand,
    articles: async () => (await import('./commands/articles.ts')).articlesCommand,
    notifier: async () => (await import('./commands/notifier.ts')).notifierCommand,
    webhook: async () => (await import('./commands/webhook.ts')).webhookCommand,
  },
  'People:': {
    user: async () => (await import('./commands/user.ts')).userCommand,
    podcast: async () => (await import('./commands/podcast.ts')).podcastCommand,
    token: async () => (await import('./commands/token.ts')).tokenCommand,
    key: async () => (await import('./commands/key.ts')).keyCommand,
  },
}

const FIRST_STEPS = `
First steps:
  tidings serve                        run everything, on http://127.0.0.1:8085
  tidings add https://example.org/     add a source, from another terminal
  tidings posts                        show what came in

Commands use the serve that runs on the same database file. If none runs, they
open the file themselves.
"tidings <command> --help" explains a command.`

export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  const cli = createCli(context)
  try {
    const program = await createProgram(cli, args)
    await program.parseAsync([...args], { from: 'user' })
    return cli.exitCode
  } catch (error) {
    return reportError(error, context)
  }
}

async function createProgram(cli: Cli, args: readonly string[]): Promise<Command> {
  const { context } = cli
  // Common options are accepted before the command too.
  const program = withCommonOptions(new Command('tidings'))
    .description('A self-hosted source poller: visits feeds, pages and accounts, and keeps what is new.')
    .version(context.version)
    .addHelpText('after', FIRST_STEPS)
  const isWanted = wanted(args)
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const [name, load] of Object.entries(commands)) {
      if (isWanted(name)) program.addCommand((await load())(cli).helpGroup(heading))
    }
  }
  configureUsage(program, context)
  return program
}

/** Help, a wrong command and shell completion need all commands. */
function wanted(args: readonly string[]): (command: string) => boolean {
  const names = Object.values(COMMANDS).flatMap((commands) => Object.keys(commands))
  const first = args.find((arg, index) => !arg.startsWith('-') && !TAKES_VALUE.has(args[index - 1] ?? ''))
  const needsAll = first === undefined || first === 'completion' || !names.includes(first)
  return (command) => needsAll || command === first
}

// Common options may stand before the command. The word after one of these is its value.
const TAKES_VALUE = new Set(['--config', '--data', '--database', '--server', '--color'])

function reportError(error: unknown, context: CommandContext): number {
  // Commander has printed its message. Help and version are no errors; a group without a command is one.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // What fails because everything is being closed is no news.
  if (!isExpected(error) && context.ending.aborted) return INTERRUPTED
  const text = isExpected(error) ? error.message : ((error as Error)?.stack ?? String(error))
  const shown = context.stderr.isTTY ? inLocalTime(text) : text
  context.stderr.write(`${escapeLines(redactText(shown))}\n`)
  return error instanceof CliFailure ? error.exitCode : error instanceof ConfigError ? 2 : 1
}

function isExpected(error: unknown): error is Error {
  return error instanceof CliFailure || error instanceof ConfigError || error instanceof Problem
}
