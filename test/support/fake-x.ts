// A fake X API v2 on loopback that holds callers to the real one's rules: a valid bearer key or nothing, known
// parameters only, `since_id` and paging tokens as X means them, a quota per key and endpoint with its headers.
// It remembers what it was asked. Give `now` to run its quota windows on a manual clock.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeXAccounts } from './fake-x-accounts.ts'
import type { XReply } from './fake-x-replies.ts'

const WINDOW_MS = 15 * 60_000

export interface XRequest {
  readonly at: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The key sent, valid or not. */
  readonly key: string | null
  readonly status: number
}

export interface ScriptedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, anything else as JSON. */
  readonly body: unknown
  /** Held back until then. */
  readonly after?: Promise<unknown>
}

export interface FakeX extends AsyncDisposable {
  readonly url: string
  readonly accounts: FakeXAccounts
  readonly requests: readonly XRequest[]
  allowKey(key: string, quota?: { readonly requestsPerWindow: number }): void
  /** 401: X no longer knows it. */
  revokeKey(key: string): void
  /** 403: X knows it, but its app may not use this API. */
  forbidKey(key: string): void
  /** Once, instead of what the rules would answer, `after` that many requests were answered normally. */
  answerOnce(answer: ScriptedAnswer, after?: number): void
  close(): Promise<void>
}

interface Key {
  readonly limit: number
  forbidden: boolean
  readonly windows: Map<string, { until: number; used: number }>
}

export async function startFakeX({ now = Date.now }: { now?: () => number } = {}): Promise<FakeX> {
  const accounts = new FakeXAccounts()
  const keys = new Map<string, Key>()
  const requests: XRequest[] = []
  let scripted: { answer: ScriptedAnswer; after: number }[] = []

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://x.invalid')
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null
    const turn = scripted.find(({ after }) => after === 0)
    scripted = scripted.filter((one) => one !== turn).map((one) => ({ ...one, after: one.after - 1 }))
    const answer = turn?.answer ?? answerOf(request.method, url, key)
    const query = Object.fromEntries(url.searchParams)
    requests.push({ at: now(), path: url.pathname, query, key, status: answer.status })
    const send = (): void => {
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    }
    if (answer.after === undefined) send()
    else void answer.after.then(send)
  }

  const answerOf = (method: string | undefined, url: URL, key: string | null): ScriptedAnswer => {
    if (method !== 'GET') return plain(405, 'Method Not Allowed')
    const known = key === null ? undefined : keys.get(key)
    if (!known) return plain(401, 'Unauthorized')
    if (known.forbidden) return CLIENT_FORBIDDEN
    const [, by, name, id] = /^\/2\/users\/(?:(by)\/username\/([^/]+)|([^/]+)\/tweets)$/.exec(url.pathname) ?? []
    if (name === undefined && id === undefined) return plain(404, 'Not Found')
    const quota = takeFrom(known, by ?? 'tweets', now())
    if (quota.over) return { ...plain(429, 'Too Many Requests'), headers: quota.headers }
    const query = url.searchParams
    const reply: XReply = id === undefined ? accounts.byUsername(name ?? '', query) : accounts.timeline(id, query)
    return { ...reply, headers: quota.headers }
  }

  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    requests,
    allowKey: (key, { requestsPerWindow } = { requestsPerWindow: 900 }) => {
      keys.set(key, { limit: requestsPerWindow, forbidden: false, windows: new Map() })
    },
    revokeKey: (key) => void keys.delete(key),
    forbidKey: (key) => {
      const known = keys.get(key)
      if (known) known.forbidden = true
    },
    answerOnce: (answer, after = 0) => void scripted.push({ answer, after }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function takeFrom(key: Key, endpoint: string, now: number): { over: boolean; headers: Record<string, string> } {
  let window = key.windows.get(endpoint)
  if (!window || window.until <= now) window = { until: now + WINDOW_MS, used: 0 }
  const over = window.used >= key.limit
  if (!over) window.used++
  key.windows.set(endpoint, window)
  const headers = {
    'x-rate-limit-limit': String(key.limit),
    'x-rate-limit-remaining': String(key.limit - window.used),
    'x-rate-limit-reset': String(Math.ceil(window.until / 1000)),
  }
  return { over, headers }
}

function plain(status: number, title: string): ScriptedAnswer {
  return { status, body: { title, detail: title, type: 'about:blank', status } }
}

const CLIENT_FORBIDDEN: ScriptedAnswer = {
  status: 403,
  body: {
    title: 'Client Forbidden',
    detail: 'The app that this key belongs to is not attached to a project.',
    reason: 'client-not-enrolled',
    type: 'https://api.twitter.com/2/problems/client-forbidden',
  },
}
