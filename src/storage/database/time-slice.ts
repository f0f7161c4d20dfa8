// node:sqlite runs on the main thread. Statements may use 10 ms of one turn of the event loop. After that the next
// statement waits for the next turn, so that sockets and timers are served in between.

const SLICE_MS = 10

export class TimeSlice {
  #startedAt: number | null = null

  /** The first call of a turn starts its slice. */
  get isUsedUp(): boolean {
    const now = performance.now()
    if (this.#startedAt === null) {
      this.#startedAt = now
      setImmediate(() => {
        this.#startedAt = null
      })
      return false
    }
    return now - this.#startedAt > SLICE_MS
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }
}
