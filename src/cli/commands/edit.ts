// `edit`: changes settings of a source. `default` as a value clears what was set.
import { Command } from 'commander'
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import { SETTING_NAMES, SOURCE_SETTINGS } from '../../domain/source-settings.ts'
import type { Cli } from '../cli.ts'
import { explained } from '../connection/explain-refusal.ts'
import { findPodcast, findSource } from '../connection/find-by-name.ts'
import { badUsage } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { settingOption, settingsIn, withSettingOptions } from '../setting-options.ts'
import { printable } from '../terminal/output.ts'

interface EditOptions extends CommonOptions {
  readonly url?: string
  readonly podcast?: string
  readonly validate: boolean
}

const EXAMPLES = `
"default" as a value clears what was set: the source then follows the
configuration again.

Examples:
  tidings edit https://example.org/feed.xml --label News --interval 15
  tidings edit https://example.org/feed.xml --delay default
  tidings edit https://example.org/feed.xml --url https://example.org/new.xml
  tidings edit https://example.org/feed.xml --podcast Evening`

const NOT_FREE = 'Try again then, or change it untested with --no-validate.'

export function editCommand(cli: Cli): Command {
  return withSettingOptions(withCommonOptions(new Command('edit')), SETTING_NAMES, { orDefault: true })
    .description('change settings of a source; "default" clears a setting')
    .argument('<source>', 'id or URL')
    .option('--url <url>', 'new address of the source')
    .option('--podcast <id or name>', 'move it to this podcast, with its posts and articles')
    .option('--no-validate', 'do not fetch a new address first')
    .addHelpText('after', EXAMPLES)
    .action(
      cli.withClient(async ({ client, output }, options: EditOptions, typed: string) => {
        const settings = settingsIn(options)
        const { url, podcast, validate } = options
        if (Object.keys(settings).length === 0 && url === undefined && podcast === undefined) {
          throw badUsage('Say what to change, such as --label or --interval. See: tidings edit --help')
        }
        const { source: before, path } = await findSource(client, typed)
        const patch = {
          ...settings,
          ...(url === undefined ? {} : { url, validate }),
          ...(podcast === undefined ? {} : { podcastId: (await findPodcast(client, podcast)).podcast.id }),
        }
        const source = await explained(client.patch<SourceView>(path, patch), { notFree: NOT_FREE })
        output.answer(source, () => [printable(source.url), ...changesIn(before, source)].join('\n'))
      }),
    )
}

/** What is different now, under the names that the options have. */
function changesIn(before: SourceView, after: SourceView): string[] {
  const settings = SETTING_NAMES.map((name) => ({
    name: settingOption(SOURCE_SETTINGS[name])?.long?.slice(2) ?? name,
    was: before[name],
    is: after[name],
  }))
  const others = [
    { name: 'url', was: before.url, is: after.url },
    { name: 'podcast', was: before.podcastId, is: after.podcastId },
  ]
  const changed = [...others, ...settings].filter(({ was, is }) => was !== is)
  if (changed.length === 0) return ['  unchanged: it had these values already']
  return changed.map(({ name, was, is }) => `  ${name}: ${shown(was)} -> ${shown(is)}`)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'default'
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : printable(String(value))
}
