// How many requests each host may expect, hour by hour, if every poll goes well. Made with the planning function that
// polling itself uses, and with what holds a host back now: nothing is expected before it may be asked.
import type { HostState } from './host.ts'
import { type BackoffLimits, HOUR_MS, MINUTE_MS, type Plannable, planNextPoll } from './schedule.ts'
import { closedUntil } from './spacing.ts'

export interface ForecastQuestion {
  readonly now: number
  readonly hours: number
  readonly limits: BackoffLimits
}

type Forecastable = Plannable & { readonly nextPollAt: number | null }

/** When the host may be asked at the earliest. */
export function hostFreeAt(host: Pick<HostState, 'closedUntil' | 'breaker'> | null, now: number): number {
  if (!host) return now
  const probeAt = host.breaker.state === 'closed' ? now : (host.breaker.probeAt ?? now)
  return Math.max(now, closedUntil(host, now) ?? now, probeAt)
}

/** Requests of one source in each hour from now on. */
export function expectedByHour(source: Forecastable, freeAt: number, question: ForecastQuestion): readonly number[] {
  const { now, hours, limits } = question
  const counts = new Array<number>(hours).fill(0)
  if (!source.enabled) return counts
  const first = Math.max(source.nextPollAt ?? now + (source.pollIntervalMinutes * MINUTE_MS) / 2, freeAt)
  const well = { ...source, consecutiveFailures: 0, freshUntil: null, retryAt: null }
  const everyMs = (planNextPoll({ ...well, lastPolled: first }, limits, first) ?? first) - first
  const endAt = now + hours * HOUR_MS
  // Hour by hour, not poll by poll: a minute's interval over a week is as quick as a day's.
  for (let hour = 0; hour < hours; hour++) {
    const from = Math.max(first, now + hour * HOUR_MS)
    const until = Math.min(endAt, now + (hour + 1) * HOUR_MS)
    counts[hour] = pollsBefore(until, first, everyMs) - pollsBefore(from, first, everyMs)
  }
  return counts
}

function pollsBefore(instant: number, first: number, everyMs: number): number {
  return instant <= first ? 0 : Math.ceil((instant - first) / everyMs)
}
