// What a list of sources is asked for: filters and order.
import type { z } from 'zod'
import { laneNamed } from '../../domain/lane.ts'
import type { SourceQuery, SourceSort } from '../../ports/source-store.ts'
import type { CatalogueParts } from '../parts.ts'
import type { SourceQueryInput, sourceFilter } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { readSourceUrl } from './source-url.ts'

type Filter = Pick<SourceQuery, 'type' | 'host' | 'health' | 'q' | 'url'>

export function readSourceQuery(
  parts: Pick<CatalogueParts, 'types' | 'shapes'>,
  query: SourceQueryInput,
): Omit<SourceQuery, 'podcastId'> {
  const { limit, cursor = null, sort, ...filter } = readInput(parts.shapes.sourceQuery, query)
  return { limit, cursor, sort: sort ? sortOf(sort) : null, ...readSourceFilter(parts, filter) }
}

export function readSourceFilter(
  { types }: Pick<CatalogueParts, 'types'>,
  filter: z.output<typeof sourceFilter>,
): Filter {
  const { type = null, health = null, q = null, host, url } = filter
  const urlKey = url ? readSourceUrl(types, null, url).urlKey : null
  return { type, health, q, host: host ? laneNamed(host, types.services) : null, url: urlKey }
}

function sortOf(given: string): SourceSort {
  const isDescending = given.startsWith('-')
  // The schema knows the names.
  return { by: (isDescending ? given.slice(1) : given) as SourceSort['by'], isDescending }
}
