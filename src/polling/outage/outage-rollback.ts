// Undoes what a run of failures did before it turned out to be our own outage: failure counters, last poll and plan of its
// sources, and the breakers of its hosts. It can be repeated: the second time changes nothing.
import { forgiveBreaker } from '../../domain/breaker.ts'
import { hostOfLane } from '../../domain/lane.ts'
import { givenBack, type OutageRun } from '../../domain/outage-run.ts'
import { type BackoffLimits, ownPlans, planNextPoll } from '../../domain/schedule.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { HostRecovery } from '../../ports/host-store.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { hostClosed, logHostEvents } from '../hosts/host-events.ts'

export interface GiveBackDeps {
  readonly store: Pick<Store, 'changeSource' | 'getSource' | 'recoverHost'>
  readonly rules: BackoffLimits
  readonly types: Pick<SourceTypes, 'services'>
  readonly log: Log
}

/** Returns how many sources were restored. */
export async function giveBack(deps: GiveBackDeps, run: OutageRun, now: number): Promise<number> {
  const lanes = new Set<string>()
  let count = 0
  for (const entry of run.failures) {
    const source = await deps.store.changeSource(entry.sourceId, (current) => {
      const back = givenBack(current, entry)
      if (!back) return null
      count++
      return { set: { ...back, nextPollAt: planNextPoll({ ...current, ...back }, deps.rules, now) }, events: [] }
    })
    // Where each owner has a lane, the failure names the service as its host; the breaker is that of the owner's lane.
    if (!deps.types.services.includes(entry.host)) lanes.add(entry.host)
    else if (source && source !== 'exists') lanes.add(source.lane)
  }
  for (const lane of lanes) await forgive(deps, lane, run, now)
  return count
}

async function forgive({ store, log, rules }: GiveBackDeps, lane: string, run: OutageRun, now: number): Promise<void> {
  const wasGood = run.hosts.includes(hostOfLane(lane))
  let events: HostRecovery['events'] = []
  await store.recoverHost(lane, (host, { sources }) => {
    const breaker = forgiveBreaker(host.breaker, run.since)
    const isClosed = host.breaker.state !== 'closed' && breaker.state === 'closed'
    events = isClosed ? [hostClosed(host, 'it was our own outage', sources, now)] : []
    const release: HostRecovery['release'] = isClosed ? (led) => ownPlans(led, rules, now) : null
    return { host: { breaker, ...(wasGood && { lastPollOk: true }) }, recover: null, release, events }
  })
  // Only after the commit, because a transaction may be repeated.
  logHostEvents(log, events)
}
