// The product's one HTTP client: a visit to one host, with its same-host redirects, told as data.
// Nothing here throws for what a server or the network does; only bugs do.
import type { HttpConfig } from '../ports/config.ts'
import type { Fetcher, FetchRequest, FetchResult } from '../ports/fetcher.ts'
import { createAddressGuard, type ListenAddress } from './address-guard.ts'
import { classify } from './classify.ts'
import { createConnections } from './connections.ts'
import { FetchFailure, failureOf, seconds } from './failure.ts'
import { hideSecrets } from './hide-secrets.ts'
import { createNames, type NamesOptions } from './names.ts'
import { literalGuard } from './proxy-guard.ts'
import { userAgentOf, withoutSecrets } from './request-headers.ts'
import { visit } from './visit.ts'

export interface FetcherOptions {
  readonly http: HttpConfig
  readonly version: string
  readonly publicUrl: string | null
  /** What the product listens on: never fetched, whatever the configuration allows. */
  readonly ownAddresses?: () => readonly ListenAddress[]
  /** Name servers and hosts file in place of the system's. */
  readonly names?: NamesOptions
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { http } = options
  const guard = createAddressGuard(http.allowPrivateNetworks, options.ownAddresses)
  const names = createNames(options.names)
  const connections = createConnections({
    names,
    guard,
    connectMs: http.connectTimeoutSeconds * 1000,
    proxy: http.proxy,
  })
  const wire = {
    connections,
    userAgent: userAgentOf(http.userAgent, options.version, options.publicUrl),
    limits: {
      proxyMs: http.connectTimeoutSeconds * 1000,
      headersMs: http.headersTimeoutSeconds * 1000,
      idleMs: http.headersTimeoutSeconds * 1000,
      // Packing adds a little to what cannot be packed; nothing honest is much larger than what it unpacks to.
      wireBytes: http.maxBodyBytes + Math.ceil(http.maxBodyBytes / 8) + 64 * 1024,
    },
    maxBodyBytes: http.maxBodyBytes,
    maxRedirects: http.maxRedirects,
    // Behind a proxy no connector of ours sees the address; what the URL itself says can still be judged.
    refuses: http.proxy === null ? () => null : literalGuard(guard),
  }
  const closing = new AbortController()

  return {
    fetch: async (given) => {
      const checked = checkUrl(given)
      if (checked.kind === 'failed') return checked
      using limits = startVisitLimits(http.timeoutSeconds * 1000, [closing.signal, given.signal])
      const result = await visit(wire, checked.request, limits.signal).catch(
        (error): FetchResult => failed(checked.request, error),
      )
      return limits.aborted() ? { kind: 'aborted' } : hideSecrets(result, checked.request)
    },
    close: async () => {
      closing.abort()
      names.close()
      await connections.close()
    },
  }
}

/** Rows may arrive with credentials in the URL, or with no URL at all. */
function checkUrl(
  request: FetchRequest,
): { kind: 'ok'; request: FetchRequest } | Extract<FetchResult, { kind: 'failed' }> {
  const url = URL.parse(request.url)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const failure = failureOf('bad-url', 'Not an http or https address')
    return { kind: 'failed', failure, url: request.url, trail: request.trail ?? [], wireBytes: 0 }
  }
  const inUrl = url.username || url.password ? `${decode(url.username)}:${decode(url.password)}` : undefined
  return { kind: 'ok', request: { ...request, url: withoutSecrets(url), basicAuth: request.basicAuth ?? inUrl } }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function failed(request: FetchRequest, error: unknown): FetchResult {
  const { url, trail = [] } = request
  return { kind: 'failed', failure: classify(error, 'headers'), url, trail, wireBytes: 0 }
}

/** One signal for the whole visit: its time limit, the caller's wish, the end of the process. */
function startVisitLimits(limitMs: number, wishes: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  let aborted = false
  const giveUp = () => {
    aborted = true
    controller.abort(new FetchFailure('unexpected', 'Given up'))
  }
  const timer = setTimeout(
    () => controller.abort(new FetchFailure('visit-timeout', `Not finished within ${seconds(limitMs)}`)),
    limitMs,
  )
  for (const wish of wishes) {
    if (wish?.aborted) giveUp()
    wish?.addEventListener('abort', giveUp, { once: true })
  }
  return {
    signal: controller.signal,
    aborted: () => aborted,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      for (const wish of wishes) wish?.removeEventListener('abort', giveUp)
    },
  }
}
