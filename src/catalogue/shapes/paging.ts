// All lists are paged in the same way.
import type { Page } from '../../ports/page.ts'

export interface List<T> {
  readonly items: T[]
  readonly nextCursor: string | null
}

export function listOf<T, V>(page: Page<T>, view: (item: T) => V): List<V> {
  return { items: page.items.map(view), nextCursor: page.nextCursor }
}
