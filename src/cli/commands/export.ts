// `export`: writes the sources of a podcast to standard output.
import { Command, Option } from 'commander'
import { escapeForTerminal, escapeInJson } from '../../log.ts'
import type { Cli } from '../cli.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'

interface ExportOptions extends CommonOptions {
  readonly podcast?: string
  readonly format: 'opml' | 'json'
  readonly secrets?: boolean
}

export function exportCommand(cli: Cli): Command {
  return withCommonOptions(new Command('export'))
    .description('write sources as OPML or JSON to standard output')
    .addOption(new Option('--format <format>', 'output format').choices(['opml', 'json']).default('opml'))
    .option('--secrets', 'include the credentials in URLs')
    .option('--podcast <id or name>', 'podcast to export (default: the default one)')
    .addHelpText('after', '\nExample:\n  tidings export > subscriptions.opml')
    .action(
      cli.withClient(async ({ client, context }, options: ExportOptions) => {
        const { path } = await findPodcast(client, options.podcast)
        const kind = options.json || options.format === 'json' ? 'json' : 'opml'
        const query = options.secrets ? '?secrets=true' : ''
        const { text } = await client.ask({ method: 'GET', path: `${path}/sources.${kind}${query}` })
        const shown = kind === 'json' ? eachLine(text, escapeInJson) : forStdout(text, context.stdout.isTTY === true)
        context.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
      }),
    )
}

/** A file gets every character as it is; a terminal must not interpret titles from outside. */
function forStdout(text: string, isTerminal: boolean): string {
  return isTerminal ? eachLine(text, escapeForTerminal) : text
}

function eachLine(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n')
}
