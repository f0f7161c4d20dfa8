// Remembers the size of each source's last body: that is what a 304 saves. The oldest are forgotten, and read from the
// store when they are needed again.
import type { Store } from '../ports/store.ts'

const MOST_REMEMBERED = 10_000

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
      if (this.#sizes.size <= MOST_REMEMBERED) break
      this.#sizes.delete(oldest)
    }
  }
}
