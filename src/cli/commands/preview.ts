// `preview`: shows what a poll of an address would store, and why the rest would be left out. Stores nothing.
import { Command, Option } from 'commander'
import type { PreviewView } from '../../catalogue/shapes/answers.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { FULL_TEXT_POLICIES } from '../../domain/source-settings.ts'
import { typedAddress } from '../../domain/typed-address.ts'
import type { Cli } from '../cli.ts'
import { explained } from '../connection/explain-refusal.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import { type Output, printable } from '../terminal/output.ts'
import { BACKFILL_DAYS } from './add.ts'

interface PreviewOptions extends CommonOptions {
  readonly type?: string
  readonly backfill?: number
  readonly fullText?: string
}

export function previewCommand(cli: Cli): Command {
  return withCommonOptions(new Command('preview'))
    .description('show what a poll would store; stores nothing')
    .argument('<url>', 'address of a feed or a page')
    .addOption(
      new Option('--type <type>', 'source type (default: detected from the address)').choices(BUILT_IN_TYPES.names),
    )
    .option(
      '--backfill <days>',
      'include posts of the last DAYS days, as with add --backfill',
      wholeNumber,
      BACKFILL_DAYS,
    )
    .addOption(
      new Option(
        '--full-text <policy>',
        'show what the page behind the newest such post gives (default: as configured)',
      ).choices(FULL_TEXT_POLICIES),
    )
    .action(
      cli.withClient(async ({ client, output }, { type, backfill, fullText }: PreviewOptions, typed: string) => {
        const url = typedAddress(typed, type)
        const asked = client.post<PreviewView>('/api/preview', { url, type, backfillDays: backfill, fullText })
        const preview = await explained(asked, { notFree: 'Try again then.', address: { typed, sent: url } })
        output.answer(preview, () => previewText(preview, output))
      }),
    )
}

const BEFORE_CREATED =
  'beforeCreated: a first poll leaves out entries that are older than the source; --backfill DAYS includes them.'

function previewText(
  { type, url, feedUrl, title, posts, dropped, feeds, notes }: PreviewView,
  { time }: Pick<Output, 'time'>,
): string {
  const head = [`${printable(title) || 'Without a title'} (${type})`, printable(url), '']
  const kept = posts.flatMap((post) => [
    `  + ${post.publishedAt === null ? 'no date' : time(post.publishedAt)}  ${printable(post.title)}`,
    `    ${printable(post.url)}`,
    ...fullTextLines(post),
  ])
  const leftOut = dropped.map((post) => `  - ${post.rule.padEnd(13)}  ${printable(post.title)}`)
  const others = feeds
    .filter((feed) => feed.url !== (feedUrl ?? url))
    .map((feed) => `  ${printable(feed.url)}  ${printable(feed.title)}`)
  return [
    ...head,
    `${posts.length} would be stored:`,
    ...kept,
    ...(leftOut.length > 0 ? ['', `${leftOut.length} would not:`, ...leftOut] : []),
    ...(dropped.some(({ rule }) => rule === 'beforeCreated') ? ['', BEFORE_CREATED] : []),
    ...(others.length > 0 ? ['', 'Other feeds there:', ...others] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `${printable(note)}.`)] : []),
  ].join('\n')
}

const BEGINNING = 300

function fullTextLines({ body, fullText, fullTextState, fullTextReason }: PreviewView['posts'][number]): string[] {
  if (fullTextState === 'none') return []
  if (fullText === null)
    return [`    full text: ${fullTextState}${fullTextReason ? `, ${printable(fullTextReason)}` : ''}`]
  const beginning = printable(fullText.slice(0, BEGINNING).replace(/\s+/g, ' '))
  return [
    `    full text: ${fullText.length} characters, the feed has ${body.length}`,
    `      ${beginning}${fullText.length > BEGINNING ? '...' : ''}`,
  ]
}
