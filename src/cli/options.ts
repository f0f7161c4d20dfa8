// What every command understands.
import type { Command } from 'commander'
import { badUsage } from './failure.ts'

export interface CommonOptions {
  readonly config?: string
  readonly data?: string
  readonly database?: string
  readonly server?: string
  readonly json?: boolean
}

export function withStoreOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (default: tidings.yaml, else application.yaml)')
    .option('--data <folder>', 'folder of the database file tidings.db')
    .option('--database <url>', 'file:PATH or postgres://...')
    .option('--json', 'print JSON instead of words')
}

const ON_THE_STORE = 'it works on the store itself, which --database or --data names'

/** Understood before every command, but of no use to one that is a server, or works beside one. */
export function refuseServer(options: CommonOptions, command: string, why = ON_THE_STORE): void {
  if (options.server !== undefined) throw badUsage(`${command} takes no --server: ${why}.`)
}

export function withCommonOptions(command: Command): Command {
  return withStoreOptions(command).option(
    '--server <url>',
    'a running tidings to talk to, its token in TIDINGS_TOKEN (env: TIDINGS_SERVER)',
  )
}
