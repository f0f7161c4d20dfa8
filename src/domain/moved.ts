// When a permanent redirect becomes the source's URL. Stored at once it would make a maintenance page
// permanent, so it must be seen on three good polls in a row.
import type { PermanentRedirect } from './source.ts'

const SEEN_ENOUGH = 3

export interface RedirectHop {
  readonly from: string
  readonly to: string
  readonly status: number
}

/** Where a trail leads when every hop of it is permanent; null otherwise. */
export function permanentTarget(trail: readonly RedirectHop[]): string | null {
  const last = trail.at(-1)
  return last && trail.every((hop) => hop.status === 301 || hop.status === 308) ? last.to : null
}

/** Counts this good poll in. A different target, or none, starts again. */
export function afterGoodPoll(before: PermanentRedirect | null, target: string | null): PermanentRedirect | null {
  if (target === null) return null
  return { url: target, seen: before?.url === target ? before.seen + 1 : 1 }
}

/** Whether it may be stored now: never from http to http on somebody else's domain. */
export function mayMove(
  from: string,
  redirect: PermanentRedirect | null,
  sameDomain: (a: string, b: string) => boolean,
): redirect is PermanentRedirect {
  if (redirect === null || redirect.seen < SEEN_ENOUGH) return false
  // The source's URL is as a person typed it, so its scheme may be in capitals.
  const secure = [from, redirect.url].some((url) => /^https:/i.test(url))
  return secure || sameDomain(from, redirect.url)
}
