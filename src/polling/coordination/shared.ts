// Several processes on one store. A process that visits a host has a lease on the host's row and renews it while it is
// there; one that waits for its turn claims the next one.
// See docs/decisions/0105-host-row-is-the-lease-of-a-visit.md
import { isProbeOfDeadProcess } from '../../domain/breaker.ts'
import type { HostState } from '../../domain/host.ts'
import { CLAIM_MS, claimedByOther, leasedByOther, RENEW_LEASE_MS } from '../../domain/host-lease.ts'
import { isNullLane } from '../../domain/lane.ts'
import type { PollRecord, Trigger } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  CoordinatedPoll,
  Coordinator,
  HostPermit,
  HostSighting,
  NoPermit,
  PollRequest,
} from '../../ports/coordinator.ts'
import type { HostVisit } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import { LeaseRenewal, type LeaseRenewalDeps } from './lease-renewal.ts'
import { SharedPoll } from './shared-poll.ts'
import { NO_HOST_PERMIT, StoredPermit } from './stored-permit.ts'

export interface SharedDeps extends LeaseRenewalDeps {
  readonly clock: Clock
  readonly store: Store
  /** Tells this process from all others. */
  readonly processId: string
}

export class SharedCoordinator implements Coordinator {
  readonly #deps: SharedDeps
  readonly #renewal: LeaseRenewal

  constructor(deps: SharedDeps) {
    this.#deps = deps
    this.#renewal = new LeaseRenewal(deps)
  }

  visitedElsewhereUntil(host: HostState): number | null {
    const { clock, processId } = this.#deps
    return leasedByOther(host, processId, clock.now())
  }

  isClaimedElsewhere(host: HostState): boolean {
    const { clock, processId } = this.#deps
    return claimedByOther(host, processId, clock.now())
  }

  async claimNextTurn(lane: string, inMs: number): Promise<void> {
    const { clock, processId, store } = this.#deps
    await store.claimNextTurn(lane, { by: processId, until: clock.now() + inMs + CLAIM_MS })
  }

  async mayVisit(
    lane: string,
    visit: HostVisit,
    sighting: HostSighting | null,
    poll: Pick<CoordinatedPoll, 'meanwhile'> | null,
  ): Promise<HostPermit | NoPermit> {
    if (isNullLane(lane)) return NO_HOST_PERMIT
    const permit = await this.#lease(lane, visit, sighting)
    if (permit === null) return 'host-taken'
    try {
      const refused = await this.#refusedAfterAll(permit, visit, sighting, poll)
      if (refused) await permit.giveBack()
      return refused ?? permit
    } catch (error) {
      // The lease ends by itself if the store cannot be told now.
      await permit.giveBack().catch(() => {})
      throw error
    }
  }

  async #lease(lane: string, visit: HostVisit, sighting: HostSighting | null): Promise<HostPermit | null> {
    const { store, processId } = this.#deps
    const newLease = () => this.#renewal.newLease()
    const unlessVisitedSince = sighting && { lastRequestAt: sighting.host.lastRequestAt }
    const host = await store.leaseHost(lane, { ...visit, lease: newLease(), ...unlessVisitedSince })
    if (!host) return null
    this.#renewal.start(lane)
    const onEnd = () => this.#renewal.stop(lane)
    return new StoredPermit(store, { lane, reserved: visit, host, leasedBy: processId, newLease, onEnd })
  }

  async #refusedAfterAll(
    permit: HostPermit,
    visit: HostVisit,
    sighting: HostSighting | null,
    poll: Pick<CoordinatedPoll, 'meanwhile'> | null,
  ): Promise<NoPermit | null> {
    // A process that was suspended since then may have lost the lease already.
    const isFresh = this.#deps.clock.now() - visit.startedAt <= RENEW_LEASE_MS
    if (!isFresh && (await permit.extend(visit)) === 'overtaken') return 'overtaken'
    // Two visits in the same instant of the clock leave the same row: only the source tells whether there was one more.
    const isUnclear = sighting !== null && (sighting.host.lastRequestAt ?? 0) >= sighting.at
    return isUnclear && poll && (await poll.meanwhile()) ? 'not-needed' : null
  }

  async requestOf({ id, version }: Pick<Source, 'id' | 'version'>): Promise<PollRequest> {
    return { id, version, lastRecordId: (await this.#lastRecord(id))?.id ?? null }
  }

  /** A source that was changed since is polled again: an older record does not speak for it. */
  async polledSince(request: PollRequest, { id, version }: Source): Promise<PollRecord | null> {
    const last = version === request.version ? await this.#lastRecord(id) : null
    return last?.id === request.lastRecordId ? null : last
  }

  async #lastRecord(sourceId: string): Promise<PollRecord | null> {
    const { items } = await this.#deps.store.listPolls(sourceId, { limit: 1, cursor: null })
    return items[0] ?? null
  }

  startPoll(source: Source, trigger: Trigger, request: PollRequest | null): CoordinatedPoll {
    const polledSince = request && ((now: Source) => this.polledSince(request, now))
    return new SharedPoll(this.#deps, source, trigger, polledSince)
  }

  isProbeLost(host: HostState): boolean {
    return isProbeOfDeadProcess(host, this.#deps.clock.now())
  }
}
