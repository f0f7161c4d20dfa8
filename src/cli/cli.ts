// What a command file is given: the world, and a way to run its action with a client and an output, errors told and
// the exit code kept.
import type { Command } from 'commander'
import type { World } from './command-context.ts'
import { Client } from './connection/client.ts'
import { type Connection, connect } from './connection/connect.ts'
import type { CommonOptions } from './options.ts'
import { type Output, outputOf } from './terminal/output.ts'

export interface Session {
  readonly world: World
  readonly client: Client
  readonly connection: Connection
  readonly output: Output
}

type ExitCode = number | undefined

export interface Cli {
  readonly world: World
  /** For actions that talk REST. */
  withClient<O extends CommonOptions>(
    action: (session: Session, options: O, ...args: string[]) => Promise<ExitCode>,
  ): (...given: unknown[]) => Promise<void>
  /** For actions that need no server. */
  alone<O extends CommonOptions>(
    action: (output: Output, options: O, ...args: string[]) => Promise<ExitCode>,
  ): (...given: unknown[]) => Promise<void>
  exitCode: number
}

export function createCli(world: World): Cli {
  const cli: Cli = {
    world,
    exitCode: 0,
    withClient:
      (action) =>
      async (...given) => {
        const { options, args } = split(given)
        const connection = await connect(world, options)
        try {
          const client = new Client(connection.transport)
          const session = { world, client, connection, output: outputOf(world, options.json === true) }
          cli.exitCode = (await action(session, options as never, ...args)) ?? 0
        } finally {
          await connection.close()
        }
      },
    alone:
      (action) =>
      async (...given) => {
        const { options, args } = split(given)
        cli.exitCode = (await action(outputOf(world, options.json === true), options as never, ...args)) ?? 0
      },
  }
  return cli
}

// Commander hands over the arguments, then the options, then the command.
function split(given: readonly unknown[]): { options: CommonOptions; args: string[] } {
  const command = given.at(-1) as Command
  return { options: command.optsWithGlobals(), args: given.slice(0, -2).flat() as string[] }
}
