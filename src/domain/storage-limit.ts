// The limit on what the posts and articles of a user without admin rights take in the store
// (`app.limits.stored-megabytes`). Beyond it the user's sources wait. A poll that has begun is not cut short: it would lose
// posts.
// See docs/decisions/0171-polls-wait-while-their-owner-stores-too-much.md
import { HOUR_MS } from './schedule.ts'
import type { Source } from './source.ts'
import type { Waiting } from './x-posts-limit.ts'

const MEGABYTE = 2 ** 20

/** How long after a poll that was put off there is another look. Clean-up or the owner may have made room by then. */
const LOOK_AGAIN_MS = HOUR_MS

export function megabytesOf(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE)
}

/** null: there is room. `mostMegabytes`: 0 is no limit. */
export function waitForRoom(
  bytes: number,
  mostMegabytes: number,
  { nextPollAt }: Pick<Source, 'nextPollAt'>,
  now: number,
): Waiting | null {
  if (mostMegabytes === 0 || bytes < mostMegabytes * MEGABYTE) return null
  const until = nextPollAt !== null && nextPollAt > now ? nextPollAt : now + LOOK_AGAIN_MS
  const taken = `the posts and articles of its owner take ${megabytesOf(bytes)} MB`
  const remedy = 'remove sources or podcasts, or ask an admin to raise it'
  return { until, reason: `${taken}, and app.limits.stored-megabytes is ${mostMegabytes}: ${remedy}` }
}
