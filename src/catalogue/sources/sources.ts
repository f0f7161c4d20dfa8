// What people do to sources. People change settings, polls change state; source-change.ts says how the one affects the
// other.
import type { Source } from '../../domain/source.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast, findSource, isId, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { BulkView, NewSourceView, SourceView } from '../shapes/answers.ts'
import type { List } from '../shapes/paging.ts'
import {
  type NewSourceInput,
  SOURCE_READ_ONLY,
  type SourcePatchInput,
  type SourcePutInput,
  type SourceQueryInput,
} from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { discoveryView, sourceView } from '../shapes/views.ts'
import { type BulkInput, type BulkOptions, bulkAction } from './bulk.ts'
import { createSource } from './create-source.ts'
import { editSource } from './edit-source.ts'
import { defaultOverrides, withOverrides } from './settings.ts'
import { readSourceQuery } from './source-query.ts'
import { urlErrors } from './source-url.ts'

export interface SourceCatalogue {
  create(podcastId: string, input: NewSourceInput, options?: ActingOptions): Promise<NewSourceView>
  get(id: string): Promise<SourceView>
  list(podcastId?: string | null, query?: SourceQueryInput): Promise<List<SourceView>>
  /** Of all podcasts of a user; null: of everybody. */
  listAll(userId: string | null, query?: SourceQueryInput): Promise<List<SourceView>>
  update(id: string, patch: SourcePatchInput, options?: ActingOptions): Promise<SourceView>
  replace(id: string, put: SourcePutInput, options?: ActingOptions): Promise<SourceView>
  remove(id: string): Promise<void>
  /** One action on many sources. */
  bulk(podcastId: string, input: BulkInput, options?: BulkOptions): Promise<BulkView>
}

export function createSources(parts: CatalogueParts): SourceCatalogue {
  const { store, types, shapes } = parts
  const limits = parts.config.source

  async function viewOf(source: Source): Promise<SourceView> {
    return sourceView(source, (await store.countsOf([source.id])).get(source.id), limits)
  }

  async function listWithin(scope: Pick<SourceQuery, 'podcastId' | 'userId'>, query: SourceQueryInput) {
    const page = await store.listSources({ ...readSourceQuery(parts, query), ...scope })
    const counts = await store.countsOf(page.items.map((source) => source.id))
    const items = page.items.map((source) => sourceView(source, counts.get(source.id), limits))
    return { items, nextCursor: page.nextCursor }
  }

  const sources: SourceCatalogue = {
    async create(podcastId, input, options = {}) {
      const { source, discovery } = await createSource(parts, podcastId, input, options)
      return { ...(await viewOf(source)), ...(discovery ? { discovery: discoveryView(discovery) } : {}) }
    },
    get: async (id) => viewOf(await findSource(store, id)),
    async list(podcastId = null, query = {}) {
      readSourceQuery(parts, query)
      if (podcastId !== null) await findPodcast(store, podcastId)
      return listWithin({ podcastId }, query)
    },
    listAll: (userId, query = {}) => listWithin({ podcastId: null, userId }, query),
    async update(id, input, options = {}) {
      const { type: knownType } = await findSource(store, id)
      const patch = readInput(shapes.sourcePatch, input, SOURCE_READ_ONLY, urlErrors(types, knownType))
      const { type, url, podcastId, enabled } = patch
      const wantedOf = (current: Source) => ({
        ...withOverrides(current, patch, limits),
        podcastId: podcastId ?? current.podcastId,
        type: type ?? current.type,
        url: url ?? current.url,
        enabled: enabled ?? current.enabled,
      })
      return viewOf(await editSource(parts, id, { wantedOf, test: patch.validate ?? false }, options))
    },
    async replace(id, input, options = {}) {
      const put = readInput(shapes.sourcePut, input, SOURCE_READ_ONLY, urlErrors(types, null))
      const { type, url, podcastId, enabled } = put
      const overrides = withOverrides(defaultOverrides(limits), put, limits)
      const wantedOf = (current: Source) => ({
        ...{ ...overrides, type, url },
        podcastId: podcastId ?? current.podcastId,
        enabled: enabled ?? current.enabled,
      })
      return viewOf(await editSource(parts, id, { wantedOf, test: put.validate ?? false }, options))
    },
    async remove(id) {
      if (!isId(id) || !(await store.removeSource(id))) throw noSuch('source')
    },
    bulk: (podcastId, input, options = {}) => bulkAction(parts, sources, podcastId, input, options),
  }
  return sources
}
