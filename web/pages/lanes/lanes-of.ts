// Puts hosts, past visits, live events and plans together. A lane that did not change stays the same object, so that its
// picture is not drawn again.
import type { HostView, LiveEvent } from '../../api/types.ts'
import { isLeftAlone, type Lane, type LaneVisit, type PlannedPoll } from './lane.ts'
import { visitOfEvent } from './visits.ts'

export interface Known {
  readonly hosts: readonly HostView[]
  /** Newest first. */
  readonly visits: readonly LaneVisit[]
  readonly planned: readonly PlannedPoll[] | null
  readonly events: readonly LiveEvent[]
}

interface Made {
  readonly host: HostView
  readonly past: readonly LaneVisit[]
  readonly fresh: readonly LiveEvent[]
  readonly planned: readonly PlannedPoll[] | null
  readonly lane: Lane
}

const NONE: readonly never[] = []

export function createLaneMaker(): (known: Known) => Lane[] {
  const ordered = lastOf(inOrder)
  const pastOf = lastOf((visits: Known['visits']) => Map.groupBy(visits.toReversed(), ({ lane }) => lane))
  const plannedOf = lastOf((planned: Known['planned']) => planned && Map.groupBy(planned, ({ lane }) => lane))
  const freshOf = lastOf((events: Known['events']) => Map.groupBy(events, ({ lane, host }) => lane ?? host ?? ''))
  let before = new Map<string, Made>()
  return ({ hosts, visits, planned, events }) => {
    const [past, plans, fresh] = [pastOf(visits), plannedOf(planned), freshOf(events)]
    const made = ordered(hosts).map((host): Made => {
      const name = host.host
      const parts = {
        ...{ host, past: past.get(name) ?? NONE, fresh: fresh.get(name) ?? NONE },
        planned: plans && (plans.get(name) ?? NONE),
      }
      const old = before.get(name)
      return old && isSame(old, parts) ? old : { ...parts, lane: laneOf(parts) }
    })
    before = new Map(made.map((one) => [one.host.host, one]))
    return made.map(({ lane }) => lane)
  }
}

function isSame(old: Made, { host, past, fresh, planned }: Omit<Made, 'lane'>): boolean {
  return old.host === host && old.past === past && old.planned === planned && old.fresh.length === fresh.length
}

function laneOf({ host, past, fresh, planned }: Omit<Made, 'lane'>): Lane {
  const last = past.at(-1)?.to ?? 0
  const now = fresh.map(visitOfEvent).filter(({ from }) => from > last)
  return { host, visits: now.length > 0 ? [...past, ...now] : past, planned }
}

/** Hosts that are left alone come first, then the busiest, and last those that no source is on. */
function inOrder(hosts: readonly HostView[]): readonly HostView[] {
  const ranked = hosts.map((host) => ({ host, rank: rankOf(host) }))
  ranked.sort((a, b) => b.rank - a.rank || (a.host.host < b.host.host ? -1 : 1))
  return ranked.map(({ host }) => host)
}

function rankOf(host: HostView): number {
  if (host.sources === 0) return -1
  return (isLeftAlone(host) ? 1e9 : 0) + host.lastDay.requests
}

/** Makes it again only from something else. */
function lastOf<A, B>(make: (from: A) => B): (from: A) => B {
  let last: { readonly from: A; readonly made: B } | null = null
  return (from) => {
    if (last === null || last.from !== from) last = { from, made: make(from) }
    return last.made
  }
}
