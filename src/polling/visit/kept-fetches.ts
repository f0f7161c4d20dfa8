// Keeps the answer of a successful test fetch for ten minutes, bytes and validators together, so that adding a source and
// polling it asks its host once. A source never gets an answer that was fetched with more trust or other credentials.
import type { Clock } from '../../ports/clock.ts'
import type { VisitResult } from '../../ports/reader.ts'
import { withoutFragment } from './without-fragment.ts'

const KEPT_MS = 10 * 60_000
const KEPT_BYTES_IN_ALL = 64 * 1024 * 1024

export type Body = Extract<VisitResult, { kind: 'body' }>

interface Whose {
  readonly userId: string
  readonly trusted: boolean
}

interface Kept {
  readonly body: Body
  /** The credentials it was fetched with. */
  readonly basicAuth: string | null
  readonly until: number
}

export class KeptFetches {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(whose: Whose, url: string, basicAuth: string | null, body: Body): void {
    this.#forgetOld()
    this.#kept.set(key(whose, url), { body, basicAuth, until: this.#clock.now() + KEPT_MS })
    for (const [oldest] of this.#kept) {
      if (this.#bytes() <= KEPT_BYTES_IN_ALL) break
      this.#kept.delete(oldest)
    }
  }

  /** Without opening the credentials, so it may be wrong about those. */
  has(whose: Whose & { readonly hasCredentials: boolean }, url: string): boolean {
    this.#forgetOld()
    const kept = this.#kept.get(key(whose, url))
    return kept !== undefined && (kept.basicAuth === null || whose.hasCredentials)
  }

  /** Each answer is given out once. */
  take(whose: Whose, url: string, basicAuth: string | null): Body | null {
    this.#forgetOld()
    const kept = this.#kept.get(key(whose, url))
    if (kept?.basicAuth !== basicAuth) return null
    this.#kept.delete(key(whose, url))
    return kept.body
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
  return `${userId} ${trusted} ${withoutFragment(url)}`
}
