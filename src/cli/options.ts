// The options that every command has.
import { type Command, Option } from 'commander'
import { badUsage } from './failure.ts'
import { COLOUR_CHOICES, type ColourChoice } from './terminal/colour.ts'

export interface CommonOptions {
  readonly config?: string
  readonly data?: string
  readonly database?: string
  readonly server?: string
  readonly json?: boolean
  readonly color?: ColourChoice
}

/** Their heading in the help. */
export const COMMON_OPTIONS = 'Common options:'

function common(flags: string, meaning: string): Option {
  return new Option(flags, meaning).helpGroup(COMMON_OPTIONS)
}

export function withStoreOptions(command: Command): Command {
  return command
    .addOption(common('--config <file>', 'configuration file (default: tidings.yaml, else application.yaml)'))
    .addOption(common('--data <folder>', 'folder of the database file tidings.db'))
    .addOption(common('--database <url>', 'file:PATH or postgres://...'))
    .addOption(common('--json', 'print JSON instead of text'))
    .addOption(common('--color <when>', 'colours in the text').choices(COLOUR_CHOICES))
}

const WORKS_ON_STORE = 'it works on the store itself, which --database or --data names'

/** --server is accepted before every command, but some commands are a server, or work on the store itself. */
export function refuseServer(options: CommonOptions, command: string, reason = WORKS_ON_STORE): void {
  if (options.server !== undefined) throw badUsage(`${command} takes no --server: ${reason}.`)
}

export function withCommonOptions(command: Command): Command {
  return withStoreOptions(command).addOption(
    common('--server <url>', 'a running tidings to use, with its token in TIDINGS_TOKEN (env: TIDINGS_SERVER)'),
  )
}
