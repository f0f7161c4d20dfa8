// Who may be visited for, and when. A source's own delay counts before the next visit for the same owner; before a visit
// for anybody else the configured delay counts, so that one user's long delay holds back nobody else's sources. Sources of
// users without admin rights also wait for the limit of requests a minute (request-limit.ts).
// See docs/decisions/0135-own-delays-count-between-visits-of-one-owner.md
import type { HostState } from './host.ts'
import { isLimited, limitEndsAt } from './request-limit.ts'
import type { Source, SourceType } from './source.ts'
import { closedUntil, LONGEST_DELAY_MS, spacingEndsAt } from './spacing.ts'

/** How long a host is left alone after a visit. */
export interface VisitDelay {
  /** The source's own delay, which counts before the next visit for the same owner; null: it has none. */
  readonly ownMs: number | null
  /** Before every other visit. */
  readonly othersMs: number
  /** The type whose configured delay `othersMs` is; null: the host itself asked for it. */
  readonly type: SourceType | null
}

/** For whom a visit is made. */
export interface Visitor {
  readonly userId: string
  readonly isLimited: boolean
}

export function visitorFor(source: Pick<Source, 'userId' | 'trusted'>): Visitor {
  return { userId: source.userId, isLimited: isLimited(source) }
}

/** What a visit leaves behind in the host's row. */
export type HostSpacing = Pick<HostState, 'notBefore' | 'delayType' | 'spacedFor' | 'othersNotBefore' | 'heldOwners'>
type Spaced = HostSpacing & Pick<HostState, 'lastRequestAt'>
type Limited = Spaced & Pick<HostState, 'limitedRequests'>

/** The host itself asks for so much: it counts for everybody. */
export function atLeast({ ownMs, othersMs, type }: VisitDelay, ms: number): VisitDelay {
  const own = ownMs === null ? null : Math.max(ownMs, ms)
  return ms > othersMs ? { ownMs: own, othersMs: ms, type: null } : { ownMs: own, othersMs, type }
}

/** `from`: when the visit ended, or began if it is under way. */
export function spacingAfter(
  before: HostSpacing | null,
  userId: string,
  { ownMs, othersMs, type }: VisitDelay,
  from: number,
): HostSpacing & { readonly notBefore: number } {
  return {
    notBefore: from + (ownMs ?? othersMs),
    delayType: type,
    spacedFor: ownMs === null ? null : userId,
    othersNotBefore: ownMs === null ? null : from + othersMs,
    heldOwners: before && stillHeld(before, userId, from, from + othersMs),
  }
}

/** Owners who wait longer because of an earlier visit of their own. */
function stillHeld(
  { heldOwners, spacedFor, notBefore }: HostSpacing,
  visitor: string,
  now: number,
  othersNotBefore: number,
): Readonly<Record<string, number>> | null {
  const before = { ...heldOwners, ...(spacedFor !== null && notBefore !== null && { [spacedFor]: notBefore }) }
  const held = Object.entries(before).filter(
    ([userId, until]) => userId !== visitor && until > othersNotBefore && until <= now + LONGEST_DELAY_MS,
  )
  return held.length > 0 ? Object.fromEntries(held) : null
}

/** When the owner's sources may be visited for, as far as spacing goes. */
export function spacingEndsFor(host: Spaced, userId: string, now: number): number {
  const { spacedFor, lastRequestAt } = host
  const isOther = spacedFor !== null && spacedFor !== userId
  const notBefore = isOther ? host.othersNotBefore : host.notBefore
  const held = heldOf(host, userId)
  return Math.max(
    spacingEndsAt({ notBefore, lastRequestAt }, now),
    spacingEndsAt({ notBefore: held, lastRequestAt }, now),
  )
}

function heldOf({ heldOwners }: HostSpacing, userId: string): number | null {
  return heldOwners !== null && Object.hasOwn(heldOwners, userId) ? (heldOwners[userId] ?? null) : null
}

export function freeFor(host: Limited, { userId, isLimited }: Visitor, perMinute: number, now: number): number {
  const spaced = spacingEndsFor(host, userId, now)
  return isLimited ? Math.max(spaced, limitEndsAt(host.limitedRequests, perMinute, now)) : spaced
}

/**
 * Whether a probe goes out within that time, whoever its source belongs to. The limit of requests a minute ends within a
 * minute, and owners who are held by an earlier visit of their own are few: both are left to the lane.
 */
export function isSoonFree(
  host: Pick<HostState, 'closedUntil' | 'notBefore' | 'othersNotBefore' | 'lastRequestAt'>,
  withinMs: number,
  now: number,
): boolean {
  const { lastRequestAt, othersNotBefore } = host
  const spaced = Math.max(spacingEndsAt(host, now), spacingEndsAt({ notBefore: othersNotBefore, lastRequestAt }, now))
  return closedUntil(host, now) === null && spaced <= now + withinMs
}

/** Whose sources may be visited for now. */
export interface FreeVisitors {
  /** null: everybody's but those of `except`. */
  readonly only: string | null
  readonly except: readonly string[]
  /** The limit of requests a minute is reached. */
  readonly unlimitedOnly: boolean
}

export const EVERYBODY: FreeVisitors = { only: null, except: [], unlimitedOnly: false }

/** Whether a source is one of theirs. `mayBeVisitedFor` in storage says the same in SQL. */
export function mayVisitFor(
  { only, except, unlimitedOnly }: FreeVisitors,
  source: Pick<Source, 'userId' | 'trusted'>,
): boolean {
  if (only !== null && source.userId !== only) return false
  return !except.includes(source.userId) && !(unlimitedOnly && isLimited(source))
}

/** null: nobody's. */
export function freeVisitors(host: Limited, perMinute: number, now: number): FreeVisitors | null {
  const unlimitedOnly = limitEndsAt(host.limitedRequests, perMinute, now) > now
  const { spacedFor, heldOwners } = host
  if (spacedFor === null && heldOwners === null) {
    return spacingEndsAt(host, now) > now ? null : { ...EVERYBODY, unlimitedOnly }
  }
  const isFree = (userId: string): boolean => spacingEndsFor(host, userId, now) <= now
  const named = [...Object.keys(heldOwners ?? {}), ...(spacedFor === null ? [] : [spacedFor])]
  const others = spacingEndsAt({ ...host, notBefore: spacedFor === null ? host.notBefore : host.othersNotBefore }, now)
  if (others <= now) return { only: null, except: named.filter((userId) => !isFree(userId)), unlimitedOnly }
  return spacedFor !== null && isFree(spacedFor) ? { only: spacedFor, except: [], unlimitedOnly } : null
}

/** How long it takes until somebody may be visited for. */
export function untilFreeMs(host: Limited, perMinute: number, now: number): number {
  if (freeVisitors(host, perMinute, now)) return 0
  return (nextFreeAt(host, perMinute, now) ?? now) - now
}

/** When somebody becomes free who is not free now; null: everybody is free. */
export function nextFreeAt(host: Limited, perMinute: number, now: number): number | null {
  const ends = [host.notBefore, host.othersNotBefore, ...Object.values(host.heldOwners ?? {})].map((notBefore) =>
    spacingEndsAt({ notBefore, lastRequestAt: host.lastRequestAt }, now),
  )
  const ahead = [...ends, limitEndsAt(host.limitedRequests, perMinute, now)].filter((end) => end > now)
  return ahead.length > 0 ? Math.min(...ahead) : null
}
