// The library: everything the product does, without its server. Nothing here reads the environment.
import { type App, createApp } from './app.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createReading, eventView, type Reading } from './catalogue/consumers/reading.ts'
import { isId, noSuch } from './catalogue/find.ts'
import type { PollView, PreviewView, WhyView } from './catalogue/shapes/answers.ts'
import { readDocumentInput } from './catalogue/shapes/document-input.ts'
import { readEventTypes } from './catalogue/shapes/event-types.ts'
import type { HostView } from './catalogue/shapes/polling-answers.ts'
import { pollView, whyView } from './catalogue/shapes/views.ts'
import { type PreviewInput, previewAddress } from './catalogue/sources/preview.ts'
import { configFrom } from './config.ts'
import type { EventType, StoredEvent } from './domain/event.ts'
import { DEFAULT_ID } from './domain/person.ts'
import { FileHold } from './index/file-hold.ts'
import { heldWhileAsking } from './index/held-sources.ts'
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
export type * from './index/types.ts'
export type { PreviewInput }

export interface TidingsOptions {
  readonly config?: PartialConfig
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
}

/** An event as listeners get it: one flat object. */
export type TidingsEvent = ReturnType<typeof eventView>

export interface Tidings extends Reading, AsyncDisposable {
  /** Users, podcasts, sources, keys, tokens, cursors and webhooks: the same fields and errors as REST. */
  readonly catalogue: Catalogue
  /** One pass of the scheduler. The polls that it starts go on by themselves: `drain` waits for them. */
  tick(): Promise<TickSummary>
  drain(): Promise<void>
  /** The current state: lanes at work, requests in flight, whether our own connection seems down. */
  status(): EngineStatus
  poll(sourceId: string, options?: { signal?: AbortSignal }): Promise<PollView>
  /** Why the source was or was not polled, and when it will be. */
  why(sourceId: string): Promise<WhyView>
  /** What a poll of an address would store. Stores nothing. */
  preview(input: PreviewInput, options?: { signal?: AbortSignal }): Promise<PreviewView>
  readonly posts: Reading['posts'] & {
    /** The page or transcript behind the post is asked when its lane is free. Throws `conflict` with why not. */
    requestFullText(podcastId: string, postId: string): Promise<void>
  }
  readonly hosts: Reading['hosts'] & {
    /** Closes the breaker of a host. What the host itself asked for (Retry-After) stays. */
    reset(host: string): Promise<HostView>
  }
  readonly events: {
    subscribe(options?: { types?: readonly EventType[]; signal?: AbortSignal }): AsyncIterableIterator<TidingsEvent>
  }
  /** Polls on schedule and sends messages to webhooks, until `stop`. */
  start(): Promise<void>
  /**
   * Stops polling and sending, and gives an SQLite file back, so that a `serve` or another instance can work on it.
   * Whatever is under way ends within ten seconds. Everything else still works, and so does another `start`. Disposing
   * closes the store too.
   */
  stop(): Promise<void>
}

/** Throws the problem 'store-in-use' if a `serve` or another instance works on the same SQLite file. */
export async function createTidings(options: TidingsOptions = {}): Promise<Tidings> {
  const config = configFrom(options.config)
  // Nothing is logged unless the caller passes a log or configures one.
  const log = options.log ?? (options.config?.log ? createLog(config.log) : silentLog)
  const { clock, random } = options
  const hold = new FileHold(config.database.url)
  await hold.take()
  try {
    return tidingsOf(await createApp({ config, log, ...(clock && { clock }), ...(random && { random }) }), hold)
  } catch (error) {
    hold.release()
    throw error
  }
}

function tidingsOf(app: App, hold: FileHold): Tidings {
  const { engine, catalogue } = app
  const reading = createReading(app)
  return {
    ...reading,
    ...whatAsks(app, hold),
    posts: {
      ...reading.posts,
      async requestFullText(podcastId, postId) {
        // The page is asked after this returns, so the file stays held.
        await hold.take()
        await engine.requestFullText(podcastId, postId)
      },
    },
    catalogue: { ...catalogue, sources: heldWhileAsking(catalogue.sources, hold) },
    status: () => engine.status(),
    async why(sourceId) {
      if (!isId(sourceId)) throw noSuch('source')
      return whyView(await engine.why(sourceId))
    },
    hosts: {
      ...reading.hosts,
      async reset(host) {
        const { host: lane } = await reading.hosts.get(host)
        await engine.resetBreaker(lane)
        return reading.hosts.get(lane)
      },
    },
    events: {
      subscribe: ({ types, ...how } = {}) =>
        viewed(app.events.subscribe({ ...how, ...(types == null ? {} : { types: readEventTypes(types) }) })),
    },
  }
}

/** What makes requests, or ends them: only while the file is held. */
function whatAsks(app: App, hold: FileHold) {
  const { engine, catalogue } = app
  const { types, shapes } = catalogue
  async function held<T>(work: () => Promise<T>): Promise<T> {
    await hold.take()
    return work()
  }
  return {
    tick: () => held(() => engine.tick()),
    drain: () => held(() => engine.drain()),
    start: () => held(() => app.start()),
    async poll(sourceId: string, how?: { signal?: AbortSignal }) {
      if (!isId(sourceId)) throw noSuch('source')
      return pollView(await hold.during(() => engine.poll(sourceId, how)))
    },
    preview: (input: PreviewInput, how?: { signal?: AbortSignal }) =>
      hold.during(() => previewAddress({ types, shapes, engine: () => engine }, DEFAULT_ID, input, how)),
    async stop() {
      await app.rest()
      hold.release()
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      hold.release()
    },
  }
}

async function* viewed(events: AsyncIterable<StoredEvent>): AsyncGenerator<TidingsEvent> {
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
function entryView({ content, transcriptUrl: _transcript, image, ...entry }: FeedEntry) {
  const view = { ...entry, publishedAt: isoOrNull(entry.publishedAt) }
  Object.defineProperties(view, CLEANED_LATER)
  Object.defineProperty(view, WRITTEN, { value: { content, image, cleaned: null } satisfies Written })
  // TypeScript does not follow the definitions above.
  return view as typeof view & { readonly html: string | null; readonly image: string | null }
}

const WRITTEN = Symbol('written')
type Written = Pick<FeedEntry, 'content' | 'image'> & { cleaned: CleanHtml | null }
type View = { [WRITTEN]: Written }

/** All entries share these two getters. With getters of its own, an entry stays in memory until a full collection. */
const CLEANED_LATER: PropertyDescriptorMap & ThisType<View> = {
  html: {
    enumerable: true,
    configurable: true,
    get() {
      return cleanedOf(this[WRITTEN]).html
    },
  },
  image: {
    enumerable: true,
    configurable: true,
    get() {
      return this[WRITTEN].image ?? cleanedOf(this[WRITTEN]).image
    },
  },
}

function cleanedOf(written: Written): CleanHtml {
  const { content } = written
  written.cleaned ??= content === null ? { html: null, image: null } : cleanHtml(content.html, content.base)
  return written.cleaned
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
