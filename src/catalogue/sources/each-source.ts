// Work on many sources, page by page, with a pause between pages: a long list must not hold up the API.
import { setImmediate } from 'node:timers/promises'
import type { Source } from '../../domain/source.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import type { Store } from '../../ports/store.ts'

const AT_ONCE = 50

export async function eachSource(
  store: Pick<Store, 'listSources'>,
  query: Omit<SourceQuery, 'limit' | 'cursor'>,
  work: (source: Source) => Promise<unknown> | unknown,
): Promise<void> {
  let cursor: string | null = null
  do {
    const page = await store.listSources({ ...query, limit: AT_ONCE, cursor })
    for (const source of page.items) await work(source)
    cursor = page.nextCursor
    await setImmediate()
  } while (cursor !== null)
}
