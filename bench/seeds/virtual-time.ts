// Time of a simulated world. Nothing waits for real time: when nobody has anything left to do, the next timer rings.
// `now` is our clock, which may jump; `trueNow` is the world's, which does not. Timers count true time, as real ones do.
import type { Clock } from '../../src/ports/clock.ts'

/** More statements at one instant are made only by somebody who does the same again and again without waiting. */
const MOST_AT_ONCE = 200_000

export const WORLD_START = Date.parse('2026-02-17T10:00:00Z')

export interface Timer {
  readonly ringsAt: number
  readonly ring: () => void
}

export class VirtualTime {
  #elapsedMs = 0
  #offsetMs = 0
  #timers: Timer[] = []
  /** Counts what happens, so that one can tell when nothing happens any more. */
  activity = 0
  #activityBefore = 0
  /** How often our clock was set. */
  jumps = 0

  get elapsedMs(): number {
    return this.#elapsedMs
  }

  get isStandingStill(): boolean {
    return this.activity - this.#activityBefore > MOST_AT_ONCE
  }

  now(): number {
    return WORLD_START + this.#elapsedMs + this.#offsetMs
  }

  trueNow(): number {
    return WORLD_START + this.#elapsedMs
  }

  jump(ms: number): void {
    this.#offsetMs += ms
    this.jumps++
  }

  after(ms: number, ring: () => void): Timer {
    this.activity++
    // Instants are whole milliseconds.
    const timer = { ringsAt: this.#elapsedMs + Math.ceil(Math.max(0, ms)), ring }
    const later = this.#timers.findIndex((other) => other.ringsAt > timer.ringsAt)
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer)
    return timer
  }

  cancel(timer: Timer): void {
    const index = this.#timers.indexOf(timer)
    if (index >= 0) this.#timers.splice(index, 1)
  }

  /** Rings the next timer that is due by then; false: there is none, and it is then. */
  ringNext(untilElapsedMs: number): boolean {
    const [next] = this.#timers
    if (!next || next.ringsAt > untilElapsedMs) {
      this.#elapsedMs = untilElapsedMs
      return false
    }
    this.#timers.shift()
    this.#activityBefore = this.activity
    this.#elapsedMs = next.ringsAt
    next.ring()
    return true
  }

  /** Until nobody can go on without a timer. Everything runs in microtasks and immediates here. */
  async settled(): Promise<void> {
    let seen = -1
    while (seen !== this.activity) {
      seen = this.activity
      await immediate()
      await immediate()
    }
  }

  /** A clock whose sleepers never wake once `isAlive` says no. */
  clockOf(isAlive: () => boolean): Clock {
    return {
      now: () => this.now(),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason)
          const giveUp = (): void => {
            this.cancel(timer)
            if (isAlive()) reject(signal?.reason)
          }
          const timer = this.after(ms, () => {
            signal?.removeEventListener('abort', giveUp)
            if (isAlive()) resolve()
          })
          signal?.addEventListener('abort', giveUp, { once: true })
        }),
    }
  }

  /** Until the returned function is called, `setTimeout` and `performance.now` are this time's too. */
  takeOver(): () => void {
    const { setTimeout, clearTimeout } = globalThis
    const { now } = performance
    const virtual = (run: () => void, ms = 0): Timer => this.after(ms, run)
    const clear = (timer: unknown): void => this.cancel(timer as Timer)
    Object.assign(globalThis, { setTimeout: virtual, clearTimeout: clear })
    performance.now = () => this.#elapsedMs
    return () => {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      performance.now = now
    }
  }
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
