// The events of this process, as they are committed, also those that no row was written for. For figures that each process
// keeps of its own work. What is not read in time waits in memory, up to a limit; beyond it the oldest are dropped.
import type { NewEvent } from '../domain/event.ts'
import type { StoreListening } from '../ports/store.ts'

const MOST_WAITING = 100_000

export async function* committedEvents(
  store: Pick<StoreListening, 'onEvents'>,
  signal: AbortSignal,
): AsyncGenerator<NewEvent> {
  const waiting: NewEvent[] = []
  let wake = (): void => {}
  const stop = store.onEvents((events) => {
    waiting.push(...events)
    if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING)
    wake()
  })
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      yield* waiting.splice(0)
      if (waiting.length > 0 || signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop()
  }
}
