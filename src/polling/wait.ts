// Waiting on the injected clock, for as long as nobody interrupts. A wait of 0 does not sleep.
import type { Clock } from '../ports/clock.ts'

/** Resolves when the time has passed or the signal is aborted, whatever a clock makes of signals itself. */
export async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  const { promise: interrupted, resolve } = Promise.withResolvers<void>()
  const interrupt = (): void => resolve()
  signal.addEventListener('abort', interrupt, { once: true })
  const slept = clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  await Promise.race([slept, interrupted]).finally(() => signal.removeEventListener('abort', interrupt))
}
