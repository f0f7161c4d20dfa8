// One process on the store: every host is its own, and it knows of every poll. A single process ignores leases left by
// one that crashed.
import { isProbeOfEarlierRun } from '../../domain/breaker.ts'
import type { HostState } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import type { PollRecord, Trigger } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
import type { CoordinatedPoll, Coordinator, HostPermit, NoPermit, PollRequest } from '../../ports/coordinator.ts'
import type { HostVisit, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import { isUntouched, sourceMeanwhile } from './source-meanwhile.ts'
import { NO_HOST_PERMIT, needsSpacing, StoredPermit } from './stored-permit.ts'

export type AloneStore = Pick<Store, 'leaseHost' | 'extendLease' | 'releaseHost' | 'getSource' | 'recordPoll'>

export class AloneCoordinator implements Coordinator {
  readonly #store: AloneStore

  constructor(store: AloneStore) {
    this.#store = store
  }

  visitedElsewhereUntil(): null {
    return null
  }

  isClaimedElsewhere(): boolean {
    return false
  }

  async claimNextTurn(): Promise<void> {}

  /** Spacing is written before the request, so that a crash in the middle of it leaves the spacing behind. */
  async mayVisit(lane: string, visit: HostVisit): Promise<HostPermit | NoPermit> {
    if (isNullLane(lane)) return NO_HOST_PERMIT
    const isReserved = needsSpacing(visit)
    const host = isReserved ? await this.#store.leaseHost(lane, { ...visit, lease: null }) : null
    if (isReserved && !host) return 'host-taken'
    const reserved = isReserved ? visit : null
    const permit = { lane, reserved, host, leasedBy: null, newLease: () => null, onEnd: () => {} }
    return new StoredPermit(this.#store, permit)
  }

  async requestOf({ id, version }: Pick<Source, 'id' | 'version'>): Promise<PollRequest> {
    return { id, version, lastRecordId: null }
  }

  async polledSince(): Promise<PollRecord | null> {
    return null
  }

  startPoll(source: Source, _trigger: Trigger, request: PollRequest | null): CoordinatedPoll {
    return new PollAlone(this.#store, source, request)
  }

  isProbeLost({ breaker }: HostState, startedAt: number): boolean {
    return isProbeOfEarlierRun(breaker, startedAt)
  }
}

class PollAlone implements CoordinatedPoll {
  readonly #store: AloneStore
  readonly #source: Source
  readonly #request: PollRequest | null

  constructor(store: AloneStore, source: Source, request: PollRequest | null) {
    this.#store = store
    this.#source = source
    this.#request = request
  }

  async meanwhile(): Promise<PollWritten | null> {
    const now = await sourceMeanwhile(this.#store, this.#source)
    if (now.kind !== 'same') return now
    return this.#request || isUntouched(now.source, this.#source) ? null : { kind: 'overtaken' }
  }

  async leaveLane(): Promise<'ok'> {
    return 'ok'
  }

  asPlanned(source: Source): Source {
    return source
  }

  record(write: PollWrite): Promise<PollWritten> {
    return this.#store.recordPoll(write)
  }

  async end(): Promise<void> {}
}
