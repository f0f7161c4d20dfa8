// `list`: shows sources with their health.
import { Command, Option } from 'commander'
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { SOURCE_HEALTHS } from '../../domain/health.ts'
import { nameOf } from '../../domain/source.ts'
import type { Cli } from '../cli.ts'
import { findPodcasts, sourcesIn } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import type { Tone } from '../terminal/colour.ts'
import { withoutScheme } from '../terminal/layout.ts'
import type { Column } from '../terminal/table.ts'

interface ListOptions extends CommonOptions {
  readonly podcast?: string
  readonly type?: string
  readonly host?: string
  readonly health?: string
  readonly search?: string
  readonly ids?: boolean
}

export function listCommand(cli: Cli): Command {
  return withCommonOptions(new Command('list'))
    .description('list sources with their health')
    .option('--podcast <id or name>', 'only of this podcast')
    .addOption(new Option('--type <type>', 'only of this type').choices(BUILT_IN_TYPES.names))
    .option('--host <host>', 'only on this host')
    .addOption(new Option('--health <health>', 'only with this health').choices(SOURCE_HEALTHS))
    .option('--search <text>', 'only with this in URL, label or title')
    .option('--ids', 'show their ids too')
    .addHelpText('after', '\nExamples:\n  tidings list\n  tidings list --health failing\n  tidings list --json')
    .action(
      cli.withClient(async ({ client, output, context }, options: ListOptions) => {
        const { type, host, health, search } = options
        const podcasts = await findPodcasts(client, options.podcast)
        const found = await sourcesIn(client, podcasts, { type, host, health, q: search })
        const sources = found.map(({ source }) => source)
        const troubled = sources.some(({ lastFailureReason, disabledReason }) => lastFailureReason ?? disabledReason)
        const columns = columnsOf(options.ids === true, troubled)
        const row = (source: SourceView) =>
          rowOf(source, { now: context.now(), time: output.time }, options.ids === true, troubled)
        const isNarrowed = Object.values({ type, host, health, search }).some((value) => value !== undefined)
        output.list(sources, columns, row, isNarrowed ? NO_MATCH : NO_SOURCES)
      }),
    )
}

const NO_SOURCES = 'No sources yet. Add one with: tidings add https://example.org/'
const NO_MATCH = 'No sources match. "tidings list" without options shows all of them.'

function columnsOf(ids: boolean, troubled: boolean): Column[] {
  return [
    ...(ids ? [{ title: 'ID', fixed: true as const }] : []),
    { title: 'HEALTH', fixed: true, tone: healthTone },
    { title: 'TYPE', fixed: true, drop: 1 },
    { title: 'SOURCE', key: true, shorten: withoutScheme },
    { title: 'POSTS', align: 'right', fixed: true, drop: 3 },
    { title: 'POLLED', fixed: true, drop: 2 },
    { title: 'NEXT', fixed: true, drop: 4 },
    ...(troubled ? [{ title: 'TROUBLE' }] : []),
  ]
}

interface Times {
  readonly now: number
  time(iso: string | null): string
}

function rowOf(source: SourceView, { now, time }: Times, ids: boolean, troubled: boolean): string[] {
  const name = nameOf(source)
  return [
    ...(ids ? [source.id] : []),
    healthWords(source),
    source.type,
    name === null ? source.url : `${name} (${source.url})`,
    String(source.postCount),
    source.lastSucceededAt === null && source.consecutiveFailures === 0 ? 'never' : time(source.lastPolled),
    source.nextPollAt !== null && Date.parse(source.nextPollAt) <= now ? 'due' : time(source.nextPollAt),
    ...(troubled ? [source.disabledReason ?? source.lastFailureReason ?? ''] : []),
  ]
}

function healthTone(words: string): Tone | null {
  if (words === 'ok') return 'good'
  return words.startsWith('failing') ? 'bad' : words === 'new' ? null : 'warning'
}

function healthWords({ health, consecutiveFailures }: SourceView): string {
  return health === 'failing' ? `failing ${consecutiveFailures}x` : health
}
