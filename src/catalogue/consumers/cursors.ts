// Named cursors: a consumer stores how far it has read, and continues from there after a restart.
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { CursorState } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'
import { BY_OPERATOR, type By, mostFor } from '../acting.ts'
import { findPodcast } from '../find.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { cursorInput, cursorName, pageQuery } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'

interface CursorParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'limits'>
}

export interface CursorCatalogue {
  put(podcastId: string, name: string, input: z.input<typeof cursorInput>, by?: By): Promise<CursorState>
  get(podcastId: string, name: string): Promise<CursorState>
  list(podcastId: string, query?: z.input<typeof pageQuery>): Promise<List<CursorState>>
  remove(podcastId: string, name: string): Promise<void>
}

export function createCursors({ store, clock, config }: CursorParts): CursorCatalogue {
  async function limitFor(podcastId: string, by: By): Promise<{ userId: string; most: number } | null> {
    const most = mostFor(by, config.limits.cursors)
    return most === null ? null : { userId: (await findPodcast(store, podcastId)).userId, most }
  }
  const noSuchCursor = () => new Problem('not-found', 'There is no such cursor.')
  return {
    async put(podcastId, given, input, by = BY_OPERATOR) {
      const { name } = readInput(cursorName, { name: given })
      const { position } = readInput(cursorInput, input, ['name', 'behind', 'gap'])
      const put = await store.putCursor(podcastId, { name, position, at: clock.now() }, await limitFor(podcastId, by))
      if (put) return put
      throw positionTooHigh('position')
    },
    async get(podcastId, given) {
      const name = nameOf(given)
      const found = name === null ? null : await store.getCursor(podcastId, name)
      if (!found) throw noSuchCursor()
      return found
    },
    async list(podcastId, query = {}) {
      const { limit, cursor = null } = readInput(pageQuery, query)
      const { id } = await findPodcast(store, podcastId)
      return listOf(await store.listCursors(id, { limit, cursor }), (state) => state)
    },
    async remove(podcastId, given) {
      const name = nameOf(given)
      if (name === null || !(await store.removeCursor(podcastId, name))) throw noSuchCursor()
    },
  }
}

/** A restored dump of PostgreSQL reuses ids: a consumer that continued after the newest one would miss posts. */
export function positionTooHigh(path: 'position' | 'after'): Problem {
  const message = 'expected a position that was given out; this one is beyond the newest post'
  return invalidInput([{ path, message }])
}

/** The name as `put` stores it; null when no cursor can have this name. */
function nameOf(given: string): string | null {
  return cursorName.safeParse({ name: given }).data?.name ?? null
}
