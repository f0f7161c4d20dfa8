// How often a source is asked now, and why not just as often as it was set.
import type { SourceView } from '../../api/types.ts'
import { durationWords } from '../../parts/time.tsx'

const MINUTE = 60_000

export function intervalWords(source: SourceView): string {
  const { pollIntervalMinutes, effectivePollIntervalMinutes, adaptive, learnedIntervalMinutes } = source
  const inForce = durationWords(effectivePollIntervalMinutes * MINUTE)
  const reason = reasonOf(source)
  if (effectivePollIntervalMinutes !== pollIntervalMinutes)
    return `${inForce}${reason ? `, ${reason}` : ''} (set: ${durationWords(pollIntervalMinutes * MINUTE)})`
  return adaptive && !learnedIntervalMinutes ? `${inForce}, nothing learned yet` : inForce
}

/** null: it is the interval that was set. */
export function reasonOf({ consecutiveFailures, adaptive, learnedIntervalMinutes }: SourceView): string | null {
  if (consecutiveFailures > 0) return 'longer after failures'
  return adaptive && learnedIntervalMinutes ? 'learned from how it publishes' : null
}
