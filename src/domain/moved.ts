// When a permanent redirect becomes the source's URL. Stored at once it would make a maintenance page
// permanent, so it must be seen on three good polls in a row.
import { hostOf } from './address.ts'
import { type PermanentRedirect, type Source, URL_CHARACTERS } from './source.ts'

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

/**
 * Whether it may be stored now: never from http to http on somebody else's domain, and never where credentials of the
 * source may not go, which is another host, or the same one without encryption.
 */
export function mayMove(
  { url, host, hasCredentials }: Pick<Source, 'url' | 'host' | 'hasCredentials'>,
  redirect: PermanentRedirect | null,
  sameDomain: (a: string, b: string) => boolean,
): redirect is PermanentRedirect {
  if (redirect === null || redirect.seen < SEEN_ENOUGH || redirect.url.length > URL_CHARACTERS) return false
  const [wasSecure, isSecure] = [isHttps(url), isHttps(redirect.url)]
  if (hasCredentials && ((wasSecure && !isSecure) || hostOf(redirect.url) !== host)) return false
  return wasSecure || isSecure || sameDomain(url, redirect.url)
}

/** The source's URL is as a person typed it, so its scheme may be in capitals. */
function isHttps(url: string): boolean {
  return /^https:/i.test(url)
}
