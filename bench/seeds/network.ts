// The network of a simulated world, at the port that the engine fetches through. No sockets: an answer is made by the
// weather at its host and comes after some simulated time.
import { classify } from '../../src/fetching/classify.ts'
import { failureOf, statusFailure } from '../../src/fetching/failure.ts'
import { mergeValidators, NO_VALIDATORS, validatorsOf } from '../../src/fetching/validators.ts'
import type { Fetcher, FetchRequest, FetchResult } from '../../src/ports/fetcher.ts'
import { between, type Chance, streamOf } from '../seeded.ts'
import { asRss, type Entry, type Feed, feedOf } from './feeds.ts'
import type { Asking, Manners } from './manners.ts'
import type { SeedPlan } from './plan.ts'
import type { VirtualTime } from './virtual-time.ts'
import { outagesOf, type Period, type Trouble, troubleAt, weatherOf } from './weather.ts'

const HEADERS_TIMEOUT_MS = 30_000

export interface NetworkParts {
  readonly plan: SeedPlan
  readonly time: VirtualTime
  readonly manners: Manners
  /** Of the source that asks for this feed, at this host. */
  readonly delayMs: (feed: number | null, host: string, kind: Asking['kind']) => number
  readonly capMs: number
  /** An answer that shows these entries, or says that they are still the same, left for whoever asked. */
  readonly onServed: (feed: number, entries: readonly Entry[]) => void
}

interface Asked {
  readonly request: FetchRequest
  readonly host: string
  readonly path: string
  readonly feed: number | null
}

type Headers = Readonly<Record<string, string>>

export class SimulatedNetwork {
  readonly #parts: NetworkParts
  readonly #chance: Chance
  readonly #feeds = new Map<number, Feed>()
  readonly #weather: readonly (readonly Period[])[]
  readonly #outages: readonly Period[]

  constructor(parts: NetworkParts) {
    this.#parts = parts
    this.#chance = streamOf(parts.plan.seed, 'network')
    this.#weather = Array.from({ length: parts.plan.hosts }, (_, host) => weatherOf(parts.plan, host))
    this.#outages = outagesOf(parts.plan)
  }

  /** What one process sees of it; when that is dead, nothing comes back. */
  fetcherOf(isAlive: () => boolean): Fetcher {
    return {
      fetch: (request) =>
        new Promise((resolve) => {
          if (isAlive()) this.#ask(request, isAlive, resolve)
        }),
      close: async () => {},
    }
  }

