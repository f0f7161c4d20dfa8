// The state of a lane: its spacing, whether it is closed, and its breaker. One row per lane, shared by all workers.

export interface HostState {
  /** Host name, or `x:<user>`. */
  readonly lane: string
  /** No visit starts before this: the completion of the last one plus the delay, or a reservation. */
  readonly notBefore: number | null
  readonly lastRequestAt: number | null
  /** Closed by the host's own word (Retry-After and its kin). */
  readonly closedUntil: number | null
  readonly closedReason: string | null
  /** 429s without any hint in a row; the closing doubles with each. */
  readonly bareThrottles: number
  readonly lastSucceededAt: number | null
  readonly breaker: BreakerState
}

export interface BreakerState {
  readonly state: 'closed' | 'open' | 'half-open'
  /** Failures in a row that speak of the host, newest last, one per poll. */
  readonly failures: readonly BreakerFailure[]
  readonly since: number | null
  readonly probeAt: number | null
  /** How long the breaker waited before the last probe. */
  readonly waitMs: number
}

export interface BreakerFailure {
  readonly sourceId: string
  readonly userId: string
  readonly at: number
  readonly name: string
}

export const CLOSED_BREAKER: BreakerState = { state: 'closed', failures: [], since: null, probeAt: null, waitMs: 0 }

export function unknownHost(lane: string): HostState {
  return {
    lane,
    notBefore: null,
    lastRequestAt: null,
    closedUntil: null,
    closedReason: null,
    bareThrottles: 0,
    lastSucceededAt: null,
    breaker: CLOSED_BREAKER,
  }
}

/** Host of a URL: lower case, IDN as punycode, without port; null when there is none. */
export function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return null
  // A trailing dot names the same host.
  return parsed.hostname.replace(/\.$/, '') || null
}
