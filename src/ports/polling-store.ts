// The verbs of the poll's story: what is due, whom to leave alone, what is known, what was found.
import type { NewEvent } from '../domain/event.ts'
import type { HostState } from '../domain/host.ts'
import type { PollRecord } from '../domain/outcome.ts'
import type { FreeVisitors, HostSpacing } from '../domain/owner-spacing.ts'
import type { HostDay, SpacedTally } from '../domain/politeness.ts'
import type { Candidate, KnownEntry, Tombstone } from '../domain/post.ts'
import type { PublishingHistory } from '../domain/rhythm.ts'
import type { Source } from '../domain/source.ts'
import type { Storm } from '../domain/storm.ts'
import type { LaneDependants, LaneRecovery } from './host-store.ts'
import type { Page, PageQuery } from './page.ts'
import type { SourceChange } from './source-store.ts'

export interface DueLane {
  readonly lane: string
  readonly due: number
  readonly oldestDueAt: number
}

/** A lane before its next turn. */
export interface LaneSeen {
  readonly host: HostState | null
  /** The oldest due source, whoever its owner is. */
  readonly source: Source | null
  /** Whether a page behind a post is due. */
  readonly hasPages: boolean
}

export interface PollWrite {
  readonly sourceId: string
  /** Of the source as it was read: another version means that the result is ignored. */
  readonly version: number
  /** Oldest first. */
  readonly posts: readonly Candidate[]
  /** Of entries dropped for their age: never new again, unless the backfill is raised. */
  readonly tombstones: readonly Tombstone[]
  /**
   * Set when a document was parsed: tombstones that it no longer carries start to age or, 90 days later, go.
   * What it carries is told by guid or hash.
   */
  readonly carried: { readonly guids: ReadonlySet<string>; readonly hashes: ReadonlySet<string> } | null
  readonly at: number
  /**
   * Called inside the transaction with the rows as they are now and with what was really inserted.
   * Sync and pure: this is where health and planning rules speak.
   */
  decide(now: PollMoment): PollEffects
  /** The urlKey that a permanent redirect would give the source: `decide` is told whether another source has it. */
  readonly moveTo?: string | null
  /** Lane that the last visit went to; null when nobody was asked. */
  readonly lane: string | null
  /** The process that must still have its lease on that lane, or nothing is written; null: no lease is needed. */
  readonly leasedBy?: string | null
  /** Nothing is written if the source's last poll is another one by now: another process has recorded it. */
  readonly lastPolled?: number | null
  /**
   * The rows as they were when the poll began and when its host was leased, the very objects that the store gave. If
   * nothing was found and they have not changed since, the store needs not read them again. `knownEntries` was asked for
   * all posts and tombstones after that, so if the source was not polled since, they need not be looked up again.
   */
  readonly asRead?: { readonly source: Source; readonly host: HostState | null }
  /** Count the lane's dependants; otherwise they are only counted where the breaker is not closed. */
  readonly countLane?: boolean
  /** It failed permanently: count who else of the lane did since the host's last success. */
  readonly countStorm?: boolean
}

/** Of a process on a lane; see domain/host-lease.ts. */
export interface Lease {
  readonly by: string
  readonly until: number
}

/** A visit and the spacing that it leaves; what is not given counts as null. */
export interface HostVisit extends Partial<HostSpacing> {
  readonly startedAt: number
  readonly notBefore: number
  /** For whom it is made: others may have to wait longer, or not as long. */
  readonly userId?: string
}

export interface LeaseRequest extends HostVisit {
  /** null: no other process polls on this store. */
  readonly lease: Lease | null
  /** Lease it only if this is still its last request; null: it was never asked. */
  readonly lastRequestAt?: number | null
}

export interface PollMoment {
  readonly source: Source
  readonly host: HostState | null
  readonly created: number
  readonly lostToDuplicates: number
  /** Another source of the podcast has the URL of `moveTo`. */
  readonly moveTaken: boolean
  readonly dependants: LaneDependants | null
  /** See domain/storm.ts; null: too few sources fail to matter. */
  readonly storm: Storm | null
  /** Of a source that was polled before rhythms were kept; null of any other. */
  readonly history: PublishingHistory | null
}

