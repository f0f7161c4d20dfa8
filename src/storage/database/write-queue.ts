// Two small fairness tools for a database that works on the main thread.

/** One at a time, in the order of asking. */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with the function that ends the turn. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}

const SLICE_MS = 10

/** Lets the event loop turn once the statements of this turn have taken their slice of time. */
export class Pace {
  #turnStartedAt: number | null = null

  get spent(): boolean {
    const now = performance.now()
    if (this.#turnStartedAt === null) {
      this.#turnStartedAt = now
      setImmediate(() => {
        this.#turnStartedAt = null
      })
      return false
    }
    return now - this.#turnStartedAt > SLICE_MS
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }
}
