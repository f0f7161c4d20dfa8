// Keeps deliveries to one host few, whoever owns the webhooks: the rule is in domain/receiver-host.ts. The store counts
// for all processes. What this process has in flight it counts too: a webhook that is removed takes its rows along, but
// not the request that is on its way.
// See docs/decisions/0112-webhooks-to-one-host-share-two-deliveries.md
import { setTimeout } from 'node:timers/promises'
import { deliveriesAtOnce, GOOD_RECEIVER, type ReceiverHost, waitEndsAt } from '../domain/receiver-host.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/** Real time that a test message waits for a place. */
const TEST_WAITS_MS = 15_000
const LOOK_AGAIN_MS = 200

export interface ReceiversNow {
  freeFor(host: string): number
  /** When the next delivery to the host may start; null: it need not be waited for. */
  waitsUntil(host: string): number | null
}

export class ReceiverHosts {
  readonly #store: Pick<Store, 'receiversInUse' | 'takeTestPlace'>
  readonly #inFlight = new Map<string, number>()

  constructor(store: Pick<Store, 'receiversInUse' | 'takeTestPlace'>) {
    this.#store = store
  }

  /** What may be sent at this moment. Claims are decided by the store: another process may be quicker. */
  async look(now: number): Promise<ReceiversNow> {
    const known = await this.#store.receiversInUse(now)
    const healthOf = (host: string): ReceiverHost => known.get(host)?.health ?? GOOD_RECEIVER
    return {
      freeFor: (host) => {
        const inFlight = Math.max(known.get(host)?.inFlight ?? 0, this.#inFlight.get(host) ?? 0)
        return Math.max(deliveriesAtOnce(healthOf(host), now) - inFlight, 0)
      },
      waitsUntil: (host) => waitEndsAt(healthOf(host), now),
    }
  }

  take(host: string): void {
    this.#inFlight.set(host, (this.#inFlight.get(host) ?? 0) + 1)
  }

  release(host: string): void {
    const left = (this.#inFlight.get(host) ?? 1) - 1
    if (left > 0) this.#inFlight.set(host, left)
    else this.#inFlight.delete(host)
  }

  /** false: there was no place for a test message in time. */
  async waitForTestPlace(host: string, clock: Clock): Promise<boolean> {
    const endsAt = performance.now() + TEST_WAITS_MS
    while (!(await this.#store.takeTestPlace(host, clock.now()))) {
      if (performance.now() > endsAt) return false
      await setTimeout(LOOK_AGAIN_MS)
    }
    return true
  }
}
