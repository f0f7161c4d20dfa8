// While authentication is off, only programs and pages of this machine may call. A page of another origin must not use
// the API through somebody's browser, and a proxy would let everybody in.
// See docs/decisions/0051-foreign-origins-refused-without-auth.md
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../domain/problem.ts'
import { isLoopback } from './loopback.ts'

const PROXY_HEADERS = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/

/** The parts of a request that tell where it comes from. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly httpVersion: string
}

export function requireSameOrigin({ headers, method, httpVersion }: Received, listenHost: string): void {
  // nginx speaks HTTP/1.0 to what is behind it and adds no header, unless it is told otherwise. Programs and browsers of
  // this machine speak HTTP/1.1.
  const proxied = httpVersion === '1.0' ? 'HTTP/1.0' : Object.keys(headers).find((name) => PROXY_HEADERS.test(name))
  if (proxied !== undefined) {
    const remedy = 'Set app.server.public-url (or app.server.auth: required) and use a token.'
    throw new Problem(
      'proxy-without-auth',
      `The request came through a proxy (${proxied}) while authentication is off. ${remedy}`,
    )
  }
  const host = URL.parse(`http://${headers.host ?? ''}`)
  if (!host || !(isLoopback(host.hostname) || sameHost(host.hostname, listenHost))) {
    const remedy = 'Call it as localhost, or turn authentication on (app.server.auth: required).'
    throw new Problem('foreign-origin', `The Host header does not name this machine. ${remedy}`)
  }
  // Browsers send Origin with every request that can change something. Programs send none.
  const isForeign = headers.origin !== undefined && URL.parse(headers.origin)?.host !== host.host
  if (isForeign || isFromOtherSite(headers, method)) {
    const remedy = 'Open the dashboard of this instance itself, or turn authentication on (app.server.auth: required).'
    throw new Problem('foreign-origin', `The request comes from a page of another origin. ${remedy}`)
  }
}

/** Browsers say which page causes a request. A person may follow a link from another site to the dashboard. */
function isFromOtherSite(headers: IncomingHttpHeaders, method: string): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return method !== 'GET' || headers['sec-fetch-mode'] !== 'navigate'
}

function sameHost(name: string, listenHost: string): boolean {
  return name.replace(/^\[|\]$/g, '') === listenHost.toLowerCase()
}
