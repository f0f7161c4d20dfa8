// The only HTTP client of Tidings. One fetch is a visit to one host, including redirects on that host.
// Whatever a server or the network does comes back as a FetchResult. Only bugs throw.
import { credentialsIn, isHttp } from '../domain/address.ts'
import type { HttpConfig } from '../ports/config.ts'
import type { Fetcher, FetchRequest, FetchResult, Trust } from '../ports/fetcher.ts'
import { createAddressGuard, type ListenAddress } from './address-guard.ts'
import { classify } from './classify.ts'
import { createConnections } from './connections.ts'
import type { ExchangeLimits } from './exchange.ts'
import { FetchFailure, failureOf, seconds } from './failure.ts'
import { hideSecrets } from './hide-secrets.ts'
import { createNameLookup, type NameLookupOptions } from './name-lookup.ts'
import { userAgentOf, withoutSecrets } from './request-headers.ts'
import { createPortGuard, createUrlGuard, type UrlGuard } from './url-guard.ts'
import { visit } from './visit.ts'

export interface FetcherOptions {
  readonly http: HttpConfig
  readonly version: string
  readonly publicUrl: string | null
  /** The addresses that Tidings listens on. They are never fetched, whatever the configuration allows. */
  readonly ownAddresses?: () => readonly ListenAddress[]
  /** Replaces the system's name servers and hosts file. */
  readonly nameLookup?: NameLookupOptions
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { http } = options
  const guard = createAddressGuard(http.allowPrivateNetworks, options.ownAddresses)
  const refusedPort = createPortGuard(http.allowPorts)
  // Behind a proxy we do not see the address of the connection. An IP address in the URL can still be checked.
  const refusedAddress: UrlGuard = http.proxy === null ? () => null : createUrlGuard(guard)
  const names = createNameLookup(options.nameLookup)
  const connections = createConnections({
    names,
    guard,
    connectMs: http.connectTimeoutSeconds * 1000,
    proxy: http.proxy,
  })
  const settings = {
    connections,
    userAgent: userAgentOf(http.userAgent, options.version, options.publicUrl),
    limits: exchangeLimitsOf(http),
    maxBodyBytes: http.maxBodyBytes,
    maxRedirects: http.maxRedirects,
    refusalOf: (url: URL, trusted: Trust) => refusedPort(url, trusted) ?? refusedAddress(url, trusted),
  }
  const closing = new AbortController()

  return {
    fetch: async (given) => {
      const checked = checkUrl(given)
      if (checked.kind === 'failed') return checked
      using limits = startVisitLimits(http.timeoutSeconds * 1000, [closing.signal, given.signal])
      const result = await visit(settings, checked.request, limits.signal).catch(
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

function exchangeLimitsOf(http: HttpConfig): ExchangeLimits {
  return {
    proxyMs: http.connectTimeoutSeconds * 1000,
    headersMs: http.headersTimeoutSeconds * 1000,
    idleMs: http.headersTimeoutSeconds * 1000,
    // Compression can make a body slightly larger, but never by much.
    wireBytes: http.maxBodyBytes + Math.ceil(http.maxBodyBytes / 8) + 64 * 1024,
  }
}

/** A stored URL may contain credentials, or may not be a URL at all. */
function checkUrl(
  request: FetchRequest,
): { kind: 'ok'; request: FetchRequest } | Extract<FetchResult, { kind: 'failed' }> {
  const url = URL.parse(request.url)
  if (!url || !isHttp(url)) {
    const failure = failureOf('bad-url', 'The address is not an http or https URL')
    return { kind: 'failed', failure, url: request.url, trail: request.trail ?? [], wireBytes: 0 }
  }
  const inUrl = credentialsIn(url) ?? undefined
  return { kind: 'ok', request: { ...request, url: withoutSecrets(url), basicAuth: request.basicAuth ?? inUrl } }
}

function failed(request: FetchRequest, error: unknown): FetchResult {
  const { url, trail = [] } = request
  return { kind: 'failed', failure: classify(error, 'headers'), url, trail, wireBytes: 0 }
}

/** One signal for the whole visit: it aborts at the time limit, and when one of the given signals aborts. */
function startVisitLimits(limitMs: number, signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  let aborted = false
  const abort = () => {
    aborted = true
    controller.abort(new FetchFailure('unexpected', 'The fetch was aborted'))
  }
  const timer = setTimeout(
    () => controller.abort(new FetchFailure('visit-timeout', `The visit did not finish within ${seconds(limitMs)}`)),
    limitMs,
  )
  for (const given of signals) {
    if (given?.aborted) abort()
    given?.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    aborted: () => aborted,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      for (const given of signals) given?.removeEventListener('abort', abort)
    },
  }
}
