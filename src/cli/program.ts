// argv -> command. Errors end here: told on stderr, exit code 2 for bad usage, 1 for failures.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { escapeLines } from '../log/escape.ts'
import { redactText } from '../log.ts'
import { type Cli, createCli } from './cli.ts'
import type { World } from './command-context.ts'
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
  tidings serve                        everything, on http://127.0.0.1:8085
  tidings add https://example.org/     a source, from another terminal
  tidings posts                        what came in

Commands go to the serve that runs on the same database file, or open it themselves when none does.
"tidings <command> --help" tells more.`

export async function runCli(args: readonly string[], world: World): Promise<number> {
  const cli = createCli(world)
  try {
    await programOf(cli).parseAsync([...args], { from: 'user' })
    return cli.exitCode
  } catch (error) {
    return tell(error, world)
  }
}

function programOf(cli: Cli): Command {
  const { world } = cli
  // Understood before the command as well as behind it.
  const program = withCommonOptions(new Command('tidings'))
    .description('A self-hosted source poller: visits feeds, pages and accounts, and keeps what is new.')
    .version(world.version)
    .addHelpText('after', FIRST_STEPS)
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const make of commands) program.addCommand(make(cli).helpGroup(heading))
  }
  prepare(program, world)
  return program
}

// Subcommands inherit nothing of this when they are made apart from their parent.
function prepare(command: Command, world: World): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      // What was not understood is repeated, and may be an address with a password.
      writeErr: (text) => world.stderr.write(redactText(text)),
      getOutHelpWidth: () => world.stdout.columns ?? 100,
      getErrHelpWidth: () => world.stderr.columns ?? 100,
    })
  for (const sub of command.commands) prepare(sub, world)
}

function tell(error: unknown, world: World): number {
  // Commander has spoken already; asking for help or the version is no error, a group without a command is.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!isExpected(error) && world.ending.aborted) return 1
  const text = isExpected(error) ? error.message : ((error as Error)?.stack ?? String(error))
  world.stderr.write(`${escapeLines(redactText(text))}\n`)
  return error instanceof CliFailure ? error.exitCode : error instanceof ConfigError ? 2 : 1
}

function isExpected(error: unknown): error is Error {
  return error instanceof CliFailure || error instanceof ConfigError || error instanceof Problem
}
