// Who may begin an attempt now. Few are under way at a time, and receivers that keep us waiting must not hold the places
// of those that answer. Who began least recently is next. A receiver is quick when its last attempt was: quick ones have
// a few slots each, one at most once half of all are taken. Those of which that is not known, or known not to be so,
// have one each and half of the slots together. Kept in memory: after a restart the first attempts tell again.

export const SLOTS = 128
const SLOTS_PER_WEBHOOK = 4
/** Beyond that, webhooks that have nothing to send are forgotten. */
const MOST_REMEMBERED = 10_000

interface Receiver {
  /** The turn of its last attempt; 0: none yet. */
  begun: number
  inFlight: number
  quick: boolean
}

export class Slots {
  readonly #receivers = new Map<string, Receiver>()
  #turn = 0

  /** All that wait, who began least recently first. */
  inTurn<T extends { readonly webhookId: string }>(waiting: readonly T[]): readonly T[] {
    if (this.#receivers.size > MOST_REMEMBERED) this.#forgetAllBut(new Set(waiting.map(({ webhookId }) => webhookId)))
    const begun = ({ webhookId }: T) => this.#receivers.get(webhookId)?.begun ?? 0
    return waiting.toSorted((a, b) => begun(a) - begun(b))
  }

  freeFor(webhookId: string): number {
    const { inFlight, quick } = this.#receiver(webhookId)
    const taken = this.#taken(() => true)
    if (!quick && this.#taken((receiver) => !receiver.quick) >= SLOTS / 2) return 0
    const most = quick && taken < SLOTS / 2 ? SLOTS_PER_WEBHOOK : 1
    return Math.max(Math.min(most - inFlight, SLOTS - taken), 0)
  }

  take(webhookId: string): void {
    const receiver = this.#receiver(webhookId)
    receiver.begun = ++this.#turn
    receiver.inFlight++
    this.#receivers.set(webhookId, receiver)
  }

  /** `quick`: it held its slot for a short time, whatever came of it. */
  giveBack(webhookId: string, { quick }: { readonly quick: boolean }): void {
    const receiver = this.#receiver(webhookId)
    receiver.inFlight--
    receiver.quick = quick
  }

  #receiver(webhookId: string): Receiver {
    return this.#receivers.get(webhookId) ?? { begun: 0, inFlight: 0, quick: false }
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
