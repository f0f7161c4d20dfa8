// Answers for all hosts of the pictures, as a proxy: their names exist nowhere else. Some of them have bad days.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ManualClock } from '../../test/support/manual-clock.ts'
import { FEEDS, type Feed, QUIET, rssOf } from './feeds.ts'

const MINUTE_MS = 60_000
const QUIET_MS = 240 * 60 * MINUTE_MS

export interface Origins extends AsyncDisposable {
  readonly url: string
  /** From now on answers take real time. */
  goLive(): void
}

/** `endsAt`: when the pictures are taken, about. Troubles are placed before that. */
export async function startOrigins(clock: ManualClock, endsAt: number): Promise<Origins> {
  let isLive = false
  const server = createServer(async (request, response) => {
    const tookMs = 90 + Math.random() * 500
    if (isLive) await new Promise((resolve) => setTimeout(resolve, tookMs))
    else clock.setTo(clock.now() + tookMs)
    answer(request, response, isLive ? Date.now() : clock.now(), endsAt)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server does not listen')
  return {
    url: `http://127.0.0.1:${bound.port}`,
    goLive() {
      isLive = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, now: number, endsAt: number): void {
  const url = new URL(request.url ?? '', 'http://api.example')
  if (url.pathname.startsWith('/2/')) {
    answerX(url, response, now)
    return
  }
  const feed = [...FEEDS, QUIET].find(({ host, path }) => host === url.hostname && `/${path}` === url.pathname)
  const minutesLeft = (endsAt - now) / MINUTE_MS
  const trouble = feed ? troubleOf(feed, minutesLeft) : { status: 404, headers: {} }
  if (!feed || trouble) {
    response.writeHead(trouble?.status ?? 404, trouble?.headers ?? {}).end()
    return
  }
  const body = rssOf(feed, feed === QUIET ? Math.min(now, endsAt - QUIET_MS) : now)
  response.setHeader('content-type', 'application/rss+xml').end(body)
}

interface Trouble {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

function troubleOf({ host, path }: Feed, minutesLeft: number): Trouble | null {
  if (host === 'sailmakers.example' && minutesLeft < 14) return { status: 429, headers: { 'retry-after': '1500' } }
  if (host === 'rope-and-knot.example' && minutesLeft < 50) return { status: 403, headers: {} }
  if (host === 'lighthouse.example' && path === 'blog' && (minutesLeft < 24 || Math.floor(minutesLeft / 60) % 9 === 4))
    return { status: 503, headers: {} }
  if (host === 'fishmarket.example' && Math.floor(minutesLeft / 30) % 17 === 3) return { status: 502, headers: {} }
  return null
}

/** Just enough of the X API for an account that posts every two hours. */
function answerX(url: URL, response: ServerResponse, now: number): void {
  response.setHeader('content-type', 'application/json')
  const name = /\/2\/users\/by\/username\/(\w+)/.exec(url.pathname)?.[1]
  if (name) {
    response.end(JSON.stringify({ data: { id: String(name.length), name, username: name } }))
    return
  }
  const last = Math.floor(now / (120 * MINUTE_MS))
  const since = Number(url.searchParams.get('since_id') ?? 0)
  const data = Array.from({ length: 5 }, (_, index) => last - index)
    .filter((id) => id > since)
    .map((id) => ({
      id: String(id),
      text: `Ferry ${id % 40} leaves on time.`,
      author_id: '1',
      created_at: new Date(id * 120 * MINUTE_MS).toISOString(),
    }))
  response.end(JSON.stringify({ data, meta: { result_count: data.length } }))
}
