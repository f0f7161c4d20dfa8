// What every command gets: the context of its process, and a way to run its action with a REST client and an output.
// Errors pass through to program.ts, and the exit code is kept.
import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { Client } from './connection/client.ts'
import { type Connection, connect } from './connection/connect.ts'
import type { CommonOptions } from './options.ts'
import { createOutput, type Output } from './terminal/output.ts'

export interface Session {
  readonly context: CommandContext
  readonly client: Client
  readonly connection: Connection
  readonly output: Output
}

type ExitCode = number | undefined

export interface Cli {
  readonly context: CommandContext
  /** For actions that use the REST API. */
  withClient<O extends CommonOptions>(
    action: (session: Session, options: O, ...args: string[]) => Promise<ExitCode>,
  ): (...given: unknown[]) => Promise<void>
  /** For actions that need no server. */
  withoutClient<O extends CommonOptions>(
    action: (output: Output, options: O, ...args: string[]) => Promise<ExitCode>,
  ): (...given: unknown[]) => Promise<void>
  exitCode: number
}

export function createCli(context: CommandContext): Cli {
  const cli: Cli = {
    context,
    exitCode: 0,
    withClient:
      (action) =>
      async (...given) => {
        const { options, args } = splitArguments(given)
        const connection = await connect(context, options)
        const output = createOutput(context, options)
        try {
          const session = { context, client: new Client(connection.transport), connection, output }
          cli.exitCode = (await action(session, options as never, ...args)) ?? 0
        } finally {
          await connection.close()
        }
        // A person may read for long. The store is closed by then.
        await output.finish()
      },
    withoutClient:
      (action) =>
      async (...given) => {
        const { options, args } = splitArguments(given)
        const output = createOutput(context, options)
        cli.exitCode = (await action(output, options as never, ...args)) ?? 0
        await output.finish()
      },
  }
  return cli
}

// Commander passes the arguments, then the options, then the command.
function splitArguments(given: readonly unknown[]): { options: CommonOptions; args: string[] } {
  const command = given.at(-1) as Command
  return { options: command.optsWithGlobals(), args: given.slice(0, -2).flat() as string[] }
}
