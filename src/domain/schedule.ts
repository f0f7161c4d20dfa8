// The only place that decides *when* a source is polled: every `nextPollAt` that is written comes from a function here.
// A plan depends on the source alone: what belongs to its host (closed lane, breaker, outage) is added by `explain`,
// never written into a source.
//
//   interval   = the set one; with `adaptive` the learned one, once there is one
//   effective  = max(interval, min(interval x 2^failures, cap))         = interval without failures
//   nextPollAt = max(lastPolled + effective, min(freshUntil, lastPolled + cap), min(retryAt, lastPolled + cap))
import type { Source } from './source.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The clocks of two machines may differ by this much. What lies further ahead was written before a clock was set back. */
export const CLOCKS_DIFFER_MS = MINUTE_MS

/** `latest`: the latest instant that polling has written. `isShared`: perhaps by another machine. */
export function wasClockSetBack(latest: number, isShared: boolean, now: number): boolean {
  return latest > now + (isShared ? CLOCKS_DIFFER_MS : 0)
}

export interface BackoffLimits {
  readonly maxBackoffHours: number
}

type Interval = Pick<Source, 'pollIntervalMinutes' | 'adaptive' | 'learnedIntervalMinutes'>
type Backoff = Interval & Pick<Source, 'maxBackoffHours' | 'consecutiveFailures'>
export type Plannable = Backoff & Pick<Source, 'enabled' | 'lastPolled' | 'freshUntil' | 'retryAt' | 'honourFreshness'>

export function backoffCapMs(source: Pick<Source, 'maxBackoffHours'>, limits: BackoffLimits): number {
  return (source.maxBackoffHours ?? limits.maxBackoffHours) * HOUR_MS
}

/** Between two polls that go well. */
export function intervalMinutes({ pollIntervalMinutes, adaptive, learnedIntervalMinutes }: Interval): number {
  return adaptive && learnedIntervalMinutes !== null ? learnedIntervalMinutes : pollIntervalMinutes
}

export function effectiveIntervalMinutes(source: Backoff, limits: BackoffLimits): number {
  const interval = intervalMinutes(source)
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

/** The plan of a source that is due now, whatever its own rules say. */
export function dueNow(now: number): number {
  return now
}

/**
 * Made due by a person: enabled, given another URL, or a key at last. It waits neither for the end of its backoff nor for
 * the breaker of its host: its poll is the probe then.
 */
export function madeDue(now: number): { nextPollAt: number; isMadeDue: true } {
  return { nextPollAt: dueNow(now), isMadeDue: true }
}

export interface ChangedPlan {
  readonly isEnabled: boolean
  /** It was enabled again, or given another address or another owner's key. */
  readonly isMadeDue: boolean
  /** A setting that plans depend on was changed. */
  readonly replans: boolean
}

/** What a person's change of settings does to the plan. */
export function planAfterChange(
  before: Plannable & Pick<Source, 'nextPollAt'>,
  after: Plannable,
  { isEnabled, isMadeDue, replans }: ChangedPlan,
  limits: BackoffLimits,
  now: number,
): { nextPollAt?: number | null; isMadeDue?: boolean } {
  if (!isEnabled) return { nextPollAt: null, isMadeDue: false }
  if (isMadeDue) return madeDue(now)
  return replans ? { nextPollAt: planUnderChange(before, after, limits, now) } : {}
}

/** The plan under other settings. A source that is due ahead of its own rules was made due by a person, and stays due. */
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

/**
 * What a poll that could not go on does to the plan, because a host on its way cannot be asked before `until`. A plan that
 * is due moves to then; a poll that somebody asked for is planned for then, unless it is planned sooner.
 */
export function planAfterPutOff(
  { nextPollAt }: Pick<Source, 'nextPollAt'>,
  { until, because }: { readonly until: number; readonly because: 'breaker' | 'not-free' | 'busy' },
  isAskedFor: boolean,
  now: number,
): { nextPollAt?: number; retryAt?: number } {
  if (nextPollAt !== null && nextPollAt <= now) {
    // A breaker may close at any time, and its sources are planned again then: `until` is not the host's own word.
    return because === 'breaker' ? { nextPollAt: until } : { nextPollAt: until, retryAt: until }
  }
  return isAskedFor && (nextPollAt === null || nextPollAt > until) ? { nextPollAt: until } : {}
}

/** The first plan of a source: as if it had been polled at some instant of the interval that ends now. */
export function firstPlan(
  source: Plannable,
  limits: BackoffLimits,
  now: number,
  random: () => number,
): { lastPolled: number; nextPollAt: number | null } {
  const lastPolled = jitteredLastPolled(source, now, random)
  return { lastPolled, nextPollAt: planNextPoll({ ...source, lastPolled }, limits, now) }
}

/** A made-up last poll, so that first polls spread over the first interval. Stored: a restart does not draw again. */
export function jitteredLastPolled(source: Interval, now: number, random: () => number): number {
  return now - Math.floor(random() * intervalMinutes(source) * MINUTE_MS)
}

const GAP_MS = 10 * MINUTE_MS
export const SPREAD_FROM_SOURCES = 51
const SPREAD_AT_MOST_MS = 30 * MINUTE_MS

/** The pause between ticks begins when a tick's own work is done, which may take this long. */
const TICK_WORK_MS = MINUTE_MS
/** During an outage of our own ticks are at most this far apart, because its probes go out with them. */
const OUTAGE_TICK_MS = MINUTE_MS

/** How long to wait before looking again whether an outage has begun or ended; `leftMs`: until the next tick otherwise. */
export function tickStepMs(leftMs: number): number {
  return Math.min(leftMs, OUTAGE_TICK_MS)
}

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
  source: Interval,
  index: number,
  count: number,
  now: number,
  atMostMs = SPREAD_AT_MOST_MS,
): number {
  const windowMs = Math.min(intervalMinutes(source) * MINUTE_MS, atMostMs)
  return now + Math.floor((windowMs * index) / Math.max(1, count))
}

/** The plan of an overdue source that does not go with this tick: ahead of now, so that no batch finds it overdue again. */
export function overduePlan(source: Interval, index: number, count: number, now: number): number {
  return Math.max(now + 1, spreadPlan(source, index, count, now))
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
 * overdue is spread over its own interval, all of them in the future. What a person made due stays due.
 */
export function recoveryPlans(
  all: readonly (Plannable & Pick<Source, 'id'> & Partial<Pick<Source, 'isMadeDue'>>)[],
  limits: BackoffLimits,
  now: number,
): { id: string; nextPollAt: number }[] {
  const sources = all.filter(({ isMadeDue }) => !isMadeDue)
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

/** When an auto-disabled source is asked whether it works again; null: never. A person's decision is not questioned. */
export function recheckAt(
  { enabled, disabledReason, lastPolled }: Pick<Source, 'enabled' | 'disabledReason' | 'lastPolled'>,
  recheckDisabledDays: number,
): number | null {
  if (enabled || disabledReason === null || lastPolled === null || recheckDisabledDays === 0) return null
  return lastPolled + recheckDisabledDays * DAY_MS
}

/** Auto-disabled sources that were polled no later than this are asked again now. */
export function recheckPolledBefore(recheckDisabledDays: number, now: number): number {
  return now - recheckDisabledDays * DAY_MS
}
