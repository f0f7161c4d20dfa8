import { Command, Option } from 'commander'
import type { NewSourceView, SourceView } from '../../catalogue/shapes/answers.ts'
import { hasCredentials, hideCredentials, withoutCredentials } from '../../domain/address.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import type { Cli } from '../cli.ts'
import { segment } from '../connection/client.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { orWhatToDo } from '../connection/host-not-free.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { settingsIn, withSettingOptions } from '../setting-options.ts'
import { said } from '../terminal/output.ts'
import { isFailed, lineOf } from './poll.ts'
import { type Polled, pollNow } from './poll-now.ts'

interface AddOptions extends CommonOptions {
  readonly type?: string
  readonly podcast?: string
  readonly validate: boolean
}

const EXAMPLES = `
Examples:
  tidings add https://example.org/              finds the feed behind the page
  tidings add https://example.org/feed.xml --label News --interval 15
  tidings add https://example.org/feed.xml --backfill 7     with what was published in the last week
  tidings add https://example.org/about --type website
  tidings add @name --type twitter
  tidings add https://example.org/feed.xml --type rss --no-validate     when its host cannot be asked now`

const NOT_FREE = 'Try again then, or add it untested with --type and --no-validate.'

export function addCommand(cli: Cli): Command {
  return withSettingOptions(withCommonOptions(new Command('add')), ['label', 'pollIntervalMinutes', 'backfillDays'])
    .description('add a source: finds the feed behind a page, stores it, and polls it at once')
    .argument('<url>', 'of a feed, a page, a channel, or an X account')
    .addOption(new Option('--type <type>', 'instead of finding out').choices(BUILT_IN_TYPES.names))
    .option('--podcast <id or name>', 'where it belongs (default: the default one)')
    .option('--no-validate', 'do not test the address first; needs --type')
    .addHelpText('after', EXAMPLES)
    .action(
      cli.withClient(async ({ client, output, world }, options: AddOptions, url: string) => {
        const { path } = await findPodcast(client, options.podcast)
        const given = { url, type: options.type, ...settingsIn(options) }
        const validate = options.validate ? undefined : false
        const source = await orWhatToDo(client.post<NewSourceView>(`${path}/sources`, { ...given, validate }), NOT_FREE)
        const place = { source, path: `${path}/sources/${segment(source.id)}` }
        output.note([foundWords(url, source), ...searchWords(source)].join('\n'))
        const [polled] = await pollNow(client, [place], { trigger: 'create', ending: world.ending, now: world.now })
        const now = await client.get<SourceView>(place.path)
        output.answer(
          { source: now, poll: polled?.kind === 'polled' ? polled.poll : null, discovery: source.discovery ?? null },
          () =>
            [`Added as ${said(now.id)}`, ...(polled ? [lineOf(polled, world.now()), ...olderWords(polled)] : [])].join(
              '\n',
            ),
        )
        return polled && isFailed(polled) ? 1 : 0
      }),
    )
}

function foundWords(typed: string, { type, url, feedUrl }: SourceView): string {
  const [asked, given] = [feedUrl ?? url, bare(typed)]
  return asked === given ? `A source of type ${type}` : `Found ${said(asked)} (${type}) behind ${said(given)}`
}

/** Somebody who adds a feed sees entries there, and would look for them in vain. */
function olderWords(polled: Polled): string[] {
  const older = polled.kind === 'polled' ? polled.poll.skipped.beforeCreated : 0
  if (older === 0) return []
  const left = `${older} ${older === 1 ? 'entry' : 'entries'} of the last days left out: a source begins when it is added.`
  return [left, 'To have them too: remove it, and add it with --backfill DAYS.']
}

const OTHERS_SHOWN = 10

/** What else was found, so that another may be chosen, and what was not looked at. */
function searchWords({ url, discovery }: NewSourceView): string[] {
  if (!discovery) return []
  const others = discovery.feeds.filter((feed) => feed.url !== url)
  const shown = others.slice(0, OTHERS_SHOWN).map((feed) => `  ${said(feed.url)}  ${said(feed.title)}`.trimEnd())
  const more = others.length > OTHERS_SHOWN ? [`  and ${others.length - OTHERS_SHOWN} more`] : []
  const notes = discovery.notes.map((note) => `${said(note)}.`)
  return others.length > 0 ? ['Other feeds there, which can be added instead:', ...shown, ...more, ...notes] : notes
}

/** Without the credentials, which are nothing to show. */
function bare(typed: string): string {
  const url = URL.parse(typed)
  return url && hasCredentials(url) ? withoutCredentials(url).href : hideCredentials(typed)
}
