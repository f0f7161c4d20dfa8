// What every request says about itself. No cookie, no Referer, nothing against caches: only what a server needs.
import type { FetchRequest } from '../ports/fetcher.ts'

const ACCEPT: Readonly<Record<FetchRequest['accept'], string>> = {
  feed: 'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.5, */*;q=0.1',
  page: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
  json: 'application/json',
  any: '*/*',
}

/** With a public URL the operator can be reached; without one there is no address to give that would be true. */
export function userAgentOf(configured: string | null, version: string, publicUrl: string | null): string {
  const text = configured ?? `Tidings/${version} ${publicUrl ? `(+${publicUrl})` : '(self-hosted source poller)'}`
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/** `own`: whether the request's secrets may go to `url`. */
export function headersFor(
  request: FetchRequest,
  url: URL,
  userAgent: string,
  own: boolean,
): Readonly<Record<string, string>> {
  const { etag = null, lastModified = null } = isForValidators(request, url) ? (request.validators ?? {}) : {}
  return {
    'user-agent': userAgent,
    accept: ACCEPT[request.accept],
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
    ...(own && request.basicAuth !== undefined && { authorization: basic(request.basicAuth) }),
    ...(request.post && { 'content-type': request.post.contentType }),
    ...(own && request.headers),
  }
}

export function isConditional(headers: Readonly<Record<string, string>>): boolean {
  return 'if-none-match' in headers || 'if-modified-since' in headers
}

function isForValidators(request: FetchRequest, url: URL): boolean {
  const from = request.validators?.from
  if (from === undefined) return true
  const giver = URL.parse(from)
  return giver !== null && withoutSecrets(giver) === withoutSecrets(url)
}

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`
}

/** How a URL leaves this room: without credentials, and without the fragment that no server sees. */
export function withoutSecrets(url: URL): string {
  const clean = new URL(url)
  clean.username = ''
  clean.password = ''
  clean.hash = ''
  return clean.href
}
