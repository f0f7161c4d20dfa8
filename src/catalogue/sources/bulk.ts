// One action on many sources of a podcast: those with the given ids, or all that match a filter. Each source is changed
// on its own, so one that cannot be changed does not stop the others.
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { BulkView } from '../shapes/answers.ts'
import type { bulkInput, SourcePatchInput } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'
import { eachSource } from './each-source.ts'
import { readSourceFilter } from './source-query.ts'

export type BulkInput = z.input<typeof bulkInput>

export interface BulkOptions extends ActingOptions {
  /** Queues a poll of the source; by default without limits. */
  readonly poll?: (sourceId: string) => Promise<unknown>
}

type Act = (sourceId: string) => Promise<unknown>

/** What is done to each of them. */
export interface SingleActions {
  update(id: string, patch: SourcePatchInput, options?: ActingOptions): Promise<unknown>
  remove(id: string): Promise<void>
}

const SOURCES_BETWEEN_PAUSES = 10

export async function bulkAction(
  parts: CatalogueParts,
  single: SingleActions,
  podcastId: string,
  input: BulkInput,
  options: BulkOptions,
): Promise<BulkView> {
  const wanted = readInput(parts.shapes.bulkInput, input)
  refuseContradictions(wanted)
  const podcast = await findPodcast(parts.store, podcastId)
  if (wanted.podcastId) {
    const target = await findPodcast(parts.store, wanted.podcastId)
    if (options.admin === false && target.userId !== podcast.userId) throw noSuch('podcast')
  }
  const act = actOf(parts, single, wanted, options)
  const ids = wanted.ids ? [...new Set(wanted.ids)] : await idsMatching(parts, podcastId, wanted.filter)
  const result: BulkView = { done: 0, failed: [] }
  for (const [index, id] of ids.entries()) {
    if (options.signal?.aborted) break
    try {
      const source = await parts.store.getSource(id)
      if (source?.podcastId !== podcastId) throw noSuch('source')
      await act(id)
      result.done += 1
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 500) throw error
      result.failed.push({ id, reason: error.message })
    }
    if (index % SOURCES_BETWEEN_PAUSES === SOURCES_BETWEEN_PAUSES - 1) await setImmediate()
  }
  return result
}

type Wanted = z.output<typeof bulkInput>

function refuseContradictions({ ids, filter, action, podcastId, set }: Wanted): void {
  const errors = [
    ...(!ids === !filter ? [{ path: 'ids', message: 'expected either ids or filter' }] : []),
    ...(action === 'move' && !podcastId
      ? [{ path: 'podcastId', message: 'expected the podcast that the sources move to' }]
      : []),
    ...(action === 'update' && !set ? [{ path: 'set', message: 'expected the settings to change' }] : []),
  ]
  if (errors.length > 0) throw invalidInput(errors)
}

function actOf(parts: CatalogueParts, single: SingleActions, wanted: Wanted, options: BulkOptions): Act {
  const update = (patch: SourcePatchInput) => (id: string) => single.update(id, patch, options)
  switch (wanted.action) {
    case 'enable':
      return update({ enabled: true })
    case 'disable':
      return update({ enabled: false })
    case 'update':
      return update(wanted.set ?? {})
    case 'move':
      return update(wanted.podcastId ? { podcastId: wanted.podcastId } : {})
    case 'remove':
      return (id) => single.remove(id)
    case 'poll':
      return options.poll ?? ((id) => queuePoll(parts, id))
  }
}

async function queuePoll({ engine }: CatalogueParts, id: string): Promise<void> {
  const queued = await engine().queuePoll?.(id)
  // Nobody waits for it here.
  queued?.finished.catch(() => {})
}

/** Before anything is changed: an action may change what the filter matches. */
async function idsMatching(parts: CatalogueParts, podcastId: string, filter: Wanted['filter']): Promise<string[]> {
  const ids: string[] = []
  const query = { ...readSourceFilter(parts, filter ?? {}), podcastId }
  await eachSource(parts.store, query, ({ id }: Source) => ids.push(id))
  return ids
}
