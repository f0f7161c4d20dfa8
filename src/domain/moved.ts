// Decides when a permanent redirect becomes the source's URL: after three successful polls in a row. Earlier, a redirect to
// a maintenance page could become permanent.
import { hostOf } from './address.ts'
import { type PermanentRedirect, type Source, URL_CHARACTERS } from './source.ts'

const SEEN_ENOUGH = 3

export interface RedirectHop {
  readonly from: string
  readonly to: string
  readonly status: number
}

/** The end of the trail if all its redirects are permanent, else null. */
export function permanentTarget(trail: readonly RedirectHop[]): string | null {
  const last = trail.at(-1)
  return last && trail.every((hop) => hop.status === 301 || hop.status === 308) ? last.to : null
}

/** Counts this successful poll. Another target, or none, starts again. */
export function afterGoodPoll(before: PermanentRedirect | null, target: string | null): PermanentRedirect | null {
  if (target === null) return null
  return { url: target, seen: before?.url === target ? before.seen + 1 : 1 }
}

/**
 * Whether the target may be stored now. Never from http to http on another domain. If the source has credentials, never
 * to another host and never from https to http, because the credentials must not go there.
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

/** The source's URL is as a person typed it, so its scheme may have capital letters. */
function isHttps(url: string): boolean {
  return /^https:/i.test(url)
}
