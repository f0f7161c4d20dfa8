// Which process may visit a lane, where several work on one store. Who visits a host holds it, and says again and again
// that it is there: a process that is gone says nothing any more, and its holds end by themselves.
import type { HostState } from './host.ts'

/** So long a hold lasts after the last word of its process. */
export const HOLD_MS = 30_000
/** Several times within that: one word may be lost, and the clocks of two machines differ by some seconds. */
export const RENEW_MS = 10_000
/** So long others leave a lane to whoever waits at its head. */
export const WANT_MS = 5_000

type Held = Pick<HostState, 'heldBy' | 'heldUntil'>
type Wanted = Pick<HostState, 'wantedBy' | 'wantedUntil'>

/** Until when another process holds the lane, if nothing is heard of it; null: none does. */
export function heldByOther({ heldBy, heldUntil }: Held, process: string, now: number): number | null {
  if (heldBy === null || heldBy === process || heldUntil === null) return null
  return isAhead(heldUntil, now, HOLD_MS) ? heldUntil : null
}

/** Whether any process is at the host. */
export function isHeld(host: Held, now: number): boolean {
  return heldByOther(host, '', now) !== null
}

/** Whether another process has a poll at the head of this lane: what is only scheduled lets it go first. */
export function wantedByOther({ wantedBy, wantedUntil }: Wanted, process: string, now: number): boolean {
  return wantedBy !== null && wantedBy !== process && wantedUntil !== null && isAhead(wantedUntil, now, WANT_MS)
}

/** What is much further ahead than it can have been written, only a clock that was set back explains. */
function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until <= now + 2 * longestMs
}
