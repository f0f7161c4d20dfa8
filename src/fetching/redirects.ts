// Decides where a redirect leads and whether to follow it. Pure functions.
// The trail contains every redirect since the source's own address, also those on other hosts.
import { hostOf } from '../domain/address.ts'
import type { Failure } from '../domain/outcome.ts'
import type { Hop } from '../ports/fetcher.ts'
import { failureOf } from './failure.ts'
import { withoutSecrets } from './request-headers.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type NextHop =
  | { readonly kind: 'hop'; readonly hop: Hop; readonly sameHost: boolean }
  | { readonly kind: 'refused'; readonly failure: Failure }

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

export function nextHop(
  from: string,
  status: number,
  location: string | undefined,
  trail: readonly Hop[],
  maxRedirects: number,
): NextHop {
  if (!location?.trim())
    return refused('bad-redirect', status, `The server sent a redirect (${status}) without a Location header`)
  const target = URL.parse(bytesAsText(location.trim()), from)
  if (!target)
    return refused('bad-redirect', status, `The server sent a redirect (${status}) to something that is not a URL`)
  const host = hostOf(target.href)
  if (host === null)
    return refused(
      'bad-redirect',
      status,
      `The server sent a redirect (${status}) to a ${target.protocol} address; only http and https are followed`,
    )
  if (trail.length >= maxRedirects)
    return refused('too-many-redirects', status, `More than ${maxRedirects} redirects in a row`)
  const to = withoutSecrets(target)
  if (to === from || trail.some((hop) => hop.from === to || hop.to === to))
    return refused('redirect-loop', status, `Redirects lead in a circle, back to ${to}`)
  return { kind: 'hop', hop: { from, to, status }, sameHost: host === hostOf(from) }
}

/** Secrets are sent only to the first host, and not after a redirect to another host or from https to http. */
export function mayCarrySecrets(url: string, trail: readonly Hop[]): boolean {
  const home = hostOf(trail[0]?.from ?? url)
  return trail.every(({ from, to }) => hostOf(to) === home && !(from.startsWith('https:') && !to.startsWith('https:')))
}

/** Header values arrive as bytes, one per character. Some servers write UTF-8 into Location. */
function bytesAsText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? value : text
}

function refused(code: Failure['code'], status: number, reason: string): NextHop {
  return { kind: 'refused', failure: failureOf(code, reason, status) }
}
