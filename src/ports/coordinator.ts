// Where polling asks about other processes on the same store, and about nothing else:
//   - may this process visit this host now,
//   - has somebody else polled this source meanwhile,
//   - this process is done with the host.
// Polling does not know how the answers come about. With one process on the store they are always the same; with several,
// rows are leased. Whatever else hands out hosts to processes (a queue with one job per host, say) plugs in here.
import type { HostState } from '../domain/host.ts'
import type { PollRecord, Trigger } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { HostVisit, PollWrite, PollWritten } from './polling-store.ts'

/** A host as its lane found it at an instant, before it looked for work. */
export interface HostSighting {
  readonly host: HostState
  readonly at: number
}

/** A poll that somebody asked for: its source as it was then, and the last record there was. */
export type PollRequest = Pick<Source, 'id' | 'version'> & { readonly lastRecordId: string | null }

export type NoPermit =
  /** Another process is at the host, or has just been there. */
  | 'host-taken'
  /** This process had the host and lost it, because nothing was heard of it for too long. */
  | 'overtaken'
  /** The host is free, but another process has dealt with the source. */
  | 'not-needed'

/** Permission to visit one host, until the visit ends in one of two ways. */
export interface HostPermit {
  /** Goes with everything written under this permit: the store refuses it once the permit is lost. */
  readonly leasedBy: string | null
  /** The host's row as it was leased; null: nothing was written. */
  readonly host: HostState | null
  /** Before a further request of the same visit. */
  extend(visit: HostVisit): Promise<'granted' | 'overtaken'>
  /** After a request: what the host has to be left with. */
  noteRequest(visit: HostVisit): void
  /** The poll's record has told the store that the visit is over. */
  endRecorded(): void
  /** The visit is over without a record: the host is given back with its spacing. */
  giveBack(): Promise<void>
}

/** One poll of one source, among what other processes may do to that source. */
export interface CoordinatedPoll {
  /** What became of it elsewhere since it was read or asked for; null: it is still to be polled. */
  meanwhile(): Promise<PollWritten | null>
  /** Before its lane is given up for the lane that a redirect leads to. 'overtaken': its plan is somebody else's now. */
  leaveLane(): Promise<'ok' | 'overtaken'>
  /** The source with the plan it is polled for, whatever plan keeps others away from it. */
  asPlanned(source: Source): Source
  record(write: PollWrite): Promise<PollWritten>
  /** However it ended. */
  end(): Promise<void>
}

export interface Coordinator {
  /** Until when another process visits the host, unless it stays longer; null: no other process does. */
  visitedElsewhereUntil(host: HostState): number | null
  /** Whether another process has claimed the next turn at the host: what is only scheduled lets it go first. */
  isClaimedElsewhere(host: HostState): boolean
  /** Claims the next turn at the host for this process. It comes in `inMs` at the earliest. */
  claimNextTurn(lane: string, inMs: number): Promise<void>
  /** Asked when it is the visit's turn in its lane. `poll`: set before the first request of a poll. */
  mayVisit(
    lane: string,
    visit: HostVisit,
    sighting: HostSighting | null,
    poll: Pick<CoordinatedPoll, 'meanwhile'> | null,
  ): Promise<HostPermit | NoPermit>

  requestOf(source: Pick<Source, 'id' | 'version'>): Promise<PollRequest>
  /** The record that another process wrote since the request; null: none. */
  polledSince(request: PollRequest, source: Source): Promise<PollRecord | null>
  /** `request`: null for a scheduled poll. */
  startPoll(source: Source, trigger: Trigger, request: PollRequest | null): CoordinatedPoll
  /** Whether the process that sent the host's probe is gone. `startedAt`: since when this one polls. */
  isProbeLost(host: HostState, startedAt: number): boolean
}
