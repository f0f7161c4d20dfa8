// Renews the leases of this process while it visits hosts. In real time, as the limits of requests are: a process that is
// suspended or gone renews nothing, whatever its clock shows.
import { LEASE_MS, RENEW_LEASE_MS } from '../../domain/host-lease.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Lease, PollingStore } from '../../ports/polling-store.ts'
import { afterRealTime } from '../lanes/real-time.ts'

export interface LeaseRenewalDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<PollingStore, 'renewLeases'>
  readonly processId: string
}

export class LeaseRenewal {
  readonly #deps: LeaseRenewalDeps
  readonly #lanes = new Set<string>()
  #cancel: (() => void) | null = null

  constructor(deps: LeaseRenewalDeps) {
    this.#deps = deps
  }

  /** A lease that begins now. */
  newLease(): Lease {
    const { clock, processId } = this.#deps
    return { by: processId, until: clock.now() + LEASE_MS }
  }

  start(lane: string): void {
    this.#lanes.add(lane)
    this.#cancel ??= afterRealTime(RENEW_LEASE_MS, () => this.#renew())
  }

  stop(lane: string): void {
    this.#lanes.delete(lane)
    if (this.#lanes.size > 0) return
    this.#cancel?.()
    this.#cancel = null
  }

  #renew(): void {
    this.#cancel = null
    if (this.#lanes.size === 0) return
    this.#cancel = afterRealTime(RENEW_LEASE_MS, () => this.#renew())
    this.#deps.store.renewLeases([...this.#lanes], this.newLease()).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, '[Polling] the leases on the hosts being visited could not be renewed')
    })
  }
}