  #ask(request: FetchRequest, isAlive: () => boolean, answer: (result: FetchResult) => void): void {
    const { time, manners, delayMs } = this.#parts
    const { hostname: host, pathname: path } = new URL(request.url)
    const feed = /^\/[fp]\/(\d+)/.exec(path)?.[1]
    const asked = { request, host, path, feed: feed === undefined ? null : Number(feed) }
    const kind = path === '/robots.txt' ? 'robots' : path.startsWith('/p/') ? 'page' : 'feed'
    const end = manners.begin({ host, path, kind, delayMs: () => delayMs(asked.feed, host, kind) })
    const trouble = this.#troubleOf(asked)
    const timer = time.after(this.#takesMs(trouble), () => {
      request.signal?.removeEventListener('abort', giveUp)
      // Whoever is dead hears nothing: its connection went with it.
      if (!isAlive()) return
      end()
      answer(this.#answer(asked, trouble))
    })
    const giveUp = (): void => {
      time.cancel(timer)
      end()
      answer({ kind: 'aborted' })
    }
    request.signal?.addEventListener('abort', giveUp, { once: true })
  }

  #troubleOf({ host, feed }: Asked): Trouble | null {
    const { elapsedMs } = this.#parts.time
    const number = Number(/\d+/.exec(host)?.[0])
    return troubleAt(this.#outages, elapsedMs, feed) ?? troubleAt(this.#weather[number] ?? [], elapsedMs, feed)
  }

  #takesMs(trouble: Trouble | null): number {
    if (trouble?.kind === 'silent') return HEADERS_TIMEOUT_MS
    return Math.floor(trouble?.kind === 'slow' ? between(this.#chance, 3000, 55_000) : between(this.#chance, 20, 900))
  }

  #answer(asked: Asked, trouble: Trouble | null): FetchResult {
    switch (trouble?.kind) {
      case 'status':
        return this.#status(asked, trouble.status, {})
      case 'throttle':
        return this.#throttle(asked, trouble)
      case 'error':
        return this.#failed(asked, classify({ code: trouble.code }, 'connect'))
      case 'silent':
        return this.#failed(asked, failureOf('headers-timeout', 'No answer within 30 s'))
      case 'redirect':
        return this.#redirect(asked, trouble)
      case 'garbage':
        return this.#body(asked, asked.request.url, 'Nothing to see here', {})
      case 'quota':
        this.#parts.manners.close(asked.host, trouble.seconds, this.#parts.capMs)
        return this.#good(asked, { 'ratelimit-remaining': '0', 'ratelimit-reset': String(trouble.seconds) })
      default:
        return this.#good(asked, {})
    }
  }

  #throttle(asked: Asked, { status, hint, seconds }: Extract<Trouble, { kind: 'throttle' }>): FetchResult {
    const { manners, capMs, time } = this.#parts
    if (hint !== null) manners.close(asked.host, seconds, capMs)
    else if (status === 429) manners.close(asked.host, 60, capMs)
    // A date has whole seconds.
    const until = new Date(Math.ceil((time.now() + seconds * 1000) / 1000) * 1000).toUTCString()
    const words = { seconds: { 'retry-after': String(seconds) }, date: { 'retry-after': until } }
    return this.#status(asked, status, hint === null ? {} : words[hint])
  }

  #redirect(asked: Asked, { status, away }: Extract<Trouble, { kind: 'redirect' }>): FetchResult {
    const { request, host, path, feed } = asked
    const trail = request.trail ?? []
    if (feed === null || trail.length > 0 || !path.startsWith('/f/')) return this.#good(asked, {})
    const other = `h${(Number(host.slice(1, 2)) + 1) % this.#parts.plan.hosts}.test`
    if (away && other !== host) {
      const location = `https://${other}${path}`
      const hop = { from: request.url, to: location, status }
      return { kind: 'elsewhere', location, ...this.#answered(asked, status, {}), trail: [...trail, hop] }
    }
    if (path.endsWith('/moved')) return this.#good(asked, {})
    const to = `${request.url}/moved`
    const moved = { ...asked, request: { ...request, url: to, trail: [...trail, { from: request.url, to, status }] } }
    return this.#good(moved, {})
  }

  #good(asked: Asked, headers: Headers): FetchResult {
    const { path, feed } = asked
    if (path === '/robots.txt') return this.#body(asked, 'robots', 'User-agent: *\nDisallow: /p/0/', headers)
    if (feed === null) return this.#status(asked, 404, {})
    return path.startsWith('/p/') ? this.#page(asked, headers) : this.#feed(asked, feed, headers)
  }

  #page(asked: Asked, headers: Headers): FetchResult {
    const text = `What stands behind ${asked.path} in full. `.repeat(30)
    const html = `<html><head><title>Page</title></head><body><article><h1>Page</h1><p>${text}</p></article></body></html>`
    return this.#body(asked, 'page', html, { ...headers, 'content-type': 'text/html' })
  }

  #feed(asked: Asked, number: number, given: Headers): FetchResult {
    const { plan, time, onServed } = this.#parts
    const feed = this.#feeds.get(number) ?? feedOf(plan, number)
    this.#feeds.set(number, feed)
    const entries = feed.entriesAt(time.trueNow())
    const text = asRss(number, entries)
    const etag = `"${number}-${entries[0]?.guid}-${text.length}"`
    const freshness = number % 4 === 1 ? { 'cache-control': 'max-age=1500' } : {}
    const validator = number % 3 === 0 ? {} : { etag }
    const headers = { ...given, ...freshness, ...validator, 'content-type': 'application/rss+xml' }
    onServed(number, entries)
    const { url, validators } = asked.request
    if (number % 3 !== 0 && validators?.etag === etag && (validators.from ?? url) === url) {
      const answered = this.#answered(asked, 304, headers)
      return { kind: 'not-modified', validators: mergeValidators(validators, headers, url), ...answered }
    }
    return this.#body(asked, url, text, headers)
  }

  #body(asked: Asked, _of: string, text: string, headers: Headers): FetchResult {
    const bytes = Buffer.from(text)
    const validators = headers.etag ? validatorsOf(headers, asked.request.url) : NO_VALIDATORS
    return { kind: 'body', bytes, validators, ...this.#answered(asked, 200, headers), wireBytes: bytes.length }
  }

  #status(asked: Asked, status: number, headers: Headers): FetchResult {
    return { kind: 'status', failure: statusFailure(status), excerpt: '', ...this.#answered(asked, status, headers) }
  }

  #failed({ request }: Asked, failure: ReturnType<typeof failureOf>): FetchResult {
    return { kind: 'failed', failure, url: request.url, trail: request.trail ?? [], wireBytes: 0 }
  }

  #answered({ request }: Asked, status: number, headers: Headers) {
    const date = new Date(this.#parts.time.trueNow()).toUTCString()
    return { status, url: request.url, headers: { date, ...headers }, trail: request.trail ?? [], wireBytes: 0 }
  }
}
