// The library: everything the product does, without its server. Nothing here reads the environment.
import { createApp } from './app.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createReading, eventView, type Reading } from './catalogue/consumers/reading.ts'
import { isId, noSuch } from './catalogue/find.ts'
import type { PollView } from './catalogue/shapes/answers.ts'
import { readDocumentInput } from './catalogue/shapes/document-input.ts'
import { readEventTypes } from './catalogue/shapes/event-types.ts'
import { pollView } from './catalogue/shapes/views.ts'
import { configFrom } from './config.ts'
import type { EventType, StoredEvent } from './domain/event.ts'
import { createLog, silentLog } from './log.ts'
import type { Clock, Random } from './ports/clock.ts'
import type { PartialConfig } from './ports/config.ts'
import type { EngineStatus, TickSummary } from './ports/engine.ts'
import type { Log } from './ports/log.ts'
import type { FeedEntry } from './sources/feed/feed-document.ts'
import { readFeed as readFeedDocument } from './sources/feed/read-feed.ts'
import { type CleanHtml, cleanHtml } from './sources/html/clean-html.ts'
import { readPage as readPageDocument } from './sources/website/read-page.ts'

export { Problem } from './domain/problem.ts'
export type { Catalogue, Clock, EngineStatus, Log, PartialConfig, Random, TickSummary }

export interface TidingsOptions {
  readonly config?: PartialConfig
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
}

export interface Tidings extends Reading, AsyncDisposable {
  readonly catalogue: Pick<Catalogue, 'users' | 'podcasts' | 'sources'>
  tick(): Promise<TickSummary>
  drain(): Promise<void>
  /** The current state: lanes at work, requests in flight, whether our own connection seems down. */
  status(): EngineStatus
  poll(sourceId: string, options?: { signal?: AbortSignal }): Promise<PollView>
  readonly events: {
    subscribe(options?: {
      types?: readonly EventType[]
      signal?: AbortSignal
    }): AsyncIterableIterator<ReturnType<typeof eventView>>
  }
  /** Polls on schedule and sends messages to webhooks, until `stop`. */
  start(): Promise<void>
  /**
   * Stops polling and sending. Whatever is under way ends within ten seconds. Everything else still works, and so does
   * another `start`. Disposing closes the store too.
   */
  stop(): Promise<void>
}

export async function createTidings(options: TidingsOptions = {}): Promise<Tidings> {
  const config = configFrom(options.config)
  // Nothing is logged unless the caller passes a log or configures one.
  const log = options.log ?? (options.config?.log ? createLog(config.log) : silentLog)
  const { clock, random } = options
  const app = await createApp({ config, log, ...(clock && { clock }), ...(random && { random }) })
  const { engine, catalogue } = app
  return {
    catalogue,
    ...createReading(app),
    tick: () => engine.tick(),
    drain: () => engine.drain(),
    status: () => engine.status(),
    async poll(sourceId, how) {
      if (!isId(sourceId)) throw noSuch('source')
      return pollView(await engine.poll(sourceId, how))
    },
    events: {
      subscribe: ({ types, ...how } = {}) =>
        viewed(app.events.subscribe({ ...how, ...(types == null ? {} : { types: readEventTypes(types) }) })),
    },
    start: () => app.start(),
    stop: () => app.rest(),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

async function* viewed(events: AsyncIterable<StoredEvent>): AsyncGenerator<ReturnType<typeof eventView>> {
  for await (const event of events) yield eventView(event)
}

export interface DocumentContext {
  readonly contentType?: string
  readonly url: string
}

/**
 * A feed's bytes as entries: pure, no network. Throws an Error with a stable `code` when there is nothing to read, a
 * Problem when it is called with something else.
 */
export function readFeed(bytes: Uint8Array | ArrayBuffer, context: DocumentContext) {
  const given = readDocumentInput(bytes, context)
  const feed = readFeedDocument(given.bytes, given.context)
  return { ...feed, entries: feed.entries.map(entryView) }
}

/**
 * Cleaning HTML costs far more than reading the feed, so it is done when `html` or `image` is first asked for. Both are
 * ordinary fields for whoever copies or prints the entry.
 */
function entryView({ content, transcriptUrl: _transcript, ...entry }: FeedEntry) {
  let cleaned: CleanHtml | null = null
  const clean = (): CleanHtml => {
    cleaned ??= content === null ? { html: null, image: null } : cleanHtml(content.html, content.base)
    return cleaned
  }
  return {
    ...entry,
    publishedAt: isoOrNull(entry.publishedAt),
    get html(): string | null {
      return clean().html
    },
    get image(): string | null {
      return entry.image ?? clean().image
    },
  }
}

/** A page's bytes as title and main text: pure, no network. Throws like readFeed. */
export function readPage(bytes: Uint8Array | ArrayBuffer, context: DocumentContext) {
  const given = readDocumentInput(bytes, context)
  const page = readPageDocument(given.bytes, given.context)
  return { ...page, publishedAt: isoOrNull(page.publishedAt) }
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
