// The requests of one poll to one host: ask, follow redirects that stay on the host, and turn the last answer into a result.
import { setImmediate } from 'node:timers/promises'
import type { Validators } from '../domain/source.ts'
import type { FetchRequest, FetchResult, Hop } from '../ports/fetcher.ts'
import { classify } from './classify.ts'
import type { Connections } from './connections.ts'
import { type Answer, type ExchangeLimits, exchange } from './exchange.ts'
import { failureOf, statusFailure } from './failure.ts'
import type { UrlGuard } from './proxy-guard.ts'
import { readExcerpt, readWhole } from './read-body.ts'
import { isRedirect, mayCarrySecrets, nextHop } from './redirects.ts'
import { headersFor, isConditional } from './request-headers.ts'

export interface Wire {
  readonly connections: Connections
  readonly userAgent: string
  readonly limits: ExchangeLimits
  readonly maxBodyBytes: number
  readonly maxRedirects: number
  readonly refuses: UrlGuard
}

const EXCERPT_BYTES = 4 * 1024
const EXCERPT_MS = 5_000

type Step = { readonly kind: 'next'; readonly hop: Hop; readonly wireBytes: number } | FetchResult

export async function visit(wire: Wire, request: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
  let url = request.url
  let trail = request.trail ?? []
  let wireBytes = 0
  for (;;) {
    const step = await ask(wire, request, url, trail, signal)
    if (step.kind !== 'next') return 'wireBytes' in step ? { ...step, wireBytes: step.wireBytes + wireBytes } : step
    wireBytes += step.wireBytes
    url = step.hop.to
    trail = [...trail, step.hop]
  }
}

async function ask(
  wire: Wire,
  request: FetchRequest,
  address: string,
  trail: readonly Hop[],
  signal: AbortSignal,
): Promise<Step> {
  const url = new URL(address)
  const refusal = wire.refuses(url, request.trusted)
  if (refusal !== null) {
    const failure = failureOf('refused-address', `Refused to ask: ${refusal}`)
    return { kind: 'failed', failure, url: address, trail, wireBytes: 0 }
  }
  const headers = headersFor(request, url, wire.userAgent, mayCarrySecrets(address, trail))
  const lease = wire.connections.lease(url.origin, request.trusted, request.post ? 'message' : 'question')
  let answer: Answer | null = null
  try {
    const question = { origin: url.origin, path: url.pathname + url.search, headers, body: request.post?.body }
    answer = await exchange(lease, question, wire.limits, signal).catch((error: unknown) => {
      // A server may hang up on a connection kept alive just when it is used again: that is no word about the host.
      const hungUp = classify(error, 'headers').code === 'connection-reset' && lease.reused()
      if (!hungUp || request.post) throw error
      return exchange(lease, question, wire.limits, signal)
    })
    return await understand(wire, request, { answer, url: address, trail, sent: headers })
  } catch (error) {
    const { httpStatus, ...failure } = classify(error, 'headers')
    return {
      kind: 'failed',
      failure: { ...failure, httpStatus: httpStatus ?? answer?.status ?? null },
      url: address,
      trail,
      wireBytes: answer?.wireBytes() ?? 0,
    }
  } finally {
    // The connection is free again one turn later; asking at once would open a second one.
    await setImmediate()
    lease.release()
  }
}

interface Answering {
  readonly answer: Answer
  readonly url: string
  readonly trail: readonly Hop[]
  readonly sent: Readonly<Record<string, string>>
}

async function understand(wire: Wire, request: FetchRequest, { answer, url, trail, sent }: Answering): Promise<Step> {
  const { status, headers } = answer
  const answered = (soFar = trail) => ({ status, url, headers, trail: soFar, wireBytes: answer.wireBytes() })
  const failed = (failure: ReturnType<typeof failureOf>): Step => {
    return { kind: 'failed', failure, url, trail, wireBytes: answer.wireBytes() }
  }

  if (status === 304) {
    await readExcerpt(answer, EXCERPT_BYTES, EXCERPT_MS)
    if (!isConditional(sent))
      return failed(failureOf('bad-http', 'The server answered 304 Not Modified to an unconditional request', status))
    return { kind: 'not-modified', validators: refreshed(request.validators, headers, url), ...answered() }
  }
  if (status < 300 && request.post) {
    // Who takes a message says so with the status; what else is said is not waited for.
    const bytes = Buffer.from(await readExcerpt(answer, EXCERPT_BYTES, EXCERPT_MS))
    return { kind: 'body', bytes, validators: NO_VALIDATORS, ...answered() }
  }
  if (status === 206) {
    answer.body.destroy()
    return failed(
      failureOf('bad-http', 'The server answered with a part of the document that was not asked for', status),
    )
  }
  if (status < 300) {
    const bytes = await readWhole(answer, wire.maxBodyBytes)
    return {
      kind: 'body',
      bytes,
      validators: status === 200 ? validatorsOf(headers, url) : NO_VALIDATORS,
      ...answered(),
    }
  }
  const excerpt = await readExcerpt(answer, EXCERPT_BYTES, EXCERPT_MS)
  if (!isRedirect(status) || request.followRedirects === false || request.post)
    return { kind: 'status', failure: statusFailure(status), excerpt, ...answered() }

  const next = nextHop(url, status, headers.location, trail, wire.maxRedirects)
  if (next.kind === 'refused') return failed(next.failure)
  if (next.sameHost) return { kind: 'next', hop: next.hop, wireBytes: answer.wireBytes() }
  return { kind: 'elsewhere', location: next.hop.to, ...answered([...trail, next.hop]) }
}

const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

function validatorsOf(headers: Readonly<Record<string, string>>, from: string): Validators {
  return given({ etag: usable(headers.etag), lastModified: usable(headers['last-modified']) }, from)
}

/** What could not be sent back as it came is no validator. */
function usable(value: string | undefined): string | null {
  return value && /^[\t\x20-\x7e\x80-\xff]+$/.test(value) ? value : null
}

/** A 304 replaces what it names; the rest stays as it was. */
function refreshed(known: Validators | undefined, headers: Readonly<Record<string, string>>, from: string): Validators {
  const fresh = validatorsOf(headers, from)
  const etag = fresh.etag ?? known?.etag ?? null
  return given({ etag, lastModified: fresh.lastModified ?? known?.lastModified ?? null }, from)
}

function given(validators: Validators, from: string): Validators {
  return validators.etag === null && validators.lastModified === null ? NO_VALIDATORS : { ...validators, from }
}
