// What can be taken back, because it is not sent before the time to undo it is over. A page that is left meanwhile sends it
// at once.
import { tell } from '../frame/notices.tsx'
import { tellProblem } from './action.tsx'

export const UNDO_SECONDS = 7

interface Work {
  /** What the message says while it can be taken back. */
  readonly told: string
  readonly undone: string
  send(keepalive: boolean): Promise<void>
  /** It was taken back, or could not be sent. */
  onKept?(): void
}

const unsent = new Set<(keepalive: boolean) => Promise<void>>()

addEventListener('pagehide', () => {
  for (const send of [...unsent]) void send(true)
})

export function doUnlessUndone({ told, undone, send, onKept }: Work): void {
  let isOver = false
  const sendOnce = async (keepalive: boolean) => {
    if (isOver) return
    isOver = true
    unsent.delete(sendOnce)
    try {
      await send(keepalive)
    } catch (error) {
      onKept?.()
      tellProblem(error)
    }
  }
  unsent.add(sendOnce)
  const undo = () => {
    isOver = true
    unsent.delete(sendOnce)
    onKept?.()
    close()
    tell('good', undone)
  }
  const close = tell('good', told, {
    forMs: UNDO_SECONDS * 1000,
    action: { name: 'Undo', run: undo },
    onClose: () => void sendOnce(false),
  })
}
