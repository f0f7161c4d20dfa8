// The row of a new source. It has no plan yet: the next tick spreads the first polls.
import type { NewEvent } from '../../domain/event.ts'
import { NEVER_POLLED, type Source, type SourceSettings } from '../../domain/source.ts'
import type { Place } from './test-address.ts'

export interface NewSourceFacts {
  readonly id: string
  readonly userId: string
  readonly settings: SourceSettings
  readonly place: Place
  readonly where: Pick<Source, 'host' | 'lane'>
  readonly trusted: boolean
  readonly now: number
}

export function newSourceRow({ id, userId, settings, place, where, trusted, now }: NewSourceFacts): Source {
  return {
    ...settings,
    ...NEVER_POLLED,
    ...where,
    id,
    userId,
    trusted,
    typedHost: place.typedHost ?? null,
    feedUrl: place.feedUrl,
    urlKey: place.address.urlKey,
    hasCredentials: place.address.credentials !== null,
    createdAt: now,
    version: 1,
  }
}

export function sourceCreated(source: Source): NewEvent {
  const { userId, podcastId, id: sourceId, host, url, type: sourceType, label, createdAt: at } = source
  return { type: 'source.created', at, userId, podcastId, sourceId, host, data: { url, sourceType, label } }
}
