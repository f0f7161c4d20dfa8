// Sends one request and returns the head of its response. The body follows as a stream with back-pressure.
// It uses undici's dispatch interface because only that tells when the request is really sent:
// the headers limit counts from there, and the idle limit from each chunk of the body.
// When the signal aborts, its reason becomes the error. All errors are FetchFailures.
// See docs/decisions/0041-undici-dispatch-with-own-timers.md
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { classify, type Stage } from './classify.ts'
import type { Lease } from './connections.ts'
import { FetchFailure, seconds } from './failure.ts'
import { joinHeaders } from './response-headers.ts'

export interface WireRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes it a POST. */
  readonly body?: string | undefined
}

export interface ExchangeLimits {
  /** For a proxy to make the connection. Direct connections have their own limit in connect.ts. */
  readonly proxyMs: number
  readonly headersMs: number
  readonly idleMs: number
  /** For the compressed body. A body that decompresses to nothing never reaches the limit on the decompressed size. */
  readonly wireBytes: number
}

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As received, still compressed. Destroying it closes the connection. */
  readonly body: Readable
  wireBytes(): number
}

export function exchange(
  { dispatcher, throughProxy }: Pick<Lease, 'dispatcher' | 'throughProxy'>,
  request: WireRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const stage = throughProxy ? 'proxy' : 'connect'
    const running = new Exchange({ limits, signal, stage, resolve, reject })
    if (!running.start()) return
    const method = request.body === undefined ? 'GET' : 'POST'
    const options = { ...request, method, body: request.body ?? null, headersTimeout: 0, bodyTimeout: 0 } as const
    dispatcher.dispatch(options, running.handler())
  })
}

interface ExchangeOptions {
  readonly limits: ExchangeLimits
  readonly signal: AbortSignal
  readonly stage: Stage
  resolve(response: WireResponse): void
  reject(failure: FetchFailure): void
}

class Exchange {
  readonly #options: ExchangeOptions
  readonly #body: Readable
  #stage: Stage
  #controller: Dispatcher.DispatchController | null = null
  #timer: NodeJS.Timeout | undefined
  #wireBytes = 0
  #complete = false

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#stage = options.stage
    this.#body = new Readable({
      read: () => this.#controller?.resume(),
      destroy: (error, done) => {
        this.#stopWatching()
        if (!this.#complete) this.#controller?.abort(error ?? new Error('the body is not needed'))
        done(error)
      },
    })
    // The body may fail before anybody reads it. Without a listener that would be an uncaught error.
    this.#body.on('error', () => {})
  }

  /** false: the signal was already aborted, and nothing may be sent. */
  start(): boolean {
    const { signal, limits, stage } = this.#options
    signal.addEventListener('abort', this.#onAbort, { once: true })
    if (signal.aborted) {
      this.#onAbort()
      return false
    }
    if (stage === 'proxy') this.#limit(limits.proxyMs, 'proxy', 'The proxy made no connection within')
    return true
  }

  handler(): Dispatcher.DispatchHandler {
    const { limits, resolve } = this.#options
    return {
      onRequestStart: (controller) => {
        this.#controller = controller
        if (this.#body.destroyed) return controller.abort(new Error('aborted while the request was queued'))
        this.#stage = 'headers'
        this.#limit(limits.headersMs, 'headers-timeout', 'No complete headers within')
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return
        this.#stage = 'body'
        this.#limit(limits.idleMs, 'body-timeout', 'No part of the body arrived for')
        resolve({ status, headers: joinHeaders(headers), body: this.#body, wireBytes: () => this.#wireBytes })
      },
      onResponseData: (controller, chunk) => {
        this.#wireBytes += chunk.length
        if (this.#wireBytes > limits.wireBytes) return this.#fail(tooLarge(limits.wireBytes))
        this.#timer?.refresh()
        if (!this.#body.push(chunk)) controller.pause()
      },
      onResponseEnd: () => {
        this.#complete = true
        this.#stopWatching()
        this.#body.push(null)
      },
      onResponseError: (_controller, error) => this.#fail(error),
    }
  }

  readonly #onAbort = (): void => this.#fail(this.#options.signal.reason)

  #fail(error: unknown): void {
    const failure = error instanceof FetchFailure ? error : asFailure(error, this.#stage)
    this.#options.reject(failure)
    this.#body.destroy(failure)
  }

  #stopWatching(): void {
    clearTimeout(this.#timer)
    this.#options.signal.removeEventListener('abort', this.#onAbort)
  }

  #limit(ms: number, code: FetchFailure['failure']['code'], words: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail(new FetchFailure(code, `${words} ${seconds(ms)}`)), ms)
  }
}

function asFailure(error: unknown, stage: Stage): FetchFailure {
  const { code, reason, httpStatus } = classify(error, stage)
  return new FetchFailure(code, reason, httpStatus)
}

function tooLarge(limit: number): FetchFailure {
  return new FetchFailure('body-too-large', `The compressed body is larger than ${limit} bytes`)
}