export interface PollEffects {
  readonly source: SourceChange
  /** null leaves the host row as it is. */
  readonly host: Partial<Omit<HostState, 'lane'>> | null
  readonly record: Omit<PollRecord, 'id'>
  readonly events: readonly NewEvent[]
  /** For the figures of the lane. */
  readonly visit?: SpacedTally | null
  /** The lane's breaker closes: its other dependants get these plans, and their failures are forgotten. */
  readonly recover?: LaneRecovery | null
  /** With that, what was auto-disabled since then is enabled again. */
  readonly enableSince?: number | null
}

export type PollWritten =
  | {
      readonly kind: 'recorded'
      readonly record: PollRecord
      readonly source: Source
      /** Nothing else was due in the lane when it was recorded. Not set: nobody has looked. */
      readonly isLaneEmpty?: boolean
    }
  | { readonly kind: 'source-changed' }
  | { readonly kind: 'source-gone' }
  /** Another process has leased the lane since, or has polled the source meanwhile. */
  | { readonly kind: 'overtaken' }

export interface PollQuery extends PageQuery {
  readonly userId: string | null
  readonly sourceId: string | null
  /** Of the address, or the lane's name. */
  readonly host: string | null
  readonly outcome: PollRecord['outcome'] | null
  /** Started at or after. */
  readonly since: number | null
}

export interface PolledSource {
  readonly record: PollRecord
  readonly url: string
  readonly host: string | null
  readonly lane: string
}

export interface PollTotals {
  readonly polls: number
  readonly failures: number
  readonly notModified: number
  readonly created: number
  readonly bytes: number
}

export interface PollingStore {
  /** Enabled sources with neither plan nor lastPolled, a batch at a time. */
  unplannedSources(limit: number): Promise<readonly Source[]>
  /** Enabled sources whose plan is at or before `now`, oldest first. */
  overdueSources(now: number, limit: number): Promise<readonly Source[]>
  countOverdue(now: number): Promise<number>
  /** Enabled sources with a last poll later than `now`: the clock was set back. */
  polledAfter(now: number, limit: number): Promise<readonly Source[]>
  /** The latest instant at which one of the newest polls ended; null: there was none. */
  lastPollEndedAt(): Promise<number | null>
  /** Enabled sources after this id whose plan leans on the configured backoff cap. */
  plannedUnderCap(afterId: string, limit: number): Promise<readonly Source[]>
  /** Gives some sources after this id this interval, if they have none of their own. Returns the last id; null: no more. */
  followInterval(minutes: number, afterId: string): Promise<string | null>
  /** Enabled sources after this id whose plan leans on the configured interval. */
  plannedUnderInterval(afterId: string, limit: number): Promise<readonly Source[]>
  /**
   * Writes plans, and returns how many; a source that is disabled by then is left alone. `was`: so is one that has
   * another plan by now. 'unplanned': so is one that another process has planned or polled since.
   */
  planSources(
    plans: readonly { id: string; nextPollAt: number | null; lastPolled?: number; was?: number | null }[],
    only?: 'unplanned',
  ): Promise<number>
  /** Auto-disabled sources whose last poll was then or earlier, longest ago first. */
  disabledPolledBefore(instant: number, limit: number): Promise<readonly Source[]>
  /** Lanes with due sources, oldest due first; costs in proportion to what is due. */
  dueLanes(now: number): Promise<readonly DueLane[]>
  /** The lane before its next turn; `except`: sources that are not looked for. */
  lookAtLane(lane: string, now: number, except: readonly string[]): Promise<LaneSeen>
  /** The lane's oldest due source not in `except`, of those that may be visited for. */
  nextDueOf(lane: string, now: number, except: readonly string[], free?: FreeVisitors): Promise<Source | null>

