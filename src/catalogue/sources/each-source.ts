// Works through many sources, page by page, with a pause after each page so that the API can answer in between.
import { setImmediate } from 'node:timers/promises'
import type { Source } from '../../domain/source.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import type { Store } from '../../ports/store.ts'

const SOURCES_PER_PAGE = 50

export async function eachSource(
  store: Pick<Store, 'listSources'>,
  query: Omit<SourceQuery, 'limit' | 'cursor'>,
  work: (source: Source) => Promise<unknown> | unknown,
): Promise<void> {
  let cursor: string | null = null
  do {
    const page = await store.listSources({ ...query, limit: SOURCES_PER_PAGE, cursor })
    for (const source of page.items) await work(source)
    cursor = page.nextCursor
    await setImmediate()
  } while (cursor !== null)
}
