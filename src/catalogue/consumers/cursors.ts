// Named cursors: a consumer says up to where it is done, and goes on from there after a restart.
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CursorState } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'
import { cursorInput, cursorName } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'

export interface CursorCatalogue {
  put(podcastId: string, name: string, input: z.input<typeof cursorInput>): Promise<CursorState>
  get(podcastId: string, name: string): Promise<CursorState>
  remove(podcastId: string, name: string): Promise<void>
}

export function createCursors({ store, clock }: { readonly store: Store; readonly clock: Clock }): CursorCatalogue {
  const none = () => new Problem('not-found', 'There is no such cursor.')
  return {
    async put(podcastId, given, input) {
      const { name } = readInput(cursorName, { name: given })
      const { position } = readInput(cursorInput, input, ['name', 'behind', 'gap'])
      const put = await store.putCursor(podcastId, { name, position, at: clock.now() })
      if (put) return put
      throw neverGivenOut('position')
    },
    async get(podcastId, given) {
      const name = nameOf(given)
      const found = name === null ? null : await store.getCursor(podcastId, name)
      if (!found) throw none()
      return found
    },
    async remove(podcastId, given) {
      const name = nameOf(given)
      if (name === null || !(await store.removeCursor(podcastId, name))) throw none()
    },
  }
}

/** After a restored backup ids are given out again: who went on from beyond them would pass new posts over. */
export function neverGivenOut(path: 'position' | 'after'): Problem {
  const message = 'expected a position that was given out; this one is beyond the newest post'
  return invalidInput([{ path, message }])
}

/** As `put` keeps it; null: no cursor can have this name. */
function nameOf(given: string): string | null {
  return cursorName.safeParse({ name: given }).data?.name ?? null
}
