// The headers of every request. There are no cookies, no Referer and no cache-busting: only what a server needs.
// See docs/decisions/0047-validators-bound-to-their-url.md
import { withoutCredentials } from '../domain/address.ts'
import type { FetchRequest } from '../ports/fetcher.ts'

const ACCEPT: Readonly<Record<FetchRequest['accept'], string>> = {
  feed: 'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.5, */*;q=0.1',
  page: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
  json: 'application/json',
  any: '*/*',
}

/** The public URL lets a site contact the operator. Without one, the User-Agent names no address. */
export function userAgentOf(configured: string | null, version: string, publicUrl: string | null): string {
  const text = configured ?? `Tidings/${version} ${publicUrl ? `(+${publicUrl})` : '(self-hosted source poller)'}`
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/** `withSecrets`: whether the request's secrets may be sent to `url`. */
export function headersFor(
  request: FetchRequest,
  url: URL,
  userAgent: string,
  withSecrets: boolean,
): Readonly<Record<string, string>> {
  const { etag = null, lastModified = null } = isForValidators(request, url) ? (request.validators ?? {}) : {}
  return {
    'user-agent': userAgent,
    accept: ACCEPT[request.accept],
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
    ...(withSecrets && request.basicAuth !== undefined && { authorization: basic(request.basicAuth) }),
    ...(request.post && { 'content-type': request.post.contentType }),
    ...(withSecrets && request.headers),
  }
}

export function isConditional(headers: Readonly<Record<string, string>>): boolean {
  return 'if-none-match' in headers || 'if-modified-since' in headers
}

function isForValidators(request: FetchRequest, url: URL): boolean {
  const from = request.validators?.from
  if (from === undefined) return true
  const sender = URL.parse(from)
  return sender !== null && withoutSecrets(sender) === withoutSecrets(url)
}

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`
}

/** The URL as the fetcher returns it: without credentials, and without the fragment, which is never sent. */
export function withoutSecrets(url: URL): string {
  const clean = withoutCredentials(url)
  clean.hash = ''
  return clean.href
}
