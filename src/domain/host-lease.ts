// Which process may visit a host, where several share one store. A process that visits a host has a lease on it and
// renews the lease while it works; the lease of a process that crashed ends by itself. A process that waits for its
// turn at a host claims the next one, so that polls that are only scheduled let it go first.
// See docs/decisions/0187-claims-stay-beside-the-queue.md
// See docs/decisions/0105-host-row-is-the-lease-of-a-visit.md
import type { HostState } from './host.ts'

/** A lease lasts this long after its last renewal. */
export const LEASE_MS = 30_000
/** Several renewals fit into a lease: one may get lost, and the clocks of two machines differ by some seconds. */
export const RENEW_LEASE_MS = 10_000
/** Other processes leave the next turn to the one that claimed it for this long. */
export const CLAIM_MS = 5_000

type Leased = Pick<HostState, 'leasedBy' | 'leasedUntil'>
type Claimed = Pick<HostState, 'claimedBy' | 'claimedUntil'>

/** When another process's lease on the host ends unless it is renewed; null: no other process has one. */
export function leasedByOther({ leasedBy, leasedUntil }: Leased, processId: string, now: number): number | null {
  if (leasedBy === null || leasedBy === processId || leasedUntil === null) return null
  return isAhead(leasedUntil, now, LEASE_MS) ? leasedUntil : null
}

/** Whether any process has a lease on the host. */
export function isLeased(host: Leased, now: number): boolean {
  return leasedByOther(host, '', now) !== null
}

/** Whether another process has claimed the next turn at the host. */
export function claimedByOther({ claimedBy, claimedUntil }: Claimed, processId: string, now: number): boolean {
  return claimedBy !== null && claimedBy !== processId && claimedUntil !== null && isAhead(claimedUntil, now, CLAIM_MS)
}

/** An end much further ahead than any process writes means that the clock was set back: it does not count. */
function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until <= now + 2 * longestMs
}
