import { Command, Option } from 'commander'
import type { PreviewView } from '../../catalogue/shapes/answers.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import type { Cli } from '../cli.ts'
import { orWhatToDo } from '../connection/host-not-free.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import { said } from '../terminal/output.ts'

interface PreviewOptions extends CommonOptions {
  readonly type?: string
  readonly backfill?: number
}

export function previewCommand(cli: Cli): Command {
  return withCommonOptions(new Command('preview'))
    .description('what a poll would store; nothing is stored')
    .argument('<url>', 'of a feed or a page')
    .addOption(new Option('--type <type>', 'instead of finding out').choices(BUILT_IN_TYPES.names))
    .option('--backfill <days>', 'as the source would have it: how far back its first poll goes', wholeNumber)
    .action(
      cli.withClient(async ({ client, output }, { type, backfill }: PreviewOptions, url: string) => {
        const asked = client.post<PreviewView>('/api/preview', { url, type, backfillDays: backfill })
        const preview = await orWhatToDo(asked, 'Try again then.')
        output.answer(preview, () => wordsOf(preview))
      }),
    )
}

const BEFORE_CREATED =
  'beforeCreated: a first poll leaves out what is older than the source; --backfill DAYS goes back.'

function wordsOf({ type, url, feedUrl, title, posts, dropped, feeds, notes }: PreviewView): string {
  const head = [`${said(title) || 'Without a title'} (${type})`, said(url), '']
  const kept = posts.map((post) => `  + ${when(post.publishedAt)}  ${said(post.title)}\n    ${said(post.url)}`)
  const gone = dropped.map((post) => `  - ${post.rule.padEnd(13)}  ${said(post.title)}`)
  const others = feeds
    .filter((feed) => feed.url !== (feedUrl ?? url))
    .map((feed) => `  ${said(feed.url)}  ${said(feed.title)}`)
  return [
    ...head,
    `${posts.length} would be stored:`,
    ...kept,
    ...(gone.length > 0 ? ['', `${gone.length} would not:`, ...gone] : []),
    ...(dropped.some(({ rule }) => rule === 'beforeCreated') ? ['', BEFORE_CREATED] : []),
    ...(others.length > 0 ? ['', 'Other feeds there:', ...others] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `${said(note)}.`)] : []),
  ].join('\n')
}

function when(iso: string | null): string {
  return iso === null ? 'no date   ' : iso.slice(0, 10)
}
