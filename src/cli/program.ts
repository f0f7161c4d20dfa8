// From the arguments to a command. Errors end here: printed to stderr, with exit code 2 for bad usage and 1 for failures.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { escapeLines } from '../log/escape.ts'
import { redactText } from '../log.ts'
import { type Cli, createCli } from './cli.ts'
import type { CommandContext } from './command-context.ts'
import { addCommand } from './commands/add.ts'
import { backupCommand } from './commands/backup.ts'
import { configCommand } from './commands/config.ts'
import { disableCommand, enableCommand, removeCommand } from './commands/enable-disable-remove.ts'
import { exportCommand } from './commands/export.ts'
import { hostsCommand } from './commands/hosts.ts'
import { importCommand } from './commands/import.ts'
import { keyCommand } from './commands/key.ts'
import { listCommand } from './commands/list.ts'
import { pollCommand } from './commands/poll.ts'
import { postsCommand } from './commands/posts.ts'
import { previewCommand } from './commands/preview.ts'
import { statusCommand } from './commands/status.ts'
import { tokenCommand } from './commands/token.ts'
import { userCommand } from './commands/user.ts'
import { whyCommand } from './commands/why.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { CliFailure } from './failure.ts'
import { withCommonOptions } from './options.ts'
import { serveCommand } from './serve/serve.ts'
import { workerCommand } from './serve/worker.ts'

const COMMANDS: Readonly<Record<string, readonly ((cli: Cli) => Command)[]>> = {
  'Running:': [serveCommand, workerCommand, configCommand, doctorCommand, backupCommand],
  'Sources:': [addCommand, listCommand, enableCommand, disableCommand, removeCommand, importCommand, exportCommand],
  'Polling:': [pollCommand, previewCommand, whyCommand, postsCommand, statusCommand, hostsCommand],
  'People:': [userCommand, tokenCommand, keyCommand],
}

const FIRST_STEPS = `
First steps:
  tidings serve                        run everything, on http://127.0.0.1:8085
  tidings add https://example.org/     add a source, from another terminal
  tidings posts                        show what came in

Commands use the serve that runs on the same database file. If none runs, they open the file themselves.
"tidings <command> --help" explains a command.`

export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  const cli = createCli(context)
  try {
    await createProgram(cli).parseAsync([...args], { from: 'user' })
    return cli.exitCode
  } catch (error) {
    return reportError(error, context)
  }
}

function createProgram(cli: Cli): Command {
  const { context } = cli
  // Common options are accepted before the command too.
  const program = withCommonOptions(new Command('tidings'))
    .description('A self-hosted source poller: visits feeds, pages and accounts, and keeps what is new.')
    .version(context.version)
    .addHelpText('after', FIRST_STEPS)
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const make of commands) program.addCommand(make(cli).helpGroup(heading))
  }
  configure(program, context)
  return program
}

// Subcommands that are created separately inherit none of these settings, so each is configured.
function configure(command: Command, context: CommandContext): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // Commander repeats what it did not understand, which may be a URL with a password.
      writeErr: (text) => context.stderr.write(redactText(text)),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
    })
  for (const sub of command.commands) configure(sub, context)
}

function reportError(error: unknown, context: CommandContext): number {
  // Commander has printed its message. Help and version are no errors; a group without a command is one.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!isExpected(error) && context.ending.aborted) return 1
  const text = isExpected(error) ? error.message : ((error as Error)?.stack ?? String(error))
  context.stderr.write(`${escapeLines(redactText(text))}\n`)
  return error instanceof CliFailure ? error.exitCode : error instanceof ConfigError ? 2 : 1
}

function isExpected(error: unknown): error is Error {
  return error instanceof CliFailure || error instanceof ConfigError || error instanceof Problem
}
