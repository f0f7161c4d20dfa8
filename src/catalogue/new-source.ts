// A source on its first day: nothing polled, nothing planned. The next tick spreads first polls.
import type { NewEvent } from '../domain/event.ts'
import { GOOD_HEALTH } from '../domain/health.ts'
import type { Source, SourceSettings } from '../domain/source.ts'
import type { Place } from './try-address.ts'

export interface FirstDay {
  readonly id: string
  readonly userId: string
  readonly settings: SourceSettings
  readonly place: Place
  readonly where: Pick<Source, 'host' | 'lane'>
  readonly trusted: boolean
  readonly now: number
}

export function newSourceRow({ id, userId, settings, place, where, trusted, now }: FirstDay): Source {
  return {
    ...settings,
    ...GOOD_HEALTH,
    ...where,
    id,
    userId,
    trusted,
    feedUrl: place.feedUrl,
    urlKey: place.address.urlKey,
    hasCredentials: place.address.credentials !== null,
    createdAt: now,
    version: 1,
    lastPolled: null,
    lastSucceededAt: null,
    lastSeenId: null,
    nextPollAt: null,
    validators: { etag: null, lastModified: null },
    bodyHash: null,
    feedFreshness: null,
    freshUntil: null,
    retryAt: null,
    redirect: null,
  }
}

export function sourceCreated(source: Source): NewEvent {
  const { userId, podcastId, id: sourceId, host, url, type: sourceType, label, createdAt: at } = source
  return { type: 'source.created', at, userId, podcastId, sourceId, host, data: { url, sourceType, label } }
}
