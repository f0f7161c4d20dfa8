// The requests of one poll to one host. Sends a request, follows redirects that stay on the host,
// and turns the last response into a FetchResult. A redirect to another host is returned to the caller.
// See docs/decisions/0044-no-retry-inside-a-visit.md
// See docs/decisions/0102-one-retry-on-a-reused-connection.md
import { setImmediate } from 'node:timers/promises'
import type { FetchRequest, FetchResult, Hop } from '../ports/fetcher.ts'
import { classify } from './classify.ts'
import type { Connections, Lease } from './connections.ts'
import { type ExchangeLimits, exchange, type WireRequest, type WireResponse } from './exchange.ts'
import { failureOf, statusFailure } from './failure.ts'
import { readExcerpt, readWhole, skipBody } from './read-body.ts'
import { isRedirect, mayCarrySecrets, nextHop } from './redirects.ts'
import { headersFor, isConditional } from './request-headers.ts'
import type { UrlGuard } from './url-guard.ts'
import { mergeValidators, NO_VALIDATORS, validatorsOf } from './validators.ts'

export interface VisitSettings {
  readonly connections: Connections
  readonly userAgent: string
  readonly limits: ExchangeLimits
  readonly maxBodyBytes: number
  readonly maxRedirects: number
  readonly refusalOf: UrlGuard
}

const EXCERPT_BYTES = 4 * 1024
const EXCERPT_MS = 5_000

type Step = { readonly kind: 'next'; readonly hop: Hop; readonly wireBytes: number } | FetchResult

export async function visit(settings: VisitSettings, request: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
  let url = request.url
  let trail = request.trail ?? []
  let wireBytes = 0
  for (;;) {
    const step = await fetchOnce(settings, request, url, trail, signal)
    if (step.kind !== 'next') return 'wireBytes' in step ? { ...step, wireBytes: step.wireBytes + wireBytes } : step
    wireBytes += step.wireBytes
    url = step.hop.to
    trail = [...trail, step.hop]
  }
}

async function fetchOnce(
  settings: VisitSettings,
  request: FetchRequest,
  address: string,
  trail: readonly Hop[],
  signal: AbortSignal,
): Promise<Step> {
  const url = new URL(address)
  const refusal = settings.refusalOf(url, request.trusted)
  if (refusal !== null) {
    const failure = failureOf('refused-address', `Refused to fetch: ${refusal}`)
    return { kind: 'failed', failure, url: address, trail, wireBytes: 0 }
  }
  const headers = headersFor(request, url, settings.userAgent, mayCarrySecrets(address, trail))
  const lease = settings.connections.lease(url.origin, request.trusted, request.post ? 'post' : 'get')
  let response: WireResponse | null = null
  try {
    const sent = { origin: url.origin, path: url.pathname + url.search, headers, body: request.post?.body }
    response = await exchangeWithRetry(lease, sent, settings.limits, signal)
    return await interpret(settings, request, { response, url: address, trail, sent: headers })
  } catch (error) {
    const { httpStatus, ...failure } = classify(error, 'headers')
    return {
      kind: 'failed',
      failure: { ...failure, httpStatus: httpStatus ?? response?.status ?? null },
      url: address,
      trail,
      wireBytes: response?.wireBytes() ?? 0,
    }
  } finally {
    // undici frees the connection one turn later. A request sent at once would open a second connection.
    await setImmediate()
    lease.release()
  }
}

/** A server may close an idle connection just when it is used again. A GET is then sent once more; a POST never is. */
function exchangeWithRetry(
  lease: Lease,
  request: WireRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<WireResponse> {
  return exchange(lease, request, limits, signal).catch((error: unknown) => {
    const wasClosed = classify(error, 'headers').code === 'connection-reset' && lease.reused()
    if (!wasClosed || request.body !== undefined) throw error
    return exchange(lease, request, limits, signal)
  })
}

interface Received {
  readonly response: WireResponse
  readonly url: string
  readonly trail: readonly Hop[]
  /** The headers of the request. */
  readonly sent: Readonly<Record<string, string>>
}

async function interpret(settings: VisitSettings, request: FetchRequest, received: Received): Promise<Step> {
  const { response, url, trail } = received
  const { status, headers } = response
  if (status === 304) {
    await skipBody(response, EXCERPT_BYTES, EXCERPT_MS)
    if (!isConditional(received.sent))
      return badHttp(received, 'The server answered 304 Not Modified to an unconditional request')
    return {
      kind: 'not-modified',
      validators: mergeValidators(request.validators, headers, url),
      ...answered(received),
    }
  }
  if (status < 300 && request.post) {
    // The status says that the message was accepted. The rest of the body is not waited for.
    const bytes = Buffer.from(await readExcerpt(response, EXCERPT_BYTES, EXCERPT_MS))
    return { kind: 'body', bytes, validators: NO_VALIDATORS, ...answered(received) }
  }
  if (status === 206) {
    response.body.destroy()
    return badHttp(received, 'The server sent only a part of the document, although the whole document was requested')
  }
  if (status < 300) {
    const bytes = await readWhole(response, settings.maxBodyBytes)
    const validators = status === 200 ? validatorsOf(headers, url) : NO_VALIDATORS
    return { kind: 'body', bytes, validators, ...answered(received) }
  }
  const excerpt = await readExcerpt(response, EXCERPT_BYTES, EXCERPT_MS)
  if (!isRedirect(status) || request.followRedirects === false || request.post)
    return { kind: 'status', failure: statusFailure(status), excerpt, ...answered(received) }

  const next = nextHop(url, status, headers.location, trail, settings.maxRedirects)
  if (next.kind === 'refused') return failed(received, next.failure)
  const sent = trail.length - (request.trail?.length ?? 0) + 1
  if (next.sameHost && sent < (request.mostRequests ?? Number.POSITIVE_INFINITY))
    return { kind: 'next', hop: next.hop, wireBytes: response.wireBytes() }
  return { kind: 'elsewhere', location: next.hop.to, ...answered(received), trail: [...trail, next.hop] }
}

function answered({ response, url, trail }: Received) {
  return { status: response.status, url, headers: response.headers, trail, wireBytes: response.wireBytes() }
}

function badHttp(received: Received, reason: string): FetchResult {
  return failed(received, failureOf('bad-http', reason, received.response.status))
}

function failed({ response, url, trail }: Received, failure: ReturnType<typeof failureOf>): FetchResult {
  return { kind: 'failed', failure, url, trail, wireBytes: response.wireBytes() }
}
