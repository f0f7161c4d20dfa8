// `polls`: shows the newest polls of a source.
import { Command } from 'commander'
import type { PollView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findSource } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import type { Column } from '../terminal/table.ts'

interface PollsOptions extends CommonOptions {
  readonly limit: number
}

export function pollsCommand(cli: Cli): Command {
  return withCommonOptions(new Command('polls'))
    .description('list the newest polls of a source: when, how they ended, and what they brought')
    .argument('<source>', 'id or URL')
    .option('--limit <number>', 'how many at most', wholeNumber, 20)
    .addHelpText('after', '\nExample:\n  tidings polls https://example.org/feed.xml --limit 5')
    .action(
      cli.withClient(async ({ client, output }, { limit }: PollsOptions, typed: string) => {
        const { path } = await findSource(client, typed)
        const polls = await client.all<PollView>(`${path}/polls`, {}, limit)
        output.list(polls, COLUMNS, rowOf(output.time), 'It was never polled.')
      }),
    )
}

const COLUMNS: readonly Column[] = [
  { title: 'STARTED', fixed: true },
  { title: 'BY', fixed: true, drop: 2 },
  { title: 'OUTCOME', fixed: true, tone: (outcome) => (outcome === 'success' ? 'good' : 'bad') },
  { title: 'STATUS', align: 'right', fixed: true },
  { title: 'TOOK', align: 'right', fixed: true, drop: 1 },
  { title: 'FOUND', align: 'right', fixed: true, drop: 3 },
  { title: 'NEW', align: 'right', fixed: true },
  { title: 'NOTE', wraps: true },
]

function rowOf(time: (iso: string) => string): (poll: PollView) => string[] {
  return (poll) => [
    time(poll.startedAt),
    poll.trigger,
    poll.outcome,
    poll.httpStatus === null ? '-' : String(poll.httpStatus),
    `${poll.durationMs} ms`,
    String(poll.found),
    String(poll.created),
    noteOf(poll),
  ]
}

/** Why it failed, or what the rules left out. */
function noteOf({ reason, notModified, skipped }: PollView): string {
  if (reason !== null) return reason
  if (notModified) return 'nothing changed'
  return Object.entries(skipped)
    .filter(([, count]) => count > 0)
    .map(([rule, count]) => `${count} ${rule}`)
    .join(', ')
}
