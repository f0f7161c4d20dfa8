// While authentication is off, only programs and pages of this machine may call. A page of another origin must not use
// the API through somebody's browser, and a proxy would let everybody in.
// See docs/decisions/0051-foreign-origins-refused-without-auth.md
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../domain/problem.ts'
import { isLoopback } from './loopback.ts'

const PROXY_HEADERS = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/

export function requireSameOrigin(headers: IncomingHttpHeaders, listenHost: string): void {
  const proxied = Object.keys(headers).find((name) => PROXY_HEADERS.test(name))
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
  if (headers.origin !== undefined && URL.parse(headers.origin)?.host !== host.host) {
    const remedy = 'Open the dashboard of this instance itself, or turn authentication on (app.server.auth: required).'
    throw new Problem('foreign-origin', `The request comes from a page of another origin. ${remedy}`)
  }
}

function sameHost(name: string, listenHost: string): boolean {
  return name.replace(/^\[|\]$/g, '') === listenHost.toLowerCase()
}
