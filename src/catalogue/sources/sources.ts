// What people do to sources. People change settings, polls change state; source-change.ts says how the one affects the
// other.
import type { Source } from '../../domain/source.ts'
import type { ActingOptions } from '../acting.ts'
import { findSource, isId, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { BulkView, NewSourceView, SourceView } from '../shapes/answers.ts'
import { type NewSourceInput, SOURCE_READ_ONLY, type SourcePatchInput, type SourcePutInput } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { discoveryView } from '../shapes/views.ts'
import { type BulkInput, type BulkOptions, bulkAction } from './bulk.ts'
import { createSource } from './create-source.ts'
import { editSource } from './edit-source.ts'
import { type SourceReading, sourceReading, viewOfSource } from './read-sources.ts'
import { defaultOverrides, withOverrides } from './settings.ts'
import { urlErrors } from './source-url.ts'

export interface SourceCatalogue extends SourceReading {
  create(podcastId: string, input: NewSourceInput, options?: ActingOptions): Promise<NewSourceView>
  update(id: string, patch: SourcePatchInput, options?: ActingOptions): Promise<SourceView>
  replace(id: string, put: SourcePutInput, options?: ActingOptions): Promise<SourceView>
  remove(id: string): Promise<void>
  /** One action on many sources. */
  bulk(podcastId: string, input: BulkInput, options?: BulkOptions): Promise<BulkView>
}

export function createSources(parts: CatalogueParts): SourceCatalogue {
  const { store, types, shapes } = parts
  const limits = parts.config.source

  const viewOf = (source: Source) => viewOfSource(parts, source)
  const sources: SourceCatalogue = {
    ...sourceReading(parts),
    async create(podcastId, input, options = {}) {
      const { source, discovery } = await createSource(parts, podcastId, input, options)
      return { ...(await viewOf(source)), ...(discovery ? { discovery: discoveryView(discovery) } : {}) }
    },
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
