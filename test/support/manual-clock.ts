// Time under a test's control. Nothing here waits for real time.
// - A sleep resolves only when the clock is moved to its wake instant; equal instants wake first come, first served.
// - `advance` stops at every wake instant on the way and lets what was woken run before it goes on. It gives way to
//   microtasks and immediates only: a test that has sockets open waits for its own condition.
// - With `autoAdvance`, sleeping moves time by itself to the earliest wake instant, one at a time, once all else has
//   run; with a function, only while that says true (nothing in flight).
// - A wait of 0 does not sleep. An aborted sleep rejects with the signal's reason.
import type { Clock } from '../../src/ports/clock.ts'

interface Sleeper {
  wakeAt: number
  readonly wake: () => void
}

export interface ManualClockOptions {
  readonly autoAdvance?: boolean | (() => boolean)
}

/** The day the examples of the rules take place. */
export const TEST_START = Date.parse('2026-02-17T10:00:00Z')

export class ManualClock implements Clock {
  #now: number
  #sleepers: Sleeper[] = []
  #advancing = false
  #autoAdvancing = false
  readonly #mayAdvance: (() => boolean) | null

  constructor(startAt: number = TEST_START, { autoAdvance = false }: ManualClockOptions = {}) {
    this.#now = startAt
    this.#mayAdvance = typeof autoAdvance === 'function' ? autoAdvance : autoAdvance ? () => true : null
  }

  now(): number {
    return this.#now
  }

  /** Instants at which somebody wakes, in that order. */
  get pending(): readonly number[] {
    return this.#sleepers.map((sleeper) => sleeper.wakeAt)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (!(ms > 0)) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(signal?.reason)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const sleeper: Sleeper = { wakeAt: this.#now + ms, wake }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#enqueue(sleeper)
      if (this.#mayAdvance) void this.#advanceWhileAsleep(this.#mayAdvance)
    })
  }

  async advance(ms: number): Promise<void> {
    await this.advanceTo(this.#now + ms)
  }

  async advanceTo(instant: number): Promise<void> {
    if (instant < this.#now) throw new RangeError('advance goes forward only; use setTo to set the clock back')
    if (this.#advancing) throw new Error('the clock is being advanced already')
    this.#advancing = true
    try {
      await othersRun()
      while (this.#wakeNext(instant)) await othersRun()
      this.#now = instant
    } finally {
      this.#advancing = false
    }
  }

  /** Sets the clock forward or back and wakes nobody: sleepers go on for as long as before. */
  setTo(instant: number): void {
    for (const sleeper of this.#sleepers) sleeper.wakeAt += instant - this.#now
    this.#now = instant
  }

  async #advanceWhileAsleep(mayAdvance: () => boolean): Promise<void> {
    if (this.#autoAdvancing) return
    this.#autoAdvancing = true
    await othersRun()
    while (this.#sleepers.length > 0) {
      const mayMove = !this.#advancing && mayAdvance()
      if (mayMove) this.#wakeNext(Number.POSITIVE_INFINITY)
      // While something is in flight, look again a little later instead of spinning.
      await (mayMove ? othersRun() : new Promise((resolve) => setTimeout(resolve, 1)))
    }
    this.#autoAdvancing = false
  }

  #enqueue(sleeper: Sleeper): void {
    const later = this.#sleepers.findIndex((other) => other.wakeAt > sleeper.wakeAt)
    this.#sleepers.splice(later < 0 ? this.#sleepers.length : later, 0, sleeper)
  }

  #wakeNext(latest: number): boolean {
    const next = this.#sleepers[0]
    if (!next || next.wakeAt > latest) return false
    this.#sleepers.shift()
    this.#now = Math.max(this.#now, next.wakeAt)
    next.wake()
    return true
  }
}

/** Two turns of the event loop: one for what is ready, one for what that made ready. Microtasks run in between. */
async function othersRun(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
}
