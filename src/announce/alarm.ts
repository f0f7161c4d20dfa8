// Waits for whichever comes first: a call of `ring`, an instant on the injected clock, or a short real time. A ring
// between `set` and `until` is not missed.
import type { Clock } from '../ports/clock.ts'

export class Alarm {
  readonly #clock: Clock
  readonly #lookEveryMs: number
  #current = new AbortController()

  constructor(clock: Clock, lookEveryMs: number) {
    this.#clock = clock
    this.#lookEveryMs = lookEveryMs
  }

  ring(): void {
    this.#current.abort()
  }

  set(): { until(instant: number | null): Promise<void> } {
    const own = new AbortController()
    this.#current = own
    return { until: (instant) => this.#wait(own, instant) }
  }

  async #wait(own: AbortController, instant: number | null): Promise<void> {
    if (own.signal.aborted) return
    const look = setTimeout(() => own.abort(), this.#lookEveryMs)
    const rung = new Promise<void>((resolve) => own.signal.addEventListener('abort', () => resolve(), { once: true }))
    try {
      if (instant === null) await rung
      // The sleep rejects when the alarm rings.
      else await this.#clock.sleep(Math.max(instant - this.#clock.now(), 0), own.signal).catch(() => rung)
    } finally {
      clearTimeout(look)
      own.abort()
    }
  }
}
