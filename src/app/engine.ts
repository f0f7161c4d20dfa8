// The polling engine with its readers: one per source type.
import { randomUUID } from 'node:crypto'
import { getDomain } from 'tldts'
import { hostOf, webAddressKey } from '../domain/address.ts'
import type { SourceTypes } from '../domain/source-type.ts'
import { dayOf, firstDayOfMonth, waitForNextMonth } from '../domain/x-posts-limit.ts'
import { AloneCoordinator } from '../polling/coordination/alone.ts'
import { SharedCoordinator } from '../polling/coordination/shared.ts'
import { PollingEngine } from '../polling/engine.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Coordinator } from '../ports/coordinator.ts'
import type { Documents } from '../ports/documents.ts'
import type { Fetcher } from '../ports/fetcher.ts'
import type { Log } from '../ports/log.ts'
import { type Readers, readerOf } from '../ports/reader.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import { createDiscover } from '../sources/discovery/discover.ts'
import { createFeedSource } from '../sources/feed/feed-source.ts'
import { createWebsiteSource } from '../sources/website/website-source.ts'
import { createXSource, type XSourceOptions } from '../sources/x/x-source.ts'
import { createYoutubeSource } from '../sources/youtube/youtube-source.ts'
import type { AddedType } from './source-types.ts'
import { credentialsOf, xKeyOf } from './stored-secrets.ts'

export interface EngineParts {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly store: Store
  readonly secrets: Secrets
  readonly documents: Documents
  readonly fetcher: Fetcher
  readonly types: SourceTypes
  readonly addedTypes: readonly AddedType[]
  readonly sharesFile: boolean
  /** A clock that a caller passed in: such a process does not share a queue, whose time is that of the database. */
  readonly hasOwnClock?: boolean
}

export function createEngine(parts: EngineParts): PollingEngine {
  const { config, clock, random, log, store, secrets, documents, fetcher, types } = parts
  const readers = createReaders(parts)
  return new PollingEngine({
    ...{ clock, random, log, store, fetcher, types, readers, documents, sameDomain },
    rules: config.source,
    content: config.content,
    limits: config.limits,
    coordinator: createCoordinator(parts),
    openLaneQueue: store.openLaneQueue && !parts.hasOwnClock ? store.openLaneQueue : null,
    discover: createDiscover(documents, types, readers),
    credentials: (source) => credentialsOf(source, store, secrets),
    urlKeyOf: webAddressKey,
  })
}

function createReaders(parts: EngineParts): Readers {
  const { documents, types, addedTypes } = parts
  const reading = { documents, lateArrivalHours: parts.config.source.lateArrivalHours }
  const readers: Readers = {
    rss: createFeedSource(reading),
    website: createWebsiteSource(documents),
    youtube: createYoutubeSource(reading),
    twitter: createXSource(xOptions(parts)),
    ...Object.fromEntries(addedTypes.map(({ type, reader }) => [type.name, reader])),
  }
  // A type without a reader throws now, not at its first poll.
  for (const name of types.names) readerOf(readers, name)
  return readers
}

function xOptions({ config, clock, store, secrets }: EngineParts): XSourceOptions {
  const { baseUrl, maxPostsPerMonth: most } = config.x
  return {
    baseUrl,
    keyOf: (userId) => xKeyOf(userId, store, secrets),
    now: () => clock.now(),
    maxArticleAgeDays: async ({ podcastId }) =>
      (await store.getPodcast(podcastId))?.maxArticleAgeDays ?? config.source.maxArticleAgeDays,
    usage: {
      count: (userId, posts) => store.countXPostsRead(userId, dayOf(clock.now()), posts),
      waiting: async (userId) => {
        if (most === 0) return null
        const now = clock.now()
        return waitForNextMonth(await store.xPostsReadSince(userId, firstDayOfMonth(now)), most, now)
      },
    },
  }
}

/** Processes that share a store agree through it on who visits a host. */
function createCoordinator({ clock, log, store, sharesFile }: EngineParts): Coordinator {
  const isShared = store.engine === 'postgres' || sharesFile
  return isShared ? new SharedCoordinator({ clock, log, store, processId: randomUUID() }) : new AloneCoordinator(store)
}

function sameDomain(a: string, b: string): boolean {
  const [one, other] = [hostOf(a), hostOf(b)]
  if (one === null || other === null) return false
  return one === other || (getDomain(one) !== null && getDomain(one) === getDomain(other))
}
