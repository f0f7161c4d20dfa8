// A real HTTP(S) origin on loopback that does what its routes say and remembers what it was asked.
// `url` never ends in a slash: `${origin.url}/feed`. Paths without a route answer 404.
// Give `now` to stamp requests with a manual clock instead of real time.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly at: number
  /** When the answer was finished or the connection went; null while it is open. */
  endedAt: number | null
  readonly method: string
  /** With the query, as sent. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** An ordinary document; with `etag` or `lastModified` it answers 304 to the exact validator. */
export interface StaticAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly contentType?: string
  readonly body?: string | Uint8Array
  readonly etag?: string
  readonly lastModified?: string
}

export interface Origin extends AsyncDisposable {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly requests: readonly SeenRequest[]
  /** How many connections were accepted so far. */
  readonly connections: number
  /** The most requests that were open at the same time. */
  readonly mostAtOnce: number
  requestsTo(pathname: string): readonly SeenRequest[]
  /** A later route for the same path replaces the earlier one. */
  route(pathname: string, answer: Handler | StaticAnswer): void
  close(): Promise<void>
}

export interface OriginOptions {
  readonly host?: string
  readonly port?: number
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly now?: () => number
}

export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const { host = '127.0.0.1', port = 0, tls, now = Date.now } = options
  const routes = new Map<string, Handler>()
  const requests: SeenRequest[] = []
  let connections = 0
  let open = 0
  let mostAtOnce = 0

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    const seen: SeenRequest = {
      at: now(),
      endedAt: null,
      method: request.method ?? '',
      path,
      headers: request.headers,
    }
    requests.push(seen)
    mostAtOnce = Math.max(mostAtOnce, ++open)
    response.once('close', () => {
      open--
      seen.endedAt = now()
    })
    // A handler that throws must not hang the test that provoked it.
    Promise.resolve((routes.get(pathnameOf(path)) ?? notFound)(request, response)).catch(() => response.destroy())
  }
  const server = tls ? createTlsServer({ ...tls }, listener) : createServer(listener)
  server.on('connection', () => {
    connections++
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    host,
    port: bound,
    requests,
    get connections() {
      return connections
    },
    get mostAtOnce() {
      return mostAtOnce
    },
    requestsTo: (pathname) => requests.filter((request) => pathnameOf(request.path) === pathname),
    route: (pathname, answer) => {
      routes.set(pathname, typeof answer === 'function' ? answer : document(answer))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function pathnameOf(path: string): string {
  return path.split('?', 1)[0] ?? path
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
}

function document(answer: StaticAnswer): Handler {
  return (request, response) => {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
    if (answer.contentType) response.setHeader('content-type', answer.contentType)
    if (answer.etag) response.setHeader('etag', answer.etag)
    if (answer.lastModified) response.setHeader('last-modified', answer.lastModified)
    if (isUnchanged(request, answer)) return response.writeHead(304).end()
    return response.writeHead(answer.status ?? 200).end(answer.body ?? '')
  }
}

/** If-None-Match outweighs If-Modified-Since, as RFC 9110 has it. */
function isUnchanged(request: IncomingMessage, answer: StaticAnswer): boolean {
  const match = request.headers['if-none-match']
  if (match !== undefined) return answer.etag !== undefined && match === answer.etag
  const since = request.headers['if-modified-since']
  return since !== undefined && since === answer.lastModified
}
