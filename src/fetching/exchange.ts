// One request on the wire and the head of its answer; the body follows as a stream with back-pressure.
// Written on undici's dispatch interface because only that tells when the request really goes out: the headers limit
// counts from there, and the idle limit from each piece of the body. The signal's reason becomes the error.
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { classify, type Stage } from './classify.ts'
import type { Lease } from './connections.ts'
import { FetchFailure, seconds } from './failure.ts'

export interface Question {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes it a POST. */
  readonly body?: string | undefined
}

export interface ExchangeLimits {
  /** For a proxy to make the connection; our own connections have their limit where they are made. */
  readonly proxyMs: number
  readonly headersMs: number
  readonly idleMs: number
  /** Of a body as it comes over the wire: what unpacks to nothing never meets a limit on what it unpacks to. */
  readonly wireBytes: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As received; destroying it closes the connection. Errors are FetchFailures. */
  readonly body: Readable
  wireBytes(): number
}

export function exchange(
  { dispatcher, throughProxy }: Pick<Lease, 'dispatcher' | 'throughProxy'>,
  question: Question,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let stage: Stage = throughProxy ? 'proxy' : 'connect'
    let controller: Dispatcher.DispatchController | null = null
    let timer: NodeJS.Timeout | undefined
    let wireBytes = 0
    let complete = false
    const body = new Readable({
      read: () => controller?.resume(),
      destroy: (error, done) => {
        end()
        if (!complete) controller?.abort(error ?? new Error('not needed'))
        done(error)
      },
    })
    const fail = (error: unknown) => {
      const failure = error instanceof FetchFailure ? error : asFailure(error, stage)
      reject(failure)
      body.destroy(failure)
    }
    const onAbort = () => fail(signal.reason)
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const limit = (ms: number, failure: () => FetchFailure) => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(failure()), ms)
    }
    // Nobody may be listening yet when the body fails between head and reading.
    body.on('error', () => {})
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    if (throughProxy)
      limit(
        limits.proxyMs,
        () => new FetchFailure('proxy', `The proxy made no connection within ${seconds(limits.proxyMs)}`),
      )

    dispatcher.dispatch(
      {
        ...question,
        ...{ method: question.body === undefined ? 'GET' : 'POST', body: question.body ?? null },
        ...{ headersTimeout: 0, bodyTimeout: 0 },
      },
      {
        onRequestStart(started) {
          controller = started
          if (body.destroyed) return started.abort(new Error('given up while it waited'))
          stage = 'headers'
          limit(
            limits.headersMs,
            () => new FetchFailure('headers-timeout', `No complete headers within ${seconds(limits.headersMs)}`),
          )
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          stage = 'body'
          limit(
            limits.idleMs,
            () => new FetchFailure('body-timeout', `The body stood still for ${seconds(limits.idleMs)}`),
          )
          resolve({ status, headers: joined(headers), body, wireBytes: () => wireBytes })
        },
        onResponseData(receiving, chunk) {
          wireBytes += chunk.length
          if (wireBytes > limits.wireBytes) return fail(tooLarge(limits.wireBytes))
          timer?.refresh()
          if (!body.push(chunk)) receiving.pause()
        },
        onResponseEnd() {
          complete = true
          end()
          body.push(null)
        },
        onResponseError: (_controller, error) => fail(error),
      },
    )
  })
}

function asFailure(error: unknown, stage: Stage): FetchFailure {
  const { code, reason, httpStatus } = classify(error, stage)
  return new FetchFailure(code, reason, httpStatus)
}

function tooLarge(limit: number): FetchFailure {
  return new FetchFailure('body-too-large', `The body is larger than ${limit} bytes before it is unpacked`)
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? withoutEchoes(name, value).join(', ') : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** A server and the one behind it may both say the same; only codings mean something else when they are said twice. */
function withoutEchoes(name: string, values: readonly string[]): readonly string[] {
  return name === 'content-encoding' ? values : [...new Set(values)]
}
