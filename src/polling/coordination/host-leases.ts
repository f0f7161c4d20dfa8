// The lanes that this process holds, where several work on one store: it says again and again that it is there. In real
// time, as the limits of requests are: a process that is stopped or gone says nothing, whatever its clock shows.

import type { HostState } from '../../domain/host.ts'
import { CLAIM_MS, claimedByOther, LEASE_MS, leasedByOther, RENEW_LEASE_MS } from '../../domain/host-lease.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Lease } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import { afterRealTime } from '../lanes/real-time.ts'

export interface HoldsDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'renewLeases' | 'claimNextTurn'>
  /** Tells this process from all others. */
  readonly processId: string
  /** Whether there may be others. */
  readonly isShared: boolean
}

export class Holds {
  readonly #deps: HoldsDeps
  readonly #lanes = new Set<string>()
  #callOff: (() => void) | null = null
  readonly isShared: boolean

  constructor(deps: HoldsDeps) {
    this.#deps = deps
    this.isShared = deps.isShared
  }

  /** Who holds what is visited; null: nobody has to. */
  get holder(): string | null {
    return this.isShared ? this.#deps.processId : null
  }

  /** From now on. */
  lease(): Lease | null {
    const { clock, processId } = this.#deps
    return this.isShared ? { by: processId, until: clock.now() + LEASE_MS } : null
  }

  begin(lane: string): void {
    if (!this.isShared) return
    this.#lanes.add(lane)
    this.#callOff ??= afterRealTime(RENEW_LEASE_MS, () => this.#renew())
  }

  end(lane: string): void {
    this.#lanes.delete(lane)
    if (this.#lanes.size > 0) return
    this.#callOff?.()
    this.#callOff = null
  }

  /** Until when another process is at the host, if nothing is heard of it. Who is alone only sees what one left that died. */
  heldElsewhere(host: HostState): number | null {
    const { clock, processId } = this.#deps
    return this.isShared ? leasedByOther(host, processId, clock.now()) : null
  }

  wantedElsewhere(host: HostState): boolean {
    const { clock, processId } = this.#deps
    return this.isShared && claimedByOther(host, processId, clock.now())
  }

  /** What is scheduled elsewhere lets the next turn of this lane be ours, when it comes in so long. */
  async want(lane: string, inMs: number): Promise<void> {
    const { clock, processId, store } = this.#deps
    if (this.isShared) await store.claimNextTurn(lane, { by: processId, until: clock.now() + inMs + CLAIM_MS })
  }

  #renew(): void {
    this.#callOff = null
    const lease = this.lease()
    if (this.#lanes.size === 0 || lease === null) return
    this.#callOff = afterRealTime(RENEW_LEASE_MS, () => this.#renew())
    this.#deps.store.renewLeases([...this.#lanes], lease).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, '[Polling] could not say that this process is still at its hosts')
    })
  }
}
