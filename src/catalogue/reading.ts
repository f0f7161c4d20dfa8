// What consumers of the library read: posts, articles, polls, hosts and events, in the public shapes.

import type { z } from 'zod'
import type { EventType, StoredEvent } from '../domain/event.ts'
import { Problem } from '../domain/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Store } from '../ports/store.ts'
import type { ArticleView, HostView, PollView, PostView } from './answers.ts'
import { hostView } from './host-view.ts'
import { type List, listOf } from './paging.ts'
import { articleIds, articleQuery, pageQuery, postQuery } from './schemas.ts'
import { readInput } from './validate.ts'
import { articleView, iso, pollView, postView } from './views.ts'

export interface ReadingParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'source'>
}

type Query<S extends z.ZodType> = z.input<S>

export interface Reading {
  readonly posts: { list(podcastId: string, query?: Query<typeof postQuery>): Promise<List<PostView>> }
  readonly articles: {
    list(podcastId: string, query?: Query<typeof articleQuery>): Promise<List<ArticleView>>
    markProcessed(podcastId: string, ids: readonly string[]): Promise<{ updated: number }>
  }
  readonly polls: { list(sourceId: string, query?: Query<typeof pageQuery>): Promise<List<PollView>> }
  readonly hosts: {
    get(host: string): Promise<HostView>
    list(query?: Query<typeof pageQuery>): Promise<List<HostView>>
  }
}

export function createReading({ store, clock, config }: ReadingParts): Reading {
  async function podcast(id: string): Promise<string> {
    if (!(await store.getPodcast(id))) throw new Problem('not-found', 'There is no such podcast.')
    return id
  }
  return {
    posts: {
      async list(podcastId, query = {}) {
        const { limit, cursor, since, source, unlinked, q } = readInput(postQuery, query)
        const wanted = { limit, cursor: cursor ?? null, since: since ?? null, sourceId: source ?? null, q: q || null }
        const page = await store.listPosts({
          podcastId: await podcast(podcastId),
          ...wanted,
          unlinked: unlinked ?? false,
        })
        return listOf(page, postView)
      },
    },
    articles: {
      async list(podcastId, query = {}) {
        const { limit, cursor, processed } = readInput(articleQuery, query)
        const wanted = { limit, cursor: cursor ?? null, processed: processed ?? null }
        return listOf(await store.listArticles({ podcastId: await podcast(podcastId), ...wanted }), articleView)
      },
      async markProcessed(podcastId, given) {
        const { ids } = readInput(articleIds, { ids: [...given] })
        const updated = await store.markProcessed(await podcast(podcastId), ids, true)
        if (updated === null)
          throw new Problem('not-found', 'One of the ids is not an article of this podcast. Nothing was changed.')
        return { updated }
      },
    },
    polls: {
      async list(sourceId, query = {}) {
        const { limit, cursor } = readInput(pageQuery, query)
        if (!(await store.getSource(sourceId))) throw new Problem('not-found', 'There is no such source.')
        return listOf(await store.listPolls(sourceId, { limit, cursor: cursor ?? null }), pollView)
      },
    },
    hosts: {
      async get(host) {
        const listing = await store.hostListing(host.toLowerCase(), { userId: null, now: clock.now() })
        if (!listing) throw new Problem('not-found', 'There is no such host.')
        return hostView(listing, config.source, clock.now(), null)
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

/** An event as listeners get it: what it is about stands beside its type and instant. */
export function eventView(event: StoredEvent): { type: EventType; at: string; id: string; [about: string]: unknown } {
  const { id, type, at, sourceId, podcastId, userId, host, data } = event
  const about = Object.entries({ sourceId, podcastId, userId, host }).filter(([, value]) => value !== null)
  // What it is about never hides what it is.
  return { ...data, id, type, at: iso(at), ...Object.fromEntries(about) }
}
