// What every command understands.
import type { Command } from 'commander'

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

export function withCommonOptions(command: Command): Command {
  return withStoreOptions(command).option(
    '--server <url>',
    'a running tidings to talk to, its token in TIDINGS_TOKEN (env: TIDINGS_SERVER)',
  )
}
