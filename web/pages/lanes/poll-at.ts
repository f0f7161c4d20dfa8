// Which poll is under the pointer: one that was made, or one that is planned.
import { type Lane, type PlannedPoll, plannedTimes, timeRange, type Visit } from './lane.ts'

export type PolledAt =
  | { readonly visit: Visit; readonly sourceId: string }
  | { readonly planned: PlannedPoll; readonly at: number; readonly sourceId: string }

interface View {
  readonly width: number
  readonly spanMs: number
  readonly now: number
}

/** A finger and a mouse miss by some pixels. */
const NEAR_PX = 6

export function pollAt(lane: Lane, x: number, { width, spanMs, now }: View): PolledAt | null {
  if (width === 0) return null
  const pointed = timeRange(now, spanMs).from + (x / width) * spanMs
  const nearMs = (NEAR_PX / width) * spanMs
  const visits = lane.visits.filter(({ from, to }) => from - nearMs <= pointed && pointed <= to + nearMs)
  const visit = nearest(visits, ({ from, to }) => Math.abs((from + to) / 2 - pointed))
  if (visit) return { visit, sourceId: visit.sourceId }
  const ahead = plannedTimes(lane, now).filter(({ at }) => Math.abs(at - pointed) <= nearMs)
  const next = nearest(ahead, ({ at }) => Math.abs(at - pointed))
  return next ? { planned: next.poll, at: next.at, sourceId: next.poll.sourceId } : null
}

function nearest<T>(all: readonly T[], distance: (one: T) => number): T | null {
  return all.reduce<T | null>((best, one) => (best && distance(best) <= distance(one) ? best : one), null)
}
