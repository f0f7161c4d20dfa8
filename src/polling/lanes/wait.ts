// Waiting, on the injected clock or for somebody's work, for as long as nobody interrupts. A wait of 0 does not sleep.
import type { Clock } from '../../ports/clock.ts'

/** Resolves when the time has passed or the signal is aborted, whatever a clock makes of signals itself. */
export async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  const slept = clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  await unlessAborted(slept, signal)
}

/** What the work brings, or 'aborted' as soon as it is not wanted any more; what becomes of it then is nobody's matter. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>()
  const interrupt = (): void => resolve('aborted')
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) interrupt()
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', interrupt))
}
