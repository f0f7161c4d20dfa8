// Checks of what is polled: hosts that are left alone, and sources that have failed for a week.
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import type { Client } from '../connection/client.ts'
import { allPodcasts } from '../connection/find-by-name.ts'
import { type Finding, failed, passed } from './finding.ts'

const WEEK_MS = 7 * 86_400_000
const MOST_READ = 500
const SHOWN = 3

export async function checkPolling(client: Client, now: number): Promise<Finding[]> {
  return [await checkHosts(client), await checkSources(client, now)]
}

async function checkHosts(client: Client): Promise<Finding> {
  const waiting = await client.all<HostView>('/api/hosts', { waiting: true }, MOST_READ)
  if (waiting.length === 0) return passed('hosts', 'none is left alone')
  const names = waiting.map(({ host, breaker, notBeforeReason }) => {
    const reason = breaker.state === 'closed' ? (notBeforeReason ?? 'it asked for it') : 'it failed for several sources'
    return `${host} (${reason})`
  })
  const remedy = '"tidings hosts" says until when. If a host works again, poll one of its sources: tidings poll URL.'
  return failed('hosts', `${counted(names.length, 'host')} left alone: ${someOf(names)}`, remedy)
}

async function checkSources(client: Client, now: number): Promise<Finding> {
  const failing: string[] = []
  for (const { path } of await allPodcasts(client)) {
    const sources = await client.all<SourceView>(`${path}/sources`, { health: 'failing' }, MOST_READ)
    failing.push(...sources.filter((source) => hasFailedForAWeek(source, now)).map(({ url }) => url))
  }
  if (failing.length === 0) return passed('sources', 'none has failed for a week')
  const remedy =
    '"tidings list --health failing" says why. Correct the address with "tidings edit", or disable the source.'
  return failed('sources', `failing for a week: ${someOf(failing)}`, remedy)
}

/** Since its last success, or since it was added if there never was one. */
export function hasFailedForAWeek(source: Pick<SourceView, 'lastSucceededAt' | 'createdAt'>, now: number): boolean {
  return now - Date.parse(source.lastSucceededAt ?? source.createdAt) >= WEEK_MS
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`
}

function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return names.slice(0, SHOWN).join(', ') + more
}
