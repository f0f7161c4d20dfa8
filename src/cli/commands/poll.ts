// `poll`: polls sources now and prints one line for each, as it ends. Exit code 1 if one failed.
import { Command } from 'commander'
import { NO_X_KEY } from '../../domain/x-type.ts'
import type { Cli, Session } from '../cli.ts'
import { allPodcasts, type FoundSource, findSource, sourcesIn } from '../connection/find-by-name.ts'
import { badUsage, INTERRUPTED } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { type Output, printable } from '../terminal/output.ts'
import { progressOn } from '../terminal/progress.ts'
import { isDue, type Polled, pollNow } from './poll-now.ts'

interface PollOptions extends CommonOptions {
  readonly due?: boolean
  readonly all?: boolean
}

const EXAMPLES = `
Examples:
  tidings poll https://example.org/feed.xml
  tidings poll --due
  tidings poll --all

Like all polls, these wait for the pause between two requests to a host. The
exit code is 1 if one of them failed.`

export function pollCommand(cli: Cli): Command {
  return withCommonOptions(new Command('poll'))
    .description('poll sources now and show the results')
    .argument('[source...]', 'ids or URLs')
    .option('--due', 'all sources that are due')
    .option('--all', 'all enabled sources')
    .addHelpText('after', EXAMPLES)
    .action(
      cli.withClient(async (session, options: PollOptions, ...sources: string[]) => {
        const { client, output, context } = session
        const targets = await chooseSources(session, options, sources)
        const progress = progressOn(context.stderr, {
          total: targets.length,
          done: 'polled',
          quiet: output.isJson,
          now: context.now,
        })
        const results = await pollNow(client, targets, {
          ending: context.ending,
          onlyDue: options.due === true,
          now: context.now,
          onPolled(polled) {
            progress.clear()
            output.line(pollLine(polled, output))
            progress.step(isFailed(polled))
          },
        })
        progress.end()
        const items = results.map(asJson)
        output.answer({ items }, () => (targets.length === 0 ? 'Nothing to poll.' : summaryLine(results)))
        if (context.ending.aborted && results.length < targets.length) {
          output.note(`Interrupted: ${results.length} of ${targets.length} polled.`)
          return INTERRUPTED
        }
        return results.some(isFailed) || results.length < targets.length ? 1 : 0
      }),
    )
}

async function chooseSources(
  { client, context }: Session,
  { due, all }: PollOptions,
  typed: string[],
): Promise<FoundSource[]> {
  const ways = [due, all, typed.length > 0].filter(Boolean).length
  if (ways === 0) throw badUsage('Say what to poll: ids or URLs, or --due, or --all. See: tidings poll --help')
  if (ways > 1) throw badUsage('Ids or URLs, --due and --all exclude each other: give one of the three.')
  if (typed.length > 0) return Promise.all(typed.map((each) => findSource(client, each)))
  const targets = await sourcesIn(client, await allPodcasts(client))
  const now = context.now()
  return targets.filter(({ source }) => (all ? source.enabled : isDue(source, now)))
}

export function isFailed(polled: Polled): boolean {
  return polled.kind === 'refused' || (polled.kind === 'polled' && polled.poll.outcome !== 'success')
}

const KEY_REMEDY = 'No X API key yet: run "tidings key set x"'

export function pollLine(polled: Polled, { paint, time }: Pick<Output, 'paint' | 'time'>): string {
  const name = printable(polled.target.source.url)
  const [ok, later, failed] = [paint('good', 'ok'), paint('warning', 'later'), paint('bad', 'FAILED')]
  switch (polled.kind) {
    case 'postponed':
      return `${later}   ${name}  ${time(polled.until)}: ${printable(polled.reason)}`
    case 'not-due':
      return `skipped ${name}  not due any more${polled.nextPollAt === null ? '' : `, next ${time(polled.nextPollAt)}`}`
    case 'refused':
      return `${failed}  ${name}  ${printable(polled.reason)}`
    case 'polled': {
      const { outcome, created, notModified, durationMs, reason } = polled.poll
      if (outcome !== 'success')
        return `${failed}  ${name}  ${reason === NO_X_KEY ? KEY_REMEDY : `${outcome}: ${printable(reason)}`}`
      return `${ok}      ${name}  ${notModified ? 'nothing changed' : `${created} new`}, ${durationMs} ms`
    }
    default:
      polled satisfies never
      throw new Error('unreachable')
  }
}

function summaryLine(results: readonly Polled[]): string {
  const created = results.reduce((sum, each) => sum + (each.kind === 'polled' ? each.poll.created : 0), 0)
  const failed = results.filter(isFailed).length
  const later = results.filter(({ kind }) => kind === 'postponed').length
  const notDue = results.filter(({ kind }) => kind === 'not-due').length
  const parts = [
    `${results.length - failed - later - notDue} ok`,
    `${failed} failed`,
    ...(later > 0 ? [`${later} later`] : []),
    ...(notDue > 0 ? [`${notDue} not due any more`] : []),
  ]
  return `${parts.join(', ')}; ${created} new posts`
}

function asJson(polled: Polled): unknown {
  const { id: sourceId, url } = polled.target.source
  switch (polled.kind) {
    case 'polled':
      return { sourceId, url, poll: polled.poll }
    case 'postponed':
      return { sourceId, url, later: { until: polled.until, reason: polled.reason } }
    case 'not-due':
      return { sourceId, url, notDue: { nextPollAt: polled.nextPollAt } }
    case 'refused':
      return { sourceId, url, error: polled.reason }
    default:
      polled satisfies never
  }
}