  hostState(lane: string): Promise<HostState | null>
  /** Lanes whose spacing is not over. */
  spacedHosts(now: number): Promise<readonly HostState[]>
  /**
   * Before a visit: no other visit to this lane starts before `notBefore`, nor during the lease. Returns the host as it
   * is then; null, and nothing is written, if another process came first.
   */
  leaseHost(lane: string, visit: LeaseRequest): Promise<HostState | null>
  /** Before a further request of a visit. False, and nothing is written, if this process has lost its lease. */
  extendLease(lane: string, visit: HostVisit, lease: Lease | null): Promise<boolean>
  /**
   * After a visit that is not recorded: writes its spacing (see `reservedUntil`) and ends the lease of `leasedBy`.
   */
  releaseHost(lane: string, visit: HostVisit, leasedBy: string | null): Promise<void>
  /** Those of these lanes that the process still has a lease on. */
  renewLeases(lanes: readonly string[], lease: Lease): Promise<void>
  /** A poll of this process waits at the head of the lane: scheduled polls of others let it go first. */
  claimNextTurn(lane: string, claim: Lease): Promise<void>
  changeHost(lane: string, change: (current: HostState) => Partial<Omit<HostState, 'lane'>> | null): Promise<HostState>
  /** The clock was set back: lanes asked later than `now` were asked now, and what they wait for moves back as much. */
  setHostsBack(now: number): Promise<void>
  /** `waiting`: only those that are closed or have a breaker that is not. */
  listHosts(query: PageQuery & { userId: string | null; now: number; waiting?: boolean }): Promise<Page<HostListing>>
  hostListing(lane: string, query: { userId: string | null; now: number }): Promise<HostListing | null>

  /** What is known of the entries that carry one of these guids, hashes or urls: stored or tombstoned. */
  knownEntries(
    sourceId: string,
    of: { guids: readonly string[]; hashes: readonly string[]; urls: readonly string[] },
  ): Promise<readonly KnownEntry[]>
  recordPoll(write: PollWrite): Promise<PollWritten>
  /**
   * All of a large poll's posts but the last slice; the rest comes with `recordPoll`. Returns how many were new. `lease`:
   * as in `recordPoll`.
   */
  addPosts(
    sourceId: string,
    version: number,
    posts: readonly Candidate[],
    at: number,
    lease?: Pick<PollWrite, 'lane' | 'leasedBy'>,
  ): Promise<number | Exclude<PollWritten['kind'], 'recorded'>>
  listPolls(sourceId: string, page: PageQuery): Promise<Page<PollRecord>>
  /** Polls of many sources, newest first. A page may have fewer polls than asked for and still have a next one. */
  listAllPolls(query: PollQuery): Promise<Page<PolledSource>>
  /** Totals of the polls of a source by UTC day (days since 1970), from `fromDay` on; days without polls are left out. */
  pollDays(sourceId: string, fromDay: number): Promise<ReadonlyMap<number, PollTotals>>
  /** Totals of the polls of a podcast, a user or everybody by hour (hours since 1970); hours without polls are left out. */
  pollHours(query: {
    readonly podcastId: string | null
    readonly userId: string | null
    readonly fromHour: number
  }): Promise<ReadonlyMap<number, PollTotals>>

  /** Validators and hashes of the documents that sources gave last. Returns of how many there was one. */
  forgetDocuments(): Promise<number>

  readMeta(key: string): Promise<string | null>
  /** With events that tell of it, all or nothing. */
  writeMeta(key: string, value: string, events?: readonly NewEvent[]): Promise<void>
  /** Only if the value is still `was` (null: there is none), with the events. False: another process was first. */
  replaceMeta(key: string, was: string | null, value: string, events: readonly NewEvent[]): Promise<boolean>
}

export interface HostListing {
  readonly state: HostState
  readonly sources: number
  readonly due: number
  /** One of the lane's sources, to resolve the delay with. */
  readonly example: Pick<Source, 'userId' | 'type' | 'host' | 'pollDelaySeconds'> | null
  /** What it was asked within the last day, by anybody's sources. */
  readonly day: HostDay
}
