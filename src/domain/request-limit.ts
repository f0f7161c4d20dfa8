// How many requests a minute the sources of users without admin rights together make to one host. Requests are counted in
// groups of a few seconds, each of which is forgotten a minute after its last request: in no minute there are more.
// See docs/decisions/0136-requests-to-a-host-are-limited-by-the-minute.md
import type { RequestGroup } from './host.ts'
import { MINUTE_MS } from './schedule.ts'
import type { Source } from './source.ts'
import { AT_ONCE_MS } from './spacing.ts'

const GROUP_MS = 5000

/** Sources that were made with admin rights, or with authentication off, are not limited. */
export function isLimited({ trusted }: Pick<Source, 'trusted'>): boolean {
  return !trusted
}

/** null: none within the last minute. */
export function withRequests(
  groups: readonly RequestGroup[] | null,
  requests: number,
  at: number,
): readonly RequestGroup[] | null {
  const recent = recentOf(groups, at)
  if (requests === 0) return recent.length > 0 ? recent : null
  const newest = recent.at(-1)
  if (!newest || at - newest.firstAt >= GROUP_MS) return [...recent, { firstAt: at, lastAt: at, requests }]
  const lastAt = Math.max(newest.lastAt, at)
  return [...recent.slice(0, -1), { ...newest, lastAt, requests: newest.requests + requests }]
}

/** How many more requests may go out now. */
export function requestsLeft(groups: readonly RequestGroup[] | null, perMinute: number, now: number): number {
  return Math.max(perMinute - sumOf(recentOf(groups, now)), 0)
}

/** When one more request may go out, after `ahead` others; `now` if it may at once. */
export function limitEndsAt(groups: readonly RequestGroup[] | null, perMinute: number, now: number, ahead = 0): number {
  const recent = recentOf(groups, now)
  let tooMany = sumOf(recent) + 1 - perMinute + (ahead % perMinute)
  const minutesMs = Math.floor(ahead / perMinute) * MINUTE_MS
  let until = now
  for (const { lastAt, requests } of recent) {
    if (tooMany <= 0) break
    tooMany -= requests
    until = lastAt + MINUTE_MS
  }
  return until + minutesMs
}

function sumOf(groups: readonly RequestGroup[]): number {
  return groups.reduce((sum, { requests }) => sum + requests, 0)
}

/** Groups from before the clock was set back do not count. */
function recentOf(groups: readonly RequestGroup[] | null, now: number): readonly RequestGroup[] {
  return (groups ?? []).filter(({ lastAt }) => lastAt > now - MINUTE_MS && lastAt <= now + AT_ONCE_MS)
}
