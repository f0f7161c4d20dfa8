// The picture that `watch` shows: totals, the lanes where something happens, and the newest polls. It never has more lines
// than the terminal.
import type { PollWithSourceView } from '../../catalogue/shapes/answers.ts'
import type { HostView, StatusView } from '../../catalogue/shapes/polling-answers.ts'
import type { Paint, Tone } from '../terminal/colour.ts'
import { withoutScheme } from '../terminal/layout.ts'
import { printable, relativeTime } from '../terminal/output.ts'
import { type Column, cut, table } from '../terminal/table.ts'

export interface Watched {
  readonly where: string
  readonly status: StatusView
  readonly hosts: readonly HostView[]
  /** Newest first. */
  readonly polls: readonly PollWithSourceView[]
}

export interface View {
  readonly columns: number
  readonly rows: number
  readonly now: number
  readonly paint: Paint
}

const FRAME_LINES = 6

export function watchScreen(watched: Watched, view: View): string[] {
  const { columns, rows, paint, now } = view
  const head = headOf(watched, now).map((line) => cut(line, columns))
  const room = Math.max(2, rows - head.length - FRAME_LINES)
  const lanes = activeLanes(watched.hosts).slice(0, Math.max(1, Math.floor(room / 3)))
  const polls = watched.polls.slice(0, Math.max(1, room - lanes.length))
  const lines = [
    ...head,
    '',
    ...linesOf(LANES, lanes, (host) => laneRow(host, now), 'No lane is at work, and no host waits.', view),
    '',
    ...linesOf(POLLS, polls, (poll) => pollRow(poll, now), 'No polls yet.', view),
  ]
  return [...lines.slice(0, rows - 1), paint('faint', 'q or Ctrl-C ends it.')]
}

function linesOf<T>(
  columns: readonly Column[],
  items: readonly T[],
  row: (item: T) => string[],
  none: string,
  view: View,
): string[] {
  if (items.length === 0) return [none]
  return table(columns, items.map(row), view.columns, view.paint).trimEnd().split('\n')
}

function headOf({ where, status }: Watched, now: number): string[] {
  const { totals, versions, scheduler, outage } = status
  const tick = scheduler.running ? [`next tick ${relativeTime(scheduler.nextTickAt, now)}`] : []
  const parts = [
    `${totals.sources} sources`,
    `${totals.failing} failing`,
    `${totals.disabled} disabled`,
    `${totals.due} due`,
    `${scheduler.requestsInFlight} requests in flight`,
    ...tick,
  ]
  const down = outage ? [`Our own connection seems to be down since ${relativeTime(outage.since, now)}.`] : []
  return [`Tidings ${versions.tidings} at ${printable(where)}`, parts.join(', '), ...down]
}

const LANES: readonly Column[] = [
  { title: 'LANE' },
  { title: 'DUE', align: 'right', fixed: true },
  { title: 'LAST VISIT', fixed: true, drop: 1 },
  { title: 'STATE', fixed: true, tone: (state) => (state === 'open' ? 'good' : 'warning') },
  { title: 'WAITS' },
]

/** Lanes that wait come first, then those with due sources, then those that were visited last. */
function activeLanes(hosts: readonly HostView[]): HostView[] {
  const rank = (host: HostView) => (isWaiting(host) ? 0 : host.due > 0 ? 1 : 2)
  const visited = hosts.filter((host) => host.lastRequestAt !== null || host.due > 0 || isWaiting(host))
  return visited.sort(
    (a, b) => rank(a) - rank(b) || b.due - a.due || (b.lastRequestAt ?? '').localeCompare(a.lastRequestAt ?? ''),
  )
}

function isWaiting({ breaker, notBeforeReason }: HostView): boolean {
  return breaker.state !== 'closed' || notBeforeReason !== null
}

function laneRow(host: HostView, now: number): string[] {
  const broken = host.breaker.state !== 'closed'
  const until = broken ? `probe ${relativeTime(host.nextSlotAt, now)}` : relativeTime(host.notBefore, now)
  const waits = isWaiting(host) ? `${until}${host.notBeforeReason === null ? '' : `: ${host.notBeforeReason}`}` : ''
  // A closed breaker is an open lane. People watch lanes here.
  const state = broken ? 'left alone' : isWaiting(host) ? 'closed' : 'open'
  return [host.host, String(host.due), relativeTime(host.lastRequestAt, now), state, waits]
}

const POLLS: readonly Column[] = [
  { title: 'POLLED', fixed: true },
  { title: 'OUTCOME', fixed: true, tone: outcomeTone },
  { title: 'SOURCE', shorten: withoutScheme },
  { title: 'NEW', align: 'right', fixed: true },
  { title: 'TOOK', align: 'right', fixed: true, drop: 1 },
  { title: 'NOTE' },
]

function outcomeTone(outcome: string): Tone {
  return outcome === 'success' ? 'good' : 'bad'
}

function pollRow(poll: PollWithSourceView, now: number): string[] {
  const { startedAt, outcome, url, created, durationMs, notModified, reason } = poll
  const note = reason ?? (notModified ? 'nothing changed' : '')
  return [relativeTime(startedAt, now), outcome, url, String(created), `${durationMs} ms`, note]
}
