// What happened to a user's sources in a day, from the events that tell of incidents. An incident that has ended is
// listed under `recovered` and nowhere else: what stands under the other names may need a person.
import type { DailySummary, HostIncident, Recovery, SourceIncident, SummaryTotals } from './daily-summary-data.ts'
import type { EnabledReason, EventType, HostClosedReason, StoredEvent } from './event.ts'

export const INCIDENT_TYPES = [
  'source.disabled',
  'source.enabled',
  'source.quiet',
  'source.active',
  'source.gap',
  'host.opened',
  'host.closed',
  'outage.started',
  'outage.ended',
] as const satisfies readonly EventType[]

/** The day of an instant, in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Whether the tick at `now` writes the summary of what came since the last; `last`: the day or instant of that. */
export function isSummaryDue(last: string, now: number): boolean {
  return dayOf(now) > last.slice(0, 'yyyy-mm-dd'.length)
}

const MOST_LISTED = 50

interface Incident {
  readonly list: 'disabled' | 'opened' | 'quiet' | 'gapped' | 'outage'
  readonly event: StoredEvent
  readonly times: number
  readonly hasEnded: boolean
}

/** `events`: those that the user may see, oldest first. */
export function summarise(
  events: readonly StoredEvent[],
  span: { readonly from: number; readonly until: number },
  totals: SummaryTotals,
): DailySummary {
  const incidents = [...incidentsIn(events).values()]
  const going = (list: Incident['list']) => incidents.filter((each) => each.list === list && !each.hasEnded)
  const [disabled, opened, quiet, gapped] = [going('disabled'), going('opened'), going('quiet'), going('gapped')]
  const ended = incidents.filter(({ hasEnded }) => hasEnded)
  const lists = [disabled, opened, quiet, gapped, ended]
  return {
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    totals,
    disabled: disabled.slice(0, MOST_LISTED).map(sourceIncident),
    opened: opened.slice(0, MOST_LISTED).map(hostIncident),
    quiet: quiet.slice(0, MOST_LISTED).map(sourceIncident),
    gapped: gapped.slice(0, MOST_LISTED).map((each) => ({ ...sourceIncident(each), ...gapFacts(each) })),
    recovered: ended.slice(0, MOST_LISTED).map(recoveryOf),
    more: lists.reduce((sum, list) => sum + Math.max(0, list.length - MOST_LISTED), 0),
  }
}

const BEGINS: Readonly<Partial<Record<EventType, Incident['list']>>> = {
  'source.disabled': 'disabled',
  'source.quiet': 'quiet',
  'source.gap': 'gapped',
  'host.opened': 'opened',
  'outage.started': 'outage',
}

const ENDS: Readonly<Partial<Record<EventType, Incident['list']>>> = {
  'source.enabled': 'disabled',
  'source.active': 'quiet',
  'host.closed': 'opened',
  'outage.ended': 'outage',
}

/** By what they are about: what happens twice a day is one incident. */
function incidentsIn(events: readonly StoredEvent[]): ReadonlyMap<string, Incident> {
  const incidents = new Map<string, Incident>()
  for (const event of events) {
    const [begun, ended] = [BEGINS[event.type], ENDS[event.type]]
    const list = begun ?? ended
    if (!list) continue
    const key = `${list} ${event.sourceId ?? event.host ?? ''}`
    const before = incidents.get(key)
    if (isByHand(event)) incidents.delete(key)
    else if (begun) incidents.set(key, { list, event, times: (before?.times ?? 0) + 1, hasEnded: false })
    else incidents.set(key, { list, event: before?.event ?? event, times: before?.times ?? 1, hasEnded: true })
  }
  return incidents
}

const HOST_CLOSED_BY_HAND: readonly (HostClosedReason | undefined)[] = [
  'reset by hand',
  'a new key was stored',
  'breakers are turned off',
  'it has no sources any more',
]
const ENABLED_BY_HAND: readonly (EnabledReason | undefined)[] = [
  'by a person',
  'a new key was stored',
  'its host is asked again',
]

/** Nobody has to be told of what they did themselves, and what they ended needs nobody any more. */
function isByHand(event: StoredEvent): boolean {
  if (event.type === 'source.disabled') return event.data.reason === 'by a person'
  if (event.type === 'source.enabled') return ENABLED_BY_HAND.includes(event.data.reason)
  return event.type === 'host.closed' && HOST_CLOSED_BY_HAND.includes(event.data.reason)
}

function sourceIncident({ event }: Incident): SourceIncident {
  const { sourceId } = event
  const url = 'url' in event.data ? (event.data.url ?? '') : ''
  const reason = event.type === 'source.disabled' ? (event.data.reason ?? null) : null
  return { sourceId, url, reason }
}

function hostIncident({ event }: Incident): HostIncident {
  return { host: event.host ?? '', reason: event.type === 'host.opened' ? (event.data.reason ?? null) : null }
}

function gapFacts({ event, times }: Incident): { intervalMinutes: number | null; times: number } {
  return { intervalMinutes: event.type === 'source.gap' ? (event.data.intervalMinutes ?? null) : null, times }
}

function recoveryOf({ list, event }: Incident): Recovery {
  // A gap has no end.
  const was = list === 'gapped' ? 'quiet' : list
  const what = 'url' in event.data ? (event.data.url ?? null) : event.host
  return { was, sourceId: event.sourceId, what }
}
