// What a successful test fetch brought is kept for ten minutes, bytes and validators together, so that adding
// a source and polling it asks its host once. Then all of it is forgotten. What was fetched with more trust is not given
// to a source that has less.
import type { Clock } from '../ports/clock.ts'
import type { VisitResult } from '../ports/reader.ts'

const KEPT_MS = 10 * 60_000
const KEPT_BYTES_IN_ALL = 64 * 1024 * 1024

export type Body = Extract<VisitResult, { kind: 'body' }>

interface Whose {
  readonly userId: string
  readonly trusted: boolean
}

interface Kept {
  readonly body: Body
  readonly until: number
}

export class KeptFetches {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(whose: Whose, url: string, body: Body): void {
    this.#forgetOld()
    this.#kept.set(key(whose, url), { body, until: this.#clock.now() + KEPT_MS })
    for (const [oldest] of this.#kept) {
      if (this.#bytes() <= KEPT_BYTES_IN_ALL) break
      this.#kept.delete(oldest)
    }
  }

  has(whose: Whose, url: string): boolean {
    this.#forgetOld()
    return this.#kept.has(key(whose, url))
  }

  /** Given out once. */
  take(whose: Whose, url: string): Body | null {
    this.#forgetOld()
    const kept = this.#kept.get(key(whose, url))
    this.#kept.delete(key(whose, url))
    return kept?.body ?? null
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [name, kept] of this.#kept) if (kept.until <= now) this.#kept.delete(name)
  }

  #bytes(): number {
    let sum = 0
    for (const { body } of this.#kept.values()) sum += body.bytes.length
    return sum
  }
}

function key({ userId, trusted }: Whose, url: string): string {
  return `${userId} ${trusted} ${url}`
}
