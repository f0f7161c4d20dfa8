import { Command } from 'commander'
import type { Cli, Session } from '../cli.ts'
import { allPodcasts, findSource, type SourcePlace, sourcesIn } from '../connection/find-by-name.ts'
import { badUsage } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { ago, said } from '../terminal/output.ts'
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

Polls wait for the pause between two visits to a host, like all others. Exit code 1 when any of them failed.`

export function pollCommand(cli: Cli): Command {
  return withCommonOptions(new Command('poll'))
    .description('poll now, through the lanes, and show what came of it')
    .argument('[source...]', 'ids or URLs')
    .option('--due', 'all sources that are due, or were never planned')
    .option('--all', 'all enabled sources')
    .addHelpText('after', EXAMPLES)
    .action(
      cli.withClient(async (session, options: PollOptions, ...sources: string[]) => {
        const { client, output, world } = session
        const places = await chosen(session, options, sources)
        const progress = progressOn(world.stderr, places.length, output.isJson)
        const results = await pollNow(client, places, {
          ending: world.ending,
          onlyDue: options.due === true,
          now: world.now,
          onPolled(polled) {
            progress.clear()
            output.line(lineOf(polled, world.now()))
            progress.step(isFailed(polled))
          },
        })
        progress.end()
        const items = results.map(asJson)
        output.answer({ items }, () => total(results))
        return results.some(isFailed) || results.length < places.length ? 1 : 0
      }),
    )
}

async function chosen({ client, world }: Session, { due, all }: PollOptions, typed: string[]): Promise<SourcePlace[]> {
  const ways = [due, all, typed.length > 0].filter(Boolean).length
  if (ways === 0) throw badUsage('Say what to poll: ids or URLs, or --due, or --all. See: tidings poll --help')
  if (ways > 1) throw badUsage('Ids or URLs, --due and --all exclude each other: give one of the three.')
  if (typed.length > 0) return Promise.all(typed.map((each) => findSource(client, each)))
  const places = await sourcesIn(client, await allPodcasts(client))
  const now = world.now()
  return places.filter(({ source }) => (all ? source.enabled : isDue(source, now)))
}

export function isFailed(polled: Polled): boolean {
  return polled.kind === 'refused' || (polled.kind === 'polled' && polled.poll.outcome !== 'success')
}

export function lineOf(polled: Polled, now: number): string {
  const name = said(polled.place.source.url)
  switch (polled.kind) {
    case 'put-off':
      return `later   ${name}  ${ago(polled.until, now)}: ${said(polled.reason)}`
    case 'not-due':
      return `skipped ${name}  not due any more${polled.nextPollAt === null ? '' : `, next ${ago(polled.nextPollAt, now)}`}`
    case 'refused':
      return `FAILED  ${name}  ${said(polled.reason)}`
    case 'polled': {
      const { outcome, created, notModified, durationMs, reason } = polled.poll
      if (outcome !== 'success') return `FAILED  ${name}  ${outcome}: ${said(reason)}`
      return `ok      ${name}  ${notModified ? 'nothing changed' : `${created} new`}, ${durationMs} ms`
    }
    default:
      polled satisfies never
      throw new Error('unreachable')
  }
}

function total(results: readonly Polled[]): string {
  const created = results.reduce((sum, each) => sum + (each.kind === 'polled' ? each.poll.created : 0), 0)
  const failed = results.filter(isFailed).length
  const later = results.filter(({ kind }) => kind === 'put-off').length
  const notDue = results.filter(({ kind }) => kind === 'not-due').length
  const told = [
    `${results.length - failed - later - notDue} ok`,
    `${failed} failed`,
    ...(later > 0 ? [`${later} put off`] : []),
    ...(notDue > 0 ? [`${notDue} not due any more`] : []),
  ]
  return results.length === 0 ? 'Nothing to poll.' : `${told.join(', ')}; ${created} new posts`
}

function asJson(polled: Polled): unknown {
  const { id: sourceId, url } = polled.place.source
  switch (polled.kind) {
    case 'polled':
      return { sourceId, url, poll: polled.poll }
    case 'put-off':
      return { sourceId, url, later: { until: polled.until, reason: polled.reason } }
    case 'not-due':
      return { sourceId, url, notDue: { nextPollAt: polled.nextPollAt } }
    case 'refused':
      return { sourceId, url, error: polled.reason }
    default:
      polled satisfies never
  }
}
