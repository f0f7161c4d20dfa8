// Removing sources, with time to undo it. Until that time is over nothing is sent, so an undone removal loses nothing.
// A page that is closed meanwhile sends it at once.
import { call } from '../../api/call.ts'
import type { BulkAnswer } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import { tellProblem } from '../../parts/action.tsx'
import { createState } from '../../parts/state.ts'
import { count } from '../../parts/time.tsx'

const UNDO_MS = 7000

/** Ids of sources that are shown no more, though the server still has them. */
export const removing = createState<ReadonlySet<string>>(new Set())
const unsent = new Set<(keepalive: boolean) => Promise<void>>()

addEventListener('pagehide', () => {
  for (const send of [...unsent]) void send(true)
})

export function removeSources(podcastPath: string, ids: readonly string[], name: string, onDone?: () => void): void {
  removing.update((all) => new Set([...all, ...ids]))
  const show = () => removing.update((all) => new Set([...all].filter((id) => !ids.includes(id))))
  let isOver = false
  const send = async (keepalive: boolean) => {
    if (isOver) return
    isOver = true
    unsent.delete(send)
    try {
      await sendRemoval(podcastPath, ids, keepalive)
      onDone?.()
    } catch (error) {
      show()
      tellProblem(error)
    }
  }
  unsent.add(send)
  const undo = () => {
    isOver = true
    unsent.delete(send)
    show()
    close()
    tell('good', `${count(ids.length, 'source')} kept, with all posts.`)
  }
  const close = tell('good', ids.length === 1 ? `Removed ${name}.` : `Removed ${count(ids.length, 'source')}.`, {
    forMs: UNDO_MS,
    action: { name: 'Undo', run: undo },
    onClose: () => void send(false),
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
