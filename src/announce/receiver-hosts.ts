// Keeps deliveries to one host few, whoever owns the webhooks: the rule is in domain/receiver-host.ts. This is kept in
// memory, for this process: after a restart every host counts as good again.
// See docs/decisions/0112-webhooks-to-one-host-share-two-deliveries.md
import { afterDelivery, deliveriesAtOnce, GOOD_RECEIVER, isSpared, type ReceiverHost } from '../domain/receiver-host.ts'

/** With more hosts than this, those without a delivery in flight are forgotten. */
const MOST_REMEMBERED = 10_000

interface HostInUse {
  health: ReceiverHost
  inFlight: number
}

export class ReceiverHosts {
  readonly #hosts = new Map<string, HostInUse>()

  freeFor(host: string, now: number): number {
    const { health, inFlight } = this.#of(host)
    return Math.max(deliveriesAtOnce(health, now) - inFlight, 0)
  }

  /** When the next delivery to the host may start; null: it need not be waited for. */
  waitsUntil(host: string): number | null {
    return this.#of(host).health.waitUntil
  }

  take(host: string): void {
    const used = this.#of(host)
    used.inFlight++
    this.#hosts.set(host, used)
  }

  /** `succeeded` is null if nothing was sent. Returns what changes for the host with this delivery. */
  release(host: string, succeeded: boolean | null, now: number): 'begins-to-wait' | 'is-back' | null {
    const used = this.#of(host)
    const wasSpared = isSpared(used.health)
    used.inFlight--
    if (succeeded !== null) used.health = afterDelivery(used.health, succeeded, now)
    if (used.inFlight === 0 && used.health.failures === 0) this.#hosts.delete(host)
    if (this.#hosts.size > MOST_REMEMBERED) this.#forgetIdle()
    if (wasSpared === isSpared(used.health)) return null
    return wasSpared ? 'is-back' : 'begins-to-wait'
  }

  #of(host: string): HostInUse {
    return this.#hosts.get(host) ?? { health: GOOD_RECEIVER, inFlight: 0 }
  }

  #forgetIdle(): void {
    for (const [host, { inFlight }] of this.#hosts) if (inFlight === 0) this.#hosts.delete(host)
  }
}
