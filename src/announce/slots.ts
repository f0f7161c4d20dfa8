// Who may begin an attempt now. Few are under way at a time, and receivers that keep us waiting must not hold the places
// of those that answer: who began least recently is next; once half of the slots are taken everybody has one at most;
// and those that kept us waiting the last time have one each and half of the slots together. Kept in memory for the
// webhooks that have something to send: after a restart the first attempts tell again.

export const SLOTS = 64
const SLOTS_PER_WEBHOOK = 4

interface Receiver {
  /** The turn of its last attempt; 0: none yet. */
  begun: number
  inFlight: number
  slow: boolean
}

export class Slots {
  readonly #receivers = new Map<string, Receiver>()
  #turn = 0

  /** All that wait, who began least recently first. What is known of anybody else is forgotten. */
  inTurn<T extends { readonly webhookId: string }>(waiting: readonly T[]): readonly T[] {
    const ids = new Set(waiting.map(({ webhookId }) => webhookId))
    for (const [id, { inFlight }] of this.#receivers) {
      if (inFlight === 0 && !ids.has(id)) this.#receivers.delete(id)
    }
    const begun = ({ webhookId }: T) => this.#receivers.get(webhookId)?.begun ?? 0
    return waiting.toSorted((a, b) => begun(a) - begun(b))
  }

  freeFor(webhookId: string): number {
    const { inFlight, slow } = this.#receiver(webhookId)
    const taken = this.#taken(() => true)
    const most = slow || taken >= SLOTS / 2 ? 1 : SLOTS_PER_WEBHOOK
    if (slow && this.#taken((receiver) => receiver.slow) >= SLOTS / 2) return 0
    return Math.max(Math.min(most - inFlight, SLOTS - taken), 0)
  }

  take(webhookId: string): void {
    const receiver = this.#receiver(webhookId)
    receiver.begun = ++this.#turn
    receiver.inFlight++
    this.#receivers.set(webhookId, receiver)
  }

  /** `slow`: it held its slot for long, whatever came of it. */
  giveBack(webhookId: string, { slow }: { readonly slow: boolean }): void {
    const receiver = this.#receiver(webhookId)
    receiver.inFlight--
    receiver.slow = slow
  }

  #receiver(webhookId: string): Receiver {
    return this.#receivers.get(webhookId) ?? { begun: 0, inFlight: 0, slow: false }
  }

  #taken(by: (receiver: Receiver) => boolean): number {
    let taken = 0
    for (const receiver of this.#receivers.values()) if (by(receiver)) taken += receiver.inFlight
    return taken
  }
}
