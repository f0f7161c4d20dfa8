// The requests that a host received in a visit and over a day, and a score of how polite they were.
//
//   score = 50 points, fewer by the share of 429 answers; none left when a tenth of the requests was answered so
//         + 30 points times the share of conditional requests (If-None-Match, If-Modified-Since)
//         + 20 points for the gap between two visits: all of them from one second or the configured delay on, if longer
export interface VisitTally {
  readonly requests: number
  /** Requests with a validator. */
  readonly conditional: number
  readonly notModified: number
  /** Requests answered with 429. */
  readonly throttled: number
  /** Requests answered with an error, or not at all. */
  readonly failures: number
  readonly bytes: number
  readonly startedAt: number
  readonly completedAt: number
}

/** A visit and the time since the previous one; null when there was none. */
export interface SpacedTally extends VisitTally {
  readonly gapMs: number | null
}

export type HostDay = Pick<
  VisitTally,
  'requests' | 'conditional' | 'notModified' | 'throttled' | 'failures' | 'bytes'
> & { readonly smallestGapMs: number | null }

export const DAY_WITHOUT_REQUESTS: HostDay = {
  requests: 0,
  conditional: 0,
  notModified: 0,
  throttled: 0,
  failures: 0,
  bytes: 0,
  smallestGapMs: null,
}

/** A negative gap means that the clock was set back, so the gap is unknown. */
export function spaced(tally: VisitTally, lastCompletedAt: number | null): SpacedTally {
  const gapMs = lastCompletedAt === null ? null : tally.startedAt - lastCompletedAt
  return { ...tally, gapMs: gapMs !== null && gapMs >= 0 ? gapMs : null }
}

export interface Politeness {
  readonly conditionalShare: number | null
  readonly throttledShare: number | null
  /** 0 to 100; null when there were no requests. */
  readonly score: number | null
}

const THROTTLED_SHARE_WITHOUT_POINTS = 0.1
const MIN_FULL_GAP_MS = 1000

export function politenessOf(day: HostDay, delayMs: number): Politeness {
  if (day.requests === 0) return { conditionalShare: null, throttledShare: null, score: null }
  const conditionalShare = day.conditional / day.requests
  const throttledShare = day.throttled / day.requests
  const gapShare = day.smallestGapMs === null ? 1 : Math.min(1, day.smallestGapMs / Math.max(MIN_FULL_GAP_MS, delayMs))
  const unthrottled = 1 - Math.min(1, throttledShare / THROTTLED_SHARE_WITHOUT_POINTS)
  return {
    conditionalShare,
    throttledShare,
    score: Math.round(50 * unthrottled + 30 * conditionalShare + 20 * gapShare),
  }
}
