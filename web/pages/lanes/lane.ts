// What a lane shows: its host, the requests that were made, and the ones that are planned. And where time lies on the
// picture: now stands at two thirds.
import type { HostView } from '../../api/types.ts'
import { users } from '../../frame/podcasts.ts'
import { count, fromNow } from '../../parts/time.tsx'
import { waitingWords } from '../overview/host-trouble.tsx'

export interface Visit {
  readonly id: string
  readonly sourceId: string
  readonly url: string
  readonly from: number
  readonly to: number
  readonly kind: 'new' | 'success' | 'transient' | 'permanent'
  /** What came of it. */
  readonly result: string
}

export interface LaneVisit extends Visit {
  readonly lane: string
}

export interface PlannedPoll {
  readonly at: number
  readonly lane: string
  readonly sourceId: string
  readonly name: string
}

export interface Lane {
  readonly host: HostView
  /** Oldest first. They may begin before the picture does. */
  readonly visits: readonly Visit[]
  /** Soonest first. null: not known yet. */
  readonly planned: readonly PlannedPoll[] | null
}

export interface TimeRange {
  readonly from: number
  readonly to: number
}

const NOW_AT = 2 / 3

export function timeRange(now: number, spanMs: number): TimeRange {
  return { from: now - spanMs * NOW_AT, to: now + spanMs * (1 - NOW_AT) }
}

/** Ordinary spacing also sets `notBefore`, but that is no reason to worry. */
export function isLeftAlone({ breaker, notBefore, notBeforeReason }: HostView, now = Date.now()): boolean {
  if (breaker.state !== 'closed') return true
  return notBefore !== null && notBeforeReason !== 'spacing' && Date.parse(notBefore) > now
}

/** A host that is left alone is not asked before that ends, whatever its sources plan. */
export function plannedTimes({ host, planned }: Lane, now: number): { readonly poll: PlannedPoll; at: number }[] {
  const free = isLeftAlone(host, now) ? Date.parse(host.nextSlotAt) : now
  return (planned ?? []).map((poll) => ({ poll, at: Math.max(poll.at, free) }))
}

const X_LANE = 'x:'

/** X is asked with each user's own key, so there is a lane for each key. */
function sourcesWords({ host, sources }: HostView): string {
  if (!host.startsWith(X_LANE)) return count(sources, 'source')
  const owner = users.get().find(({ id }) => id === host.slice(X_LANE.length))
  return `${count(sources, 'X account')} of ${owner?.name ?? 'one user'}`
}

/** The lane in words, for those who do not see the picture. */
export function laneWords({ host, visits, planned }: Lane, now: number, spanMs: number): string {
  const sources = sourcesWords(host)
  const last = host.lastRequestAt ? `last asked ${fromNow(host.lastRequestAt, now)}` : 'not asked yet'
  if (isLeftAlone(host, now))
    return `${sources}, left alone: ${waitingWords(host)}, asked again ${fromNow(host.nextSlotAt, now)}`
  const next = planned?.find(({ at }) => at > now)?.at
  const soon =
    host.due > 0 ? `, ${host.due} due` : next ? `, next ${fromNow(next, now)}` : planned ? ', nothing planned soon' : ''
  const { from } = timeRange(now, spanMs)
  const shown = visits.filter(({ to }) => to >= from)
  const failed = shown.filter(({ kind }) => kind === 'transient' || kind === 'permanent').length
  const failures = failed > 0 ? `, ${failed} of ${shown.length} failed` : ''
  return `${sources}, ${last}${failures}${soon}`
}
