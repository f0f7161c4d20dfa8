// Sources as they are shown, one or in lists.
import type { Source } from '../../domain/source.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import { findPodcast, findSource } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { SourceView } from '../shapes/answers.ts'
import type { List } from '../shapes/paging.ts'
import type { SourceQueryInput } from '../shapes/schemas.ts'
import { sourceView } from '../shapes/views.ts'
import { readSourceQuery } from './source-query.ts'

export interface SourceReading {
  get(id: string): Promise<SourceView>
  list(podcastId?: string | null, query?: SourceQueryInput): Promise<List<SourceView>>
  /** Of all podcasts of a user; null: of everybody. */
  listAll(userId: string | null, query?: SourceQueryInput): Promise<List<SourceView>>
}

type Parts = Pick<CatalogueParts, 'store' | 'types' | 'shapes' | 'config'>

export function sourceReading(parts: Parts): SourceReading {
  const { store } = parts

  async function listWithin(scope: Pick<SourceQuery, 'podcastId' | 'userId'>, query: SourceQueryInput) {
    const page = await store.listSources({ ...readSourceQuery(parts, query), ...scope })
    const counts = await store.countsOf(page.items.map((source) => source.id))
    const items = page.items.map((source) => sourceView(source, counts.get(source.id), parts.config.source))
    return { items, nextCursor: page.nextCursor }
  }

  return {
    get: async (id) => viewOfSource(parts, await findSource(store, id)),
    async list(podcastId = null, query = {}) {
      readSourceQuery(parts, query)
      if (podcastId !== null) await findPodcast(store, podcastId)
      return listWithin({ podcastId }, query)
    },
    listAll: (userId, query = {}) => listWithin({ podcastId: null, userId }, query),
  }
}

export async function viewOfSource({ store, config }: Parts, source: Source): Promise<SourceView> {
  return sourceView(source, (await store.countsOf([source.id])).get(source.id), config.source)
}
