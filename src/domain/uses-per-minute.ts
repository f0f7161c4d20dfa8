// Something that a user may do so many times a minute. Instants of uses, the oldest first.
import { MINUTE_MS } from './schedule.ts'
import { AT_ONCE_MS } from './spacing.ts'

/** Those of the last minute. Uses from before the clock was set back do not count. */
export function recentUses(uses: readonly number[], now: number): readonly number[] {
  return uses.filter((at) => at > now - MINUTE_MS && at <= now + AT_ONCE_MS)
}

/** When one more is allowed; null: now. */
export function nextUseAt(uses: readonly number[], perMinute: number, now: number): number | null {
  const oldestThatCounts = recentUses(uses, now).at(-perMinute)
  return oldestThatCounts === undefined ? null : oldestThatCounts + MINUTE_MS
}
