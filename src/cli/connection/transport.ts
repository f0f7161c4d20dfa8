// Two ways to the same REST API: over HTTP to a running `serve`, or directly into the API of this process.
import type { InjectedRequest, OpenedApp } from '../command-context.ts'
import { Interrupted, Unreachable } from '../failure.ts'

export interface Request {
  readonly method: InjectedRequest['method']
  /** Starts with `/` and includes the query. */
  readonly path: string
  /** Text, or the bytes of a file, whose charset the server detects. */
  readonly body?: string | Buffer<ArrayBuffer>
  readonly contentType?: string
}

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface Transport {
  send(request: Request): Promise<Reply>
}

// Longer than the server lets any request wait.
const TIMEOUT_MS = 90_000

export function overHttp(server: string, token: string | undefined, ending: AbortSignal): Transport {
  const base = server.replace(/\/+$/, '')
  return {
    async send({ method, path, body, contentType }) {
      const signal = AbortSignal.any([ending, AbortSignal.timeout(TIMEOUT_MS)])
      const headers = headersOf(token, body, contentType)
      try {
        const response = await fetch(base + path, { method, headers, body: body ?? null, signal, redirect: 'error' })
        const type = response.headers.get('content-type') ?? ''
        return { status: response.status, contentType: type, text: await response.text() }
      } catch (error) {
        if (ending.aborted) throw new Interrupted()
        throw new Unreachable(`Cannot reach ${base}: ${reasonOf(error)}`)
      }
    },
  }
}

export function inProcess(app: Pick<OpenedApp, 'inject'>, token: string, ending: AbortSignal): Transport {
  return {
    async send({ method, path, body, contentType }) {
      const headers = { ...headersOf(token, body, contentType), host: 'localhost' }
      const request = { method, url: path, headers }
      const injected = app.inject(body === undefined ? request : { ...request, payload: body })
      const reply = await unlessInterrupted(injected, ending)
      return { status: reply.statusCode, contentType: String(reply.headers['content-type'] ?? ''), text: reply.payload }
    },
  }
}

/** After Ctrl-C nobody waits for the answer. Closing the app ends the request. */
async function unlessInterrupted<T>(answer: Promise<T>, ending: AbortSignal): Promise<T> {
  const answered = new AbortController()
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new Interrupted())
    if (ending.aborted) stop()
    else ending.addEventListener('abort', stop, { once: true, signal: answered.signal })
  })
  try {
    return await Promise.race([answer, interrupted])
  } finally {
    answered.abort()
    answer.catch(() => {})
  }
}

function headersOf(token: string | undefined, body?: Request['body'], contentType?: string): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
  }
}

function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: Error & { code?: string } }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code === 'ECONNREFUSED' ? 'nothing listens there' : (cause?.message ?? message)
}
