// The global limit on requests in flight. First come, first served, so no lane starves another.

export class RequestSlots {
  readonly #size: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(size: number) {
    this.#size = size
  }

  get taken(): number {
    return this.#taken
  }

  get areFull(): boolean {
    return this.#taken >= this.#size
  }

  /** Resolves with a release that may be called more than once. */
  async take(): Promise<() => void> {
    if (!this.areFull) this.#taken++
    // A released slot is handed to the one that waits longest, so that no other request slips in.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let released = false
    return () => {
      if (released) return
      released = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken--
    }
  }
}
