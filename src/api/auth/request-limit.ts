// How many requests to the API a user without admin rights may make in a minute, in this process, whatever token they use.
// Counted by the injected clock, in whole minutes: one number for each user, however many requests there are.
import type { Clock } from '../../ports/clock.ts'
import { TooManyRequests } from '../http/problem-answers.ts'
import type { Caller } from '../route.ts'

const MINUTE_MS = 60_000

export class RequestLimit {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #counts = new Map<string, number>()
  #minute = -1

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Counts a request, or throws 'too-many-requests'. A refused one is not counted. */
  count({ admin, userId }: Caller): void {
    if (admin) return
    const now = this.#clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute !== this.#minute) this.#counts.clear()
    this.#minute = minute
    const made = this.#counts.get(userId) ?? 0
    if (made >= this.#perMinute) {
      const detail = `At most ${this.#perMinute} requests a minute for a user without admin rights (app.limits.requests-per-minute).`
      throw new TooManyRequests(detail, (minute + 1) * MINUTE_MS - now)
    }
    this.#counts.set(userId, made + 1)
  }
}
