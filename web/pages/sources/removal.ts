// Removing sources, with time to undo it.
import { call } from '../../api/call.ts'
import type { BulkAnswer } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import { createState } from '../../parts/state.ts'
import { count } from '../../parts/time.tsx'
import { doUnlessUndone } from '../../parts/undoable.ts'

/** Ids of sources that are shown no more, though the server still has them. */
export const removing = createState<ReadonlySet<string>>(new Set())

export function hideSources(ids: readonly string[]): void {
  removing.update((all) => new Set([...all, ...ids]))
}

export function showSources(ids: readonly string[]): void {
  const shown = new Set(ids)
  removing.update((all) => new Set([...all].filter((id) => !shown.has(id))))
}

export function removeSources(podcastPath: string, ids: readonly string[], name: string, onDone?: () => void): void {
  hideSources(ids)
  doUnlessUndone({
    told: ids.length === 1 ? `Removed ${name}.` : `Removed ${count(ids.length, 'source')}.`,
    undone: `${count(ids.length, 'source')} kept, with all posts.`,
    onKept: () => showSources(ids),
    async send(keepalive) {
      await sendRemoval(podcastPath, ids, keepalive)
      onDone?.()
    },
  })
}

async function sendRemoval(podcastPath: string, ids: readonly string[], keepalive: boolean): Promise<void> {
  const [only] = ids
  if (ids.length === 1 && only) {
    await call('DELETE', `${podcastPath}/sources/${encodeURIComponent(only)}`, undefined, { keepalive })
    return
  }
  const body = { ids, action: 'remove' }
  const { failed } = await call<BulkAnswer>('POST', `${podcastPath}/sources/bulk`, body, { keepalive })
  if (failed.length > 0) tell('error', `${count(failed.length, 'source')} could not be removed: ${failed[0]?.reason}`)
}
