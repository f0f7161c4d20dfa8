// The only place that decides *when*. A plan depends on the source alone: what belongs to its host
// (closed lane, breaker, outage) is added by `explain`, never written into a source.
//
//   effective  = max(interval, min(interval x 2^failures, cap))         = interval without failures
//   nextPollAt = max(lastPolled + effective, min(freshUntil, lastPolled + cap), min(retryAt, lastPolled + cap))
import type { Source } from './source.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** By so much two machines may disagree; what is further ahead, only a clock that was set back explains. */
export const CLOCKS_DIFFER_MS = MINUTE_MS

export interface BackoffLimits {
  readonly maxBackoffHours: number
}

type Backoff = Pick<Source, 'pollIntervalMinutes' | 'maxBackoffHours' | 'consecutiveFailures'>
export type Plannable = Backoff & Pick<Source, 'enabled' | 'lastPolled' | 'freshUntil' | 'retryAt' | 'honourFreshness'>

export function backoffCapMs(source: Pick<Source, 'maxBackoffHours'>, limits: BackoffLimits): number {
  return (source.maxBackoffHours ?? limits.maxBackoffHours) * HOUR_MS
}

export function effectiveIntervalMinutes(source: Backoff, limits: BackoffLimits): number {
  const interval = source.pollIntervalMinutes
  if (source.consecutiveFailures <= 0) return interval
  const capMinutes = backoffCapMs(source, limits) / MINUTE_MS
  // 2^60 minutes is beyond every cap; a larger exponent would only overflow.
  const backedOff = interval * 2 ** Math.min(source.consecutiveFailures, 60)
  return Math.max(interval, Math.min(backedOff, capMinutes))
}

export type PlanReason = 'interval' | 'backoff' | 'freshness' | 'retry-after'

export interface Plan {
  readonly at: number
  readonly reason: PlanReason
}

/** null: disabled, or never planned. */
export function planWithReason(source: Plannable, limits: BackoffLimits, now: number): Plan | null {
  if (!source.enabled || source.lastPolled === null) return null
  // The clock was set back: a poll in the future counts as one just now.
  const lastPolled = Math.min(source.lastPolled, now)
  const latest = lastPolled + backoffCapMs(source, limits)
  let plan: Plan = {
    at: lastPolled + effectiveIntervalMinutes(source, limits) * MINUTE_MS,
    reason: source.consecutiveFailures > 0 ? 'backoff' : 'interval',
  }
  const consider = (until: number | null, reason: PlanReason): void => {
    if (until === null) return
    const at = Math.min(until, latest)
    if (at > plan.at) plan = { at, reason }
  }
  if (source.honourFreshness) consider(source.freshUntil, 'freshness')
  consider(source.retryAt, 'retry-after')
  return plan
}

export function planNextPoll(source: Plannable, limits: BackoffLimits, now: number): number | null {
  return planWithReason(source, limits, now)?.at ?? null
}

/**
 * The plan under settings that a person changed. A source that is due ahead of its own rules was made due (enabled, given
 * another URL, or a key at last): it stays so.
 */
export function planUnderChange(
  before: Plannable & Pick<Source, 'nextPollAt'>,
  after: Plannable,
  limits: BackoffLimits,
  now: number,
): number | null {
  const [own, next] = [planNextPoll(before, limits, now), planNextPoll(after, limits, now)]
  const { nextPollAt } = before
  const wasMadeDue = nextPollAt !== null && nextPollAt <= now && (own === null || nextPollAt < own)
  return wasMadeDue ? Math.min(nextPollAt, next ?? nextPollAt) : next
}

/** A made-up last poll, so that first polls spread over the first interval. Stored: a restart does not draw again. */
export function jitteredLastPolled(
  source: Pick<Source, 'pollIntervalMinutes'>,
  now: number,
  random: () => number,
): number {
  return now - Math.floor(random() * source.pollIntervalMinutes * MINUTE_MS)
}

const GAP_MS = 10 * MINUTE_MS
export const SPREAD_FROM_SOURCES = 51
const SPREAD_AT_MOST_MS = 30 * MINUTE_MS

/** The pause begins when a tick's own work is done: by so much the next may start later than the pause alone says. */
const TICK_WORK_MS = MINUTE_MS

/**
 * Whether so much time passed without a tick that what is overdue must not all go at once. Where ticks are rarer than
 * that, the regular pause is no gap, but a missed tick is one.
 */
export function isGap(lastTickAt: number | null, now: number, tickMs: number): boolean {
  return lastTickAt !== null && now - lastTickAt > Math.max(GAP_MS, tickMs + TICK_WORK_MS)
}

/**
 * How many of the overdue go with this tick, the oldest: a tick's share of the time they are spread over. Without it a
 * machine that wakes for a moment now and then would put off everything for ever.
 */
export function goingNow(count: number, tickMs: number): number {
  return Math.ceil(count * Math.min(1, tickMs / SPREAD_AT_MOST_MS))
}

/**
 * The plan of overdue source `index` of `count`, evenly over min(its interval, 30 minutes).
 * The sources of a host whose breaker closes have their whole interval: `atMostMs` is Infinity there.
 */
export function spreadPlan(
  source: Pick<Source, 'pollIntervalMinutes'>,
  index: number,
  count: number,
  now: number,
  atMostMs = SPREAD_AT_MOST_MS,
): number {
  const windowMs = Math.min(source.pollIntervalMinutes * MINUTE_MS, atMostMs)
  return now + Math.floor((windowMs * index) / Math.max(1, count))
}

/** Plans of sources that were put off because of a host, once it is not left alone any more: their own, never later. */
export function ownPlans(
  sources: readonly (Plannable & Pick<Source, 'id' | 'nextPollAt'>)[],
  limits: BackoffLimits,
  now: number,
): { id: string; nextPollAt: number }[] {
  return sources.map((source) => {
    const own = planNextPoll(source, limits, now) ?? now
    return { id: source.id, nextPollAt: Math.min(own, source.nextPollAt ?? own) }
  })
}

/**
 * Plans for the sources of a host that is back, their failures forgotten: who has one ahead of it keeps it, who is
 * overdue is spread over its own interval, all of them in the future.
 */
export function recoveryPlans(
  sources: readonly (Plannable & Pick<Source, 'id'>)[],
  limits: BackoffLimits,
  now: number,
): { id: string; nextPollAt: number }[] {
  const planned = sources.map((source) => ({
    source,
    at: planNextPoll({ ...source, consecutiveFailures: 0 }, limits, now) ?? now,
  }))
  const overdue = planned.filter(({ at }) => at <= now).length
  let index = 0
  return planned.map(({ source, at }) => ({
    id: source.id,
    nextPollAt: at > now ? at : spreadPlan(source, ++index, overdue + 1, now, Number.POSITIVE_INFINITY),
  }))
}

/** Longer than the next host keeps a redirected poll waiting and takes to answer. */
const REDIRECT_LEASE_MS = 3 * MINUTE_MS

/** The plan that keeps other processes from a source whose poll was redirected to another host; null: none is needed. */
export function redirectLeaseUntil(nextPollAt: number | null, now: number): number | null {
  const until = now + REDIRECT_LEASE_MS
  return nextPollAt === null || nextPollAt >= until ? null : until
}
