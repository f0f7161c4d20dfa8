// Decides which webhook may start a delivery now. Each delivery under way holds a slot, and slow receivers must not hold
// the slots that quick ones need. The webhook whose last delivery started longest ago is next.
//
//   quick receiver (its last delivery took a short time)   four slots; one once half of all slots are taken
//   slow or unknown receiver                               one slot, and at most half of all slots together
//
// This is kept in memory: after a restart every receiver is unknown again.
// See docs/decisions/0098-hanging-webhook-receivers-share-half-of-the-slots.md

export const SLOTS = 128
const SLOTS_PER_QUICK_WEBHOOK = 4
/** With more webhooks than this, those that have nothing to send are forgotten. */
const MOST_REMEMBERED = 10_000

interface Receiver {
  /** Number of its last delivery, counted over all receivers; 0: none yet. */
  lastStarted: number
  inFlight: number
  quick: boolean
}

export class DeliverySlots {
  readonly #receivers = new Map<string, Receiver>()
  #started = 0

  /** The webhook whose last delivery started longest ago comes first. */
  longestIdleFirst<T extends { readonly webhookId: string }>(waiting: readonly T[]): readonly T[] {
    if (this.#receivers.size > MOST_REMEMBERED) this.#forgetAllBut(new Set(waiting.map(({ webhookId }) => webhookId)))
    const lastStarted = ({ webhookId }: T) => this.#receivers.get(webhookId)?.lastStarted ?? 0
    return waiting.toSorted((a, b) => lastStarted(a) - lastStarted(b))
  }

  freeFor(webhookId: string): number {
    const { inFlight, quick } = this.#receiver(webhookId)
    const taken = this.#taken(() => true)
    if (!quick && this.#taken((receiver) => !receiver.quick) >= SLOTS / 2) return 0
    const most = quick && taken < SLOTS / 2 ? SLOTS_PER_QUICK_WEBHOOK : 1
    return Math.max(Math.min(most - inFlight, SLOTS - taken), 0)
  }

  take(webhookId: string): void {
    const receiver = this.#receiver(webhookId)
    receiver.lastStarted = ++this.#started
    receiver.inFlight++
    this.#receivers.set(webhookId, receiver)
  }

  /** `quick`: the delivery took a short time, whether or not it succeeded. */
  release(webhookId: string, { quick }: { readonly quick: boolean }): void {
    const receiver = this.#receiver(webhookId)
    receiver.inFlight--
    receiver.quick = quick
  }

  #receiver(webhookId: string): Receiver {
    return this.#receivers.get(webhookId) ?? { lastStarted: 0, inFlight: 0, quick: false }
  }

  #taken(by: (receiver: Receiver) => boolean): number {
    let taken = 0
    for (const receiver of this.#receivers.values()) if (by(receiver)) taken += receiver.inFlight
    return taken
  }

  #forgetAllBut(waiting: ReadonlySet<string>): void {
    for (const [id, { inFlight }] of this.#receivers) {
      if (inFlight === 0 && !waiting.has(id)) this.#receivers.delete(id)
    }
  }
}
