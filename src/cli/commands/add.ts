// `add`: adds a source and polls it at once. Shows what the first poll brought, and other feeds of the same page.
import { Command, Option } from 'commander'
import type { NewSourceView, PostView, SourceView } from '../../catalogue/shapes/answers.ts'
import { hasCredentials, hideCredentials, withoutCredentials } from '../../domain/address.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { typedAddress } from '../../domain/typed-address.ts'
import type { Cli } from '../cli.ts'
import { segment } from '../connection/client.ts'
import { explained } from '../connection/explain-refusal.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { settingsIn, withSettingOptions } from '../setting-options.ts'
import { printable } from '../terminal/output.ts'
import { isFailed, pollLine } from './poll.ts'
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
  tidings add https://example.org/about --type website
  tidings add @name --type twitter

  Only what comes from now on:
  tidings add https://example.org/feed.xml --backfill 0

  If its host cannot be asked now:
  tidings add https://example.org/feed.xml --type rss --no-validate`

/** People who add a feed expect to see what is in it. */
export const BACKFILL_DAYS = 7

const POSTS_SHOWN = 5
const NOT_FREE = 'Try again then, or add it untested with --type and --no-validate.'

export function addCommand(cli: Cli): Command {
  return withSettingOptions(withCommonOptions(new Command('add')), ['label', 'pollIntervalMinutes', 'backfillDays'])
    .description('add a source: finds the feed behind a page, stores it, and polls it at once')
    .argument('<url>', 'address of a feed, a page, a channel, or an X account')
    .addOption(
      new Option('--type <type>', 'source type (default: detected from the address)').choices(BUILT_IN_TYPES.names),
    )
    .option('--podcast <id or name>', 'podcast of the source (default: the default one)')
    .option('--no-validate', 'do not fetch the address first; needs --type')
    .addHelpText('after', EXAMPLES)
    .action(
      cli.withClient(async ({ client, output, context }, options: AddOptions, typed: string) => {
        const url = typedAddress(typed, options.type)
        const { path } = await findPodcast(client, options.podcast)
        const given = { url, type: options.type, backfillDays: BACKFILL_DAYS, ...settingsIn(options) }
        const validate = options.validate ? undefined : false
        const asked = client.post<NewSourceView>(`${path}/sources`, { ...given, validate })
        const source = await explained(asked, { notFree: NOT_FREE, address: { typed, sent: url } })
        const target = { source, path: `${path}/sources/${segment(source.id)}` }
        output.note([foundText(url, source), ...otherFeedsText(source)].join('\n'))
        const [polled] = await pollNow(client, [target], {
          trigger: 'create',
          ending: context.ending,
          now: context.now,
        })
        const now = await client.get<SourceView>(target.path)
        // A person sees at once whether it is the right source. A script asks for posts if it wants them.
        const query = { source: source.id }
        const shown = context.stdout.isTTY ? await client.all<PostView>(`${path}/posts`, query, POSTS_SHOWN) : []
        output.answer(
          { source: now, poll: polled?.kind === 'polled' ? polled.poll : null, discovery: source.discovery ?? null },
          () =>
            [
              `Added as ${printable(now.id)}`,
              ...(polled ? [pollLine(polled, output), ...olderEntriesText(polled)] : []),
              ...shown.map((post) => `  + ${output.time(post.publishedAt)}  ${printable(post.title)}`),
            ].join('\n'),
        )
        return polled && isFailed(polled) ? 1 : 0
      }),
    )
}

function foundText(typed: string, { type, url, feedUrl }: SourceView): string {
  const [asked, given] = [feedUrl ?? url, withoutUserInfo(typed)]
  return asked === given ? `A source of type ${type}` : `Found ${printable(asked)} (${type}) behind ${printable(given)}`
}

/** A person who adds a feed sees its entries there, and expects them here. */
function olderEntriesText(polled: Polled): string[] {
  const older = polled.kind === 'polled' ? polled.poll.skipped.beforeCreated : 0
  if (older === 0) return []
  const left = `${older} older ${older === 1 ? 'entry' : 'entries'} left out.`
  return [left, 'To include more of them: tidings edit URL --backfill DAYS']
}

const OTHERS_SHOWN = 10

/** Other feeds that were found, and notes about what was not searched. */
function otherFeedsText({ url, discovery }: NewSourceView): string[] {
  if (!discovery) return []
  const others = discovery.feeds.filter((feed) => feed.url !== url)
  const shown = others
    .slice(0, OTHERS_SHOWN)
    .map((feed) => `  ${printable(feed.url)}  ${printable(feed.title)}`.trimEnd())
  const more = others.length > OTHERS_SHOWN ? [`  and ${others.length - OTHERS_SHOWN} more`] : []
  const notes = discovery.notes.map((note) => `${printable(note)}.`)
  return others.length > 0
    ? ['Other feeds of that page, which can be added instead:', ...shown, ...more, ...notes]
    : notes
}

/** Without credentials, which must not be printed. */
function withoutUserInfo(typed: string): string {
  const url = URL.parse(typed)
  return url && hasCredentials(url) ? withoutCredentials(url).href : hideCredentials(typed)
}
