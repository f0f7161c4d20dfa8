// Spacing of a lane: how long to wait between two visits, and until when a host asked to be left alone.
import type { HostState } from './host.ts'
import { CLOCKS_DIFFER_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { Source, SourceType } from './source.ts'

export interface DelayRules {
  readonly hostOverrides: Readonly<Record<string, { readonly pollDelaySeconds: number }>>
  readonly pollDelaySeconds: Readonly<Partial<Record<SourceType, number>>>
}

export interface Delay {
  readonly seconds: number
  readonly from: 'source' | 'host-override' | 'type' | 'none'
}

/** source -> host override -> type -> 0, for the host that is visited. An explicit 0 is a value, not "unset". */
export function resolveDelay(
  source: { readonly type: SourceType; readonly pollDelaySeconds: number | null },
  host: string | null,
  rules: DelayRules,
): Delay {
  if (host === null) return { seconds: 0, from: 'none' }
  if (source.pollDelaySeconds !== null) return { seconds: source.pollDelaySeconds, from: 'source' }
  return configuredDelay(source.type, host, rules)
}

/** What the configuration alone says: the least a user without admin rights may ask for. */
export function configuredDelay(type: SourceType, host: string, rules: DelayRules): Delay {
  const override = Object.hasOwn(rules.hostOverrides, host) ? rules.hostOverrides[host] : undefined
  if (override) return { seconds: override.pollDelaySeconds, from: 'host-override' }
  const byType = rules.pollDelaySeconds[type]
  return byType === undefined ? { seconds: 0, from: 'none' } : { seconds: byType, from: 'type' }
}

export const LONGEST_DELAY_MS = HOUR_MS
/** Two readings of the clock at the same moment may differ by this much. */
export const AT_ONCE_MS = 1000

/** When the next visit may start. A reservation from before the clock was set back counts as over. */
export function spacingEndsAt(host: Pick<HostState, 'notBefore' | 'lastRequestAt'>, now: number): number {
  if (host.notBefore === null) return now
  const setBack = (host.lastRequestAt ?? 0) > now + AT_ONCE_MS || host.notBefore > now + LONGEST_DELAY_MS
  return setBack ? now : Math.max(now, host.notBefore)
}

/**
 * What a host is left with when a visit is noted that starts at `startedAt`: the later of two reservations, so that nobody
 * shortens what another process has reserved. One that counts for one owner is replaced, because the visit's spacing
 * remembers it, unless the host was asked again since. One from before the clock was set back is replaced.
 */
export function reservedUntil(
  host: Pick<HostState, 'notBefore' | 'spacedFor' | 'lastRequestAt'> | null,
  visit: { readonly startedAt: number; readonly notBefore: number },
): number {
  const reserved = host?.notBefore ?? null
  const askedAt = host?.lastRequestAt ?? 0
  if (!host || reserved === null || askedAt > visit.startedAt + CLOCKS_DIFFER_MS) return visit.notBefore
  if (host.spacedFor === null) return Math.max(reserved, visit.notBefore)
  return askedAt > visit.startedAt ? reserved : visit.notBefore
}

/** null: open. A closing is the host's own word, at most the backoff cap away when it was given. */
export function closedUntil(host: Pick<HostState, 'closedUntil'>, now: number): number | null {
  return host.closedUntil !== null && host.closedUntil > now ? host.closedUntil : null
}

export interface Throttled {
  readonly status: number
  /** Until when the host asked to be left alone, if it said so. */
  readonly hint: number | null
}

export type Closing = Pick<HostState, 'closedUntil' | 'closedReason' | 'bareThrottles'>

/**
 * What a 429 or 503 does to the lane; null: nothing. With a hint it closes until then; a bare 429 closes it
 * for 60 s, doubling with each further one up to an hour; a bare 503 is an ordinary failure.
 */
export function closingAfter(
  host: Pick<HostState, 'closedUntil' | 'bareThrottles'>,
  { status, hint }: Throttled,
  now: number,
  capMs: number,
): Closing | null {
  if (status !== 429 && status !== 503) return null
  if (hint === null && status === 503) return null
  const bare = hint === null
  const waitMs = bare ? Math.min(MINUTE_MS * 2 ** Math.min(host.bareThrottles, 20), HOUR_MS) : hint - now
  const until = now + Math.min(waitMs, capMs)
  return {
    closedUntil: Math.max(until, host.closedUntil ?? 0),
    closedReason: bare ? `answered ${status} without saying for how long` : `answered ${status}`,
    bareThrottles: bare ? host.bareThrottles + 1 : host.bareThrottles,
  }
}

/** A quota that is spent closes the lane until it is filled again. It is no failure. */
export function closingByQuota(
  host: Pick<HostState, 'closedUntil' | 'closedReason' | 'bareThrottles'>,
  { until, reason }: { readonly until: number; readonly reason: string },
  now: number,
  capMs: number,
): Closing | null {
  const closes = Math.min(until, now + capMs)
  if (closes <= (host.closedUntil ?? 0)) return null
  return { closedUntil: closes, closedReason: reason, bareThrottles: host.bareThrottles }
}

/**
 * The spacing under the delays that are configured now: one that was lowered since counts at once. `host`: the name that
 * delays go by. null: nothing changes.
 */
export function underLoweredDelay(
  lane: Pick<HostState, 'notBefore' | 'othersNotBefore' | 'delayType' | 'lastCompletedAt' | 'lastRequestAt'>,
  host: string,
  rules: DelayRules,
): Pick<HostState, 'notBefore'> | Pick<HostState, 'othersNotBefore'> | null {
  const { delayType, notBefore, othersNotBefore } = lane
  if (delayType === null) return null
  const from = Math.max(lane.lastCompletedAt ?? 0, lane.lastRequestAt ?? 0)
  const until = from + configuredDelay(delayType, host, rules).seconds * 1000
  if (othersNotBefore !== null) return until < othersNotBefore ? { othersNotBefore: until } : null
  return notBefore !== null && until < notBefore ? { notBefore: until } : null
}

type LoweredFrom = Pick<HostState, 'notBefore' | 'heldOwners' | 'lastCompletedAt' | 'lastRequestAt'>

/**
 * A person lowered the delay of a source: what its last visit reserved is shortened, so that the next visit need not wait
 * for the old delay. null: the reservation stays, because somebody else's visit or a quota made it.
 */
export function loweredReservation(
  { notBefore, heldOwners, lastCompletedAt, lastRequestAt }: LoweredFrom,
  { lastPolled, userId }: Pick<Source, 'lastPolled' | 'userId'>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Pick<HostState, 'notBefore'> | Pick<HostState, 'heldOwners'> | null {
  if (toMs >= fromMs || lastCompletedAt === null || lastPolled === null) return null
  const isItsOwn = notBefore === lastCompletedAt + fromMs && (lastRequestAt ?? 0) <= lastPolled
  if (isItsOwn) return { notBefore: lastCompletedAt + toMs }
  // Another owner's source was visited since.
  const held = heldOwners?.[userId]
  const isHeldByIt = held !== undefined && held > lastPolled + toMs && held <= lastPolled + fromMs
  return isHeldByIt ? { heldOwners: { ...heldOwners, [userId]: lastPolled + toMs } } : null
}
