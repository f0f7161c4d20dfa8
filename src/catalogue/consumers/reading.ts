// What users of the library read: posts, articles, polls, hosts and events, as the API answers them.

import type { z } from 'zod'
import type { EventType, StoredEvent } from '../../domain/event.ts'
import { laneNamed } from '../../domain/lane.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Store } from '../../ports/store.ts'
import { findSource, isId, noSuch } from '../find.ts'
import type { PollView } from '../shapes/answers.ts'
import { hostView } from '../shapes/host-view.ts'
import { type List, listOf } from '../shapes/paging.ts'
import type { HostView } from '../shapes/polling-answers.ts'
import { pageQuery } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { iso, pollView } from '../shapes/views.ts'
import { type ArticleCatalogue, createArticles } from './articles.ts'
import { createPosts, type PostCatalogue } from './posts.ts'

export interface ReadingParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'source'>
  readonly types: SourceTypes
  readonly documents: Pick<Documents, 'toMarkdown'>
}

type Query<S extends z.ZodType> = z.input<S>

export interface Reading {
  readonly posts: PostCatalogue
  readonly articles: ArticleCatalogue
  readonly polls: { list(sourceId: string, query?: Query<typeof pageQuery>): Promise<List<PollView>> }
  readonly hosts: {
    get(host: string): Promise<HostView>
    list(query?: Query<typeof pageQuery>): Promise<List<HostView>>
  }
}

export function createReading(parts: ReadingParts): Reading {
  const { store, clock, config, types } = parts
  return {
    posts: createPosts(parts),
    articles: createArticles(parts),
    polls: {
      async list(sourceId, query = {}) {
        const { limit, cursor } = readInput(pageQuery, query)
        await findSource(store, sourceId)
        return listOf(await store.listPolls(sourceId, { limit, cursor: cursor ?? null }), pollView)
      },
    },
    hosts: {
      async get(host) {
        const now = clock.now()
        const listing = isId(host)
          ? await store.hostListing(laneNamed(host, types.services), { userId: null, now })
          : null
        if (!listing) throw noSuch('host')
        return hostView(listing, config.source, now, null)
      },
      async list(query = {}) {
        const { limit, cursor } = readInput(pageQuery, query)
        const now = clock.now()
        const page = await store.listHosts({ limit, cursor: cursor ?? null, userId: null, now })
        return listOf(page, (listing) => hostView(listing, config.source, now, null))
      },
    },
  }
}

/** An event as listeners get it: one flat object. */
export function eventView(event: StoredEvent): { type: EventType; at: string; id: string; [field: string]: unknown } {
  const { id, type, at, sourceId, podcastId, userId, host, data } = event
  const subject = Object.entries({ sourceId, podcastId, userId, host }).filter(([, value]) => value !== null)
  // Nothing in `data` may replace the fields of the event itself.
  return { ...data, id, type, at: iso(at), ...Object.fromEntries(subject) }
}
