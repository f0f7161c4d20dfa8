// The request slots of all workers together: when each of them is free again, as a heap.

export class RequestSlotTimes {
  readonly #freeAt: Float64Array

  constructor(count: number) {
    this.#freeAt = new Float64Array(count)
  }

  /** When the slot that is free first can be used, not before `now`. */
  take(now: number): number {
    return Math.max(now, this.#freeAt[0] ?? now)
  }

  /** That slot is free again from `at` on. */
  giveBack(at: number): void {
    const heap = this.#freeAt
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= at) break
      heap[place] = heap[child] as number
      place = child
    }
    heap[place] = at
  }
}
