// SQLite takes one writer at a time. Writers wait here, first come, first served.

export class WriteQueue {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when all earlier writers have left, with the function that leaves the queue. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}
