// The politeness ledger: what a host was asked in a visit and over a day, and how that looks from its side.
//
//   score = 50 for not being told to slow down (429), gone when every tenth request was
//         + 30 for asking conditionally (If-None-Match, If-Modified-Since), by the share of requests that did
//         + 20 for the gap between two visits, full from a second or the configured delay on, whichever is longer
export interface VisitTally {
  readonly requests: number
  /** Carried a validator. */
  readonly conditional: number
  readonly notModified: number
  /** Answered 429. */
  readonly throttled: number
  /** Answered with an error, or not at all. */
  readonly failures: number
  readonly bytes: number
  readonly startedAt: number
  readonly completedAt: number
}

/** A visit with the time since the one before it; null when there was none. */
export interface SpacedTally extends VisitTally {
  readonly gapMs: number | null
}

export type HostDay = Pick<
  VisitTally,
  'requests' | 'conditional' | 'notModified' | 'throttled' | 'failures' | 'bytes'
> & { readonly smallestGapMs: number | null }

export const QUIET_DAY: HostDay = {
  requests: 0,
  conditional: 0,
  notModified: 0,
  throttled: 0,
  failures: 0,
  bytes: 0,
  smallestGapMs: null,
}

/** Negative gaps come of a clock set back: nothing is known then. */
export function spaced(tally: VisitTally, lastCompletedAt: number | null): SpacedTally {
  const gapMs = lastCompletedAt === null ? null : tally.startedAt - lastCompletedAt
  return { ...tally, gapMs: gapMs !== null && gapMs >= 0 ? gapMs : null }
}

export interface Politeness {
  readonly conditionalShare: number | null
  readonly throttledShare: number | null
  /** 0 to 100; null when nothing was asked. */
  readonly score: number | null
}

const TOO_MANY_THROTTLED = 0.1
const GAP_WANTED_MS = 1000

export function politenessOf(day: HostDay, delayMs: number): Politeness {
  if (day.requests === 0) return { conditionalShare: null, throttledShare: null, score: null }
  const conditionalShare = day.conditional / day.requests
  const throttledShare = day.throttled / day.requests
  const gapShare = day.smallestGapMs === null ? 1 : Math.min(1, day.smallestGapMs / Math.max(GAP_WANTED_MS, delayMs))
  const unthrottled = 1 - Math.min(1, throttledShare / TOO_MANY_THROTTLED)
  return {
    conditionalShare,
    throttledShare,
    score: Math.round(50 * unthrottled + 30 * conditionalShare + 20 * gapShare),
  }
}
