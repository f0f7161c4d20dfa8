// What the store knows of hosts beyond one visit: their breakers, who is worth a probe, and the ledger of requests.
import type { NewEvent } from '../domain/event.ts'
import type { HostState } from '../domain/host.ts'
import type { VisitTally } from '../domain/politeness.ts'
import type { Source } from '../domain/source.ts'

/** The enabled sources that depend on a lane: those in it, and those of other lanes that are redirected there. */
export interface LaneDependants {
  readonly sources: number
  /** Different users with such sources; counted to two. */
  readonly owners: number
}

/** Plans for the dependants of a lane whose breaker closes. */
export type LaneRecovery = (sources: readonly Source[]) => readonly { id: string; nextPollAt: number }[]

export interface HostRecovery {
  readonly host: Partial<Omit<HostState, 'lane'>>
  /** Of all dependants; their failures are forgotten. */
  readonly recover: LaneRecovery | null
  /** What was auto-disabled in the lane since then is enabled again: by `recover`, or by `restore` if there is none. */
  readonly enableSince?: number | null
  /** Of what is enabled again, and nobody else; their failures are forgotten. */
  readonly restore?: LaneRecovery | null
  /** Of those that are redirected there, and were put off because of it; their failures stay. */
  readonly release?: LaneRecovery | null
  readonly events: readonly NewEvent[]
}

export interface HostSummary {
  readonly hosts: number
  /** Left alone because they asked for it. */
  readonly closed: number
  readonly open: number
  readonly halfOpen: number
}

export interface BacklogSummary {
  /** With due sources. */
  readonly hosts: number
  /** How long the due sources have been due, by quantile. */
  readonly lagMs: Readonly<Record<'0.5' | '0.99', number>>
}

export interface SourceSummary {
  readonly enabled: number
  readonly disabled: number
  readonly failing: number
  readonly quiet: number
  readonly due: number
}

export interface HostHealthStore {
  /** Like changeHost, but it knows the lane's dependants and may recover them in the same transaction. null: nothing. */
  recoverHost(lane: string, decide: (host: HostState, dependants: LaneDependants) => HostRecovery | null): Promise<void>
  /** Lanes whose breaker is not closed. */
  troubledHosts(): Promise<readonly HostState[]>
  /** Of the lane's enabled sources the first, and the first after `after`: enough to know whose turn it is. */
  enabledRotation(lane: string, after: string | null): Promise<readonly string[]>
  /** The same of all dependants of the lane. If none is enabled: of those auto-disabled since the host's last success. */
  probeRotation(lane: string, after: string | null): Promise<readonly string[]>
  /** The source of the lane that a person made due first; null: there is none that is due. */
  nextMadeDue(lane: string, now: number): Promise<string | null>
  /** Whether any source is in the lane or leads there, enabled or not. */
  hasSources(lane: string): Promise<boolean>
  /** How many hosts' latest poll succeeded, those in `except` left out; the lanes of all owners at a service are one host. */
  countGoodHosts(except: readonly string[]): Promise<number>
  /**
   * Hosts with an enabled source that worked since then and may be asked now, the latest to work first. A service, by one of its
   * lanes, when there are not enough others.
   */
  hostsThatWorked(query: {
    readonly since: number
    readonly now: number
    readonly except: readonly string[]
    readonly limit: number
  }): Promise<readonly HostState[]>
  /**
   * Whom to probe in an outage: of lanes that have an enabled source and may be asked now, the first by name and the
   * first after `after`; a service by one of its lanes. Those whose breaker is open only when there are no others.
   */
  laneRotation(query: { readonly now: number; readonly after: string | null }): Promise<readonly string[]>
  /** Due sources of the lane that are polled before this one, those in `except` left out. */
  countDueAhead(
    source: Pick<Source, 'id' | 'lane' | 'nextPollAt'>,
    now: number,
    except: readonly string[],
  ): Promise<number>

  /** A visit whose poll is not recorded in this lane: test fetches, redirects. `isLimited`: see domain/request-limit.ts */
  noteVisit(lane: string, tally: VisitTally, isLimited: boolean): Promise<void>

  summary(
    now: number,
  ): Promise<{ readonly hosts: HostSummary; readonly sources: SourceSummary; readonly backlog: BacklogSummary }>
  /** Of the source's newest answer with a body that was read; null when it is not remembered. */
  lastBodyBytes(sourceId: string): Promise<number | null>
}
