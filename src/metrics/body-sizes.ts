// How large a source's body was when it last sent one: what a 304 saves. Bounded; the store remembers the rest.
import type { Store } from '../ports/store.ts'

const REMEMBERED = 10_000

export class BodySizes {
  readonly #store: Pick<Store, 'lastBodyBytes'>
  readonly #sizes = new Map<string, number>()

  constructor(store: Pick<Store, 'lastBodyBytes'>) {
    this.#store = store
  }

  async of(sourceId: string): Promise<number> {
    const known = this.#sizes.get(sourceId)
    if (known !== undefined) return known
    const bytes = (await this.#store.lastBodyBytes(sourceId)) ?? 0
    this.remember(sourceId, bytes)
    return bytes
  }

  remember(sourceId: string, bytes: number): void {
    this.#sizes.delete(sourceId)
    this.#sizes.set(sourceId, bytes)
    for (const [oldest] of this.#sizes) {
      if (this.#sizes.size <= REMEMBERED) break
      this.#sizes.delete(oldest)
    }
  }
}
