// How many requests each host may expect, hour by hour, if every poll goes well. Made with the planning functions that
// polling itself uses, and with what holds a host back now: nothing is expected before it may be asked, and a host whose
// breaker is not closed is back with its next probe. How long an answer stayed fresh it is taken to stay fresh again.
import { nextToProbe } from './breaker.ts'
import type { BreakerState, HostState } from './host.ts'
import {
  type BackoffLimits,
  HOUR_MS,
  intervalMinutes,
  MINUTE_MS,
  type Plannable,
  planNextPoll,
  recoveryPlans,
} from './schedule.ts'
import type { Source } from './source.ts'
import { closedUntil } from './spacing.ts'

export interface ForecastQuestion {
  readonly now: number
  readonly hours: number
  readonly limits: BackoffLimits
  /** Of the sources of users without admin rights, to one host. */
  readonly hostRequestsPerMinute: number
}

type Forecastable = Plannable & Pick<Source, 'nextPollAt' | 'feedFreshness'>

/** When the host may be asked at the earliest. */
export function hostFreeAt(host: Pick<HostState, 'closedUntil' | 'breaker'> | null, now: number): number {
  if (!host) return now
  const probeAt = host.breaker.state === 'closed' ? now : (host.breaker.probeAt ?? now)
  return Math.max(now, closedUntil(host, now) ?? now, probeAt)
}

/** The sources of a lane whose breaker is not closed, planned as they will be when its next probe succeeds. */
export function onceBack<S extends Forecastable & Pick<Source, 'id'>>(
  sources: readonly S[],
  breaker: BreakerState,
  probeAt: number,
  limits: BackoffLimits,
): readonly S[] {
  const probing = nextToProbe(breaker, sources.map(({ id }) => id).sort())
  const others = sources.filter(({ id }) => id !== probing)
  const plans = new Map(recoveryPlans(others, limits, probeAt).map(({ id, nextPollAt }) => [id, nextPollAt]))
  return sources.map((source) => ({ ...source, nextPollAt: plans.get(source.id) ?? probeAt }))
}

/** What the limit of requests a minute lets through. A source that waits for it has one poll to catch up, however long. */
export function underRequestLimit(byHour: readonly number[], sources: number, perMinute: number): readonly number[] {
  let waiting = 0
  return byHour.map((requests) => {
    const wanted = waiting + requests
    const sent = Math.min(wanted, perMinute * 60)
    waiting = Math.min(wanted - sent, sources)
    return sent
  })
}

/** Requests of one source in each hour from now on. */
export function expectedByHour(
  source: Forecastable,
  freeAt: number,
  question: Omit<ForecastQuestion, 'hostRequestsPerMinute'>,
): readonly number[] {
  const { now, hours, limits } = question
  const counts = new Array<number>(hours).fill(0)
  if (!source.enabled) return counts
  const first = Math.max(source.nextPollAt ?? now + (intervalMinutes(source) * MINUTE_MS) / 2, freeAt)
  const freshMs = staysFreshMs(source)
  const freshUntil = freshMs === null ? null : first + freshMs
  const well = { ...source, consecutiveFailures: 0, freshUntil, retryAt: null, lastPolled: first }
  const everyMs = (planNextPoll(well, limits, first) ?? first) - first
  // Hour by hour, not poll by poll: a minute's interval over a week is as quick as a day's.
  let before = pollsBefore(now, first, everyMs)
  for (let hour = 0; hour < hours; hour++) {
    const until = pollsBefore(now + (hour + 1) * HOUR_MS, first, everyMs)
    counts[hour] = until - before
    before = until
  }
  return counts
}

/** Hours and days to skip come once a day or week, not after each poll. */
function staysFreshMs({ freshUntil, lastPolled, feedFreshness }: Forecastable): number | null {
  if (freshUntil === null || lastPolled === null) return null
  const skips = feedFreshness !== null && feedFreshness.skipHours.length + feedFreshness.skipDays.length > 0
  return skips ? null : freshUntil - lastPolled
}

function pollsBefore(instant: number, first: number, everyMs: number): number {
  return instant <= first ? 0 : Math.ceil((instant - first) / everyMs)
}
