// Waits that a signal can end early: for a time on the injected clock, or for a promise. A wait of 0 does not sleep.
import type { Clock } from '../../ports/clock.ts'

/** Resolves when the time has passed or the signal is aborted, even if the clock ignores signals. */
export async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  const slept = clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  await unlessAborted(slept, signal)
}

/** The result of the work, or 'aborted' as soon as the signal is; the result is ignored then. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>()
  const interrupt = (): void => resolve('aborted')
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) interrupt()
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', interrupt))
}
