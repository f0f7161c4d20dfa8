// The state of a lane: its spacing, whether it is closed, and its breaker. One row per lane, shared by all workers.

export interface HostState {
  /** See lane.ts. */
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
  /** Whether the latest poll that asked it was a good one. */
  readonly lastPollOk: boolean
  /** When the last visit ended. */
  readonly lastCompletedAt: number | null
  /** The process that visits it, where there are several; gone if it has not been heard of until then. */
  readonly leasedBy: string | null
  readonly leasedUntil: number | null
  /** The process that waits to visit it at somebody's word. */
  readonly claimedBy: string | null
  readonly claimedUntil: number | null
  readonly breaker: BreakerState
}

export interface BreakerState {
  readonly state: 'closed' | 'open' | 'half-open'
  /** How many failures in a row spoke of the host. */
  readonly inARow: number
  /** The newest of them of each source, newest last; no more than the rules need. */
  readonly failures: readonly BreakerFailure[]
  /** When it opened. */
  readonly since: number | null
  /** When the next probe is due; while one is out (half-open), when that one was. */
  readonly probeAt: number | null
  /** How long it waits for that probe. */
  readonly waitMs: number
  /** Since when a probe is out. */
  readonly probingSince: number | null
  /** The source that probed last: the host's sources take turns. */
  readonly probedBy: string | null
}

export interface BreakerFailure {
  readonly sourceId: string
  readonly userId: string
  readonly at: number
  readonly name: string
}

export const CLOSED_BREAKER: BreakerState = {
  state: 'closed',
  inARow: 0,
  failures: [],
  since: null,
  probeAt: null,
  waitMs: 0,
  probingSince: null,
  probedBy: null,
}

export function unknownHost(lane: string): HostState {
  return {
    lane,
    notBefore: null,
    lastRequestAt: null,
    closedUntil: null,
    closedReason: null,
    bareThrottles: 0,
    lastSucceededAt: null,
    lastPollOk: false,
    lastCompletedAt: null,
    leasedBy: null,
    leasedUntil: null,
    claimedBy: null,
    claimedUntil: null,
    breaker: CLOSED_BREAKER,
  }
}
