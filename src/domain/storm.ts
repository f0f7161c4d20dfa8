// A storm: so many sources of a host fail for good together that it is the host that speaks, not their addresses. For days
// every feed of a large platform answered 404; none of them was gone.
//
//   the run      since the host's last success
//   who counts   sources that were enabled when the run began, and had succeeded within the 7 days before it
//   a storm      at least 3 of them, and at least half, have failed permanently within the run
import { DAY_MS } from './schedule.ts'
import type { Source } from './source.ts'

/** Of the sources that count. */
export interface Storm {
  readonly worked: number
  readonly failed: number
}

export const STORM_SOURCES = 3
const WORKED_WITHIN_MS = 7 * DAY_MS

/** Who succeeded since then, counts. */
export function workedSince(runBeganAt: number): number {
  return runBeganAt - WORKED_WITHIN_MS
}

export function isStorm({ worked, failed }: Storm): boolean {
  return failed >= STORM_SOURCES && failed * 2 >= worked
}

/** `others`: without this source, whose permanent failure is not written yet. */
export function withFailureOf(
  { enabled, lastSucceededAt }: Pick<Source, 'enabled' | 'lastSucceededAt'>,
  others: Storm,
  runBeganAt: number,
): Storm {
  const counts = enabled && lastSucceededAt !== null && lastSucceededAt >= workedSince(runBeganAt)
  return counts ? { worked: others.worked + 1, failed: others.failed + 1 } : others
}
