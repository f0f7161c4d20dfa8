// What the contract suite works with: a fresh store per test, and small makers of things.
import { test } from 'node:test'
import type { Article } from '../../src/domain/article.ts'
import type { EventType, NewEvent } from '../../src/domain/event.ts'
import { NOTHING_SKIPPED, type PollRecord } from '../../src/domain/outcome.ts'
import type { Candidate } from '../../src/domain/post.ts'
import { NEVER_POLLED, type Source } from '../../src/domain/source.ts'
import { defaultSettings } from '../../src/domain/source-settings.ts'
import type { PollEffects, PollWrite, PollWritten } from '../../src/ports/polling-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { slices } from '../../src/storage/database/insert-rows.ts'
import { type EventFacts, eventOf } from '../support/events.ts'
import type { StoreAndDatabase } from '../support/store-and-database.ts'

export interface Opened extends StoreAndDatabase {
  /** Another store on the same database, as another process would have it. */
  again(): Promise<Store>
}

export type Opener = () => Promise<Opened & { close(): Promise<void> }>

export type Check = (name: string, body: (opened: Opened) => Promise<void>) => void

export function checkWith(open: Opener): Check {
  return (name, body) => {
    test(name, async () => {
      const opened = await open()
      try {
        await body(opened)
      } finally {
        await opened.close()
      }
    })
  }
}

export const DAY_MS = 24 * 3_600_000
/** An instant like real ones: beyond what 32 bits hold. */
export const NOW = Date.UTC(2026, 10, 15, 12)
export const ALL = { limit: 500, cursor: null }

export function aSource(id: string, given: Partial<Source> = {}): Source {
  const url = given.url ?? `https://${given.host ?? 'a.example'}/${id}`
  return {
    id,
    podcastId: 'default',
    userId: 'default',
    type: 'rss',
    url,
    ...defaultSettings({ pollIntervalMinutes: 30 }),
    hasOwnInterval: true,
    enabled: true,
    ...NEVER_POLLED,
    host: 'a.example',
    lane: given.host ?? 'a.example',
    urlKey: url,
    hasCredentials: false,
    trusted: true,
    typedHost: null,
    createdAt: NOW,
    version: 1,
    ...given,
  }
}

export async function withSources(store: Store, ...sources: Source[]): Promise<void> {
  // Some at a time: on a busy machine thousands would wait too long for a connection.
  for (const some of slices(sources, 100)) await Promise.all(some.map((source) => store.addSource(source, [], null)))
}

export function aCandidate(n: number | string, given: Partial<Candidate> = {}): Candidate {
  return {
    title: `Title ${n}`,
    body: `Body ${n}`,
    url: `https://a.example/posts/${n}`,
    publishedAt: NOW - 1000,
    author: null,
    guid: `guid-${n}`,
    categories: [],
    contentHash: `hash-${n}`,
    ...given,
  }
}

export function anEvent({
  type = 'poll.finished',
  ...given
}: EventFacts & { readonly type?: EventType } = {}): NewEvent {
  const about = { at: NOW, userId: 'default', podcastId: 'default', sourceId: 's1', host: 'a.example' }
  return eventOf(type, { ...about, ...given })
}

export function aRecord(sourceId: string, given: Partial<PollRecord> = {}): Omit<PollRecord, 'id'> {
  return {
    sourceId,
    startedAt: NOW,
    durationMs: 12,
    trigger: 'tick',
    outcome: 'success',
    httpStatus: 200,
    notModified: false,
    bytes: 1000,
    found: 0,
    created: 0,
    skipped: NOTHING_SKIPPED,
    gap: false,
    reason: null,
    ...given,
  }
}

export type Poll = Partial<Omit<PollWrite, 'decide'>> & {
  readonly effects?: Partial<PollEffects>
  readonly decide?: PollWrite['decide']
}

/** Records a poll of `sourceId` that does what it is told and nothing else. */
export function poll(store: Store, sourceId: string, { effects, ...given }: Poll = {}): Promise<PollWritten> {
  return store.recordPoll({
    sourceId,
    version: 1,
    posts: [],
    tombstones: [],
    carried: null,
    at: NOW,
    lane: null,
    decide: ({ created }) => ({
      source: {},
      host: null,
      record: aRecord(sourceId, { created }),
      events: [],
      ...effects,
    }),
    ...given,
  })
}

export function anArticle(
  sourceId: string,
  postIds: readonly string[],
  given: Partial<Article> = {},
): Omit<Article, 'id'> {
  return {
    podcastId: 'default',
    sourceId,
    title: 'An article',
    body: 'Its body',
    url: 'https://a.example/article',
    publishedAt: null,
    author: null,
    contentHash: 'article-hash',
    isProcessed: false,
    processedAt: null,
    createdAt: NOW,
    postIds,
    ...given,
  }
}
