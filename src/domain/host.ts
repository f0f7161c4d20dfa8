// The state of a lane: its spacing, whether it is closed, and its breaker. One row per lane, shared by all workers.
import type { SourceType } from './source.ts'

export interface HostState {
  /** See lane.ts. */
  readonly lane: string
  /** No visit starts before this: the end of the last visit plus the delay, or a reservation. */
  readonly notBefore: number | null
  /** The source type whose configured delay the spacing is; null: something else made it. */
  readonly delayType: SourceType | null
  /** The owner of the source visited last, if it has a delay of its own: others wait for `othersNotBefore` instead. */
  readonly spacedFor: string | null
  readonly othersNotBefore: number | null
  /** Owners who wait longer than others, because of an earlier visit for them. */
  readonly heldOwners: Readonly<Record<string, number>> | null
  /** What sources of users without admin rights asked within the last minute. */
  readonly limitedRequests: readonly RequestGroup[] | null
  readonly lastRequestAt: number | null
  /** The host asked not to be visited before this (Retry-After and similar headers). */
  readonly closedUntil: number | null
  readonly closedReason: string | null
  /** Until when its spacing is longer than the delay, because of a quota that it stated; and what it said, in words. */
  readonly quotaUntil: number | null
  readonly quotaReason: string | null
  /** 429 answers in a row that did not say for how long. Each doubles the time for which the lane is closed. */
  readonly bareThrottles: number
  readonly lastSucceededAt: number | null
  /** Whether the latest poll that sent it a request succeeded. */
  readonly lastPollOk: boolean
  /** When the last visit ended. */
  readonly lastCompletedAt: number | null
  /** The process that visits it, where several share the store, and when its lease ends unless it is renewed. */
  readonly leasedBy: string | null
  readonly leasedUntil: number | null
  /** The process that has claimed the next turn, because somebody asked it for a poll. */
  readonly claimedBy: string | null
  readonly claimedUntil: number | null
  readonly breaker: BreakerState
}

/** Requests within a few seconds; see request-limit.ts. */
export interface RequestGroup {
  readonly firstAt: number
  readonly lastAt: number
  readonly requests: number
}

export interface BreakerState {
  readonly state: 'closed' | 'open' | 'half-open'
  /** How many failures in a row were the host's, not the address's. */
  readonly inARow: number
  /** The newest of these failures of each source, newest last, as many as the rules need. */
  readonly failures: readonly BreakerFailure[]
  /** When it opened. */
  readonly since: number | null
  /** When the next probe is due; while a probe runs (half-open), when that one was due. */
  readonly probeAt: number | null
  /** How long it waited before that probe. */
  readonly waitMs: number
  /** When the running probe started. */
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
    delayType: null,
    spacedFor: null,
    othersNotBefore: null,
    heldOwners: null,
    limitedRequests: null,
    lastRequestAt: null,
    closedUntil: null,
    closedReason: null,
    quotaUntil: null,
    quotaReason: null,
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
