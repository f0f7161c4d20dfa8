// Articles for consumers: made on request, read, and marked as processed.
// See docs/decisions/0081-window-limits-arrival-age-limit-limits-date.md
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { DAY_MS } from '../../domain/schedule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Store } from '../../ports/store.ts'
import { findPodcast, isId, noSuch } from '../find.ts'
import type { ArticleView, ArticleWithPostsView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { aggregateInput, articleIds, articleQuery } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { articleView } from '../shapes/views.ts'
import { completePosts } from './post-parts.ts'

export interface ArticleParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'source'>
  readonly documents: Pick<Documents, 'toMarkdown'>
}

export interface ArticleCatalogue {
  list(podcastId: string, query?: z.input<typeof articleQuery>): Promise<List<ArticleView>>
  /** Of all podcasts of a user; null: of everybody. */
  listAll(userId: string | null, query?: z.input<typeof articleQuery>): Promise<List<ArticleView>>
  /** podcastId null: of any podcast. */
  get(podcastId: string | null, id: string): Promise<ArticleWithPostsView>
  /** Turns unlinked posts of the window into articles. The answer has the new articles, not those that got more posts. */
  aggregate(
    podcastId: string,
    input?: z.input<typeof aggregateInput>,
  ): Promise<{ created: ArticleView[]; waiting: number }>
  /** Marks all of the ids or none. */
  markProcessed(podcastId: string, ids: readonly string[]): Promise<{ updated: number }>
  markUnprocessed(podcastId: string, ids: readonly string[]): Promise<{ updated: number }>
}

export function createArticles({ store, clock, config, documents }: ArticleParts): ArticleCatalogue {
  async function mark(podcastId: string, given: readonly string[], processed: boolean) {
    const { ids } = readInput(articleIds, { ids: given })
    const { id } = await findPodcast(store, podcastId)
    const updated = await store.markProcessed(id, ids, processed && { at: clock.now() })
    if (updated !== null) return { updated }
    throw new Problem('not-found', 'One of the ids is not an article of this podcast. Nothing was changed.')
  }

  return {
    async list(podcastId, query = {}) {
      const { limit, cursor = null, processed = null } = readInput(articleQuery, query)
      const { id } = await findPodcast(store, podcastId)
      return listOf(await store.listArticles({ podcastId: id, limit, cursor, processed }), articleView)
    },
    async listAll(userId, query = {}) {
      const { limit, cursor = null, processed = null } = readInput(articleQuery, query)
      return listOf(await store.listArticles({ podcastId: null, userId, limit, cursor, processed }), articleView)
    },
    async get(podcastId, id) {
      const found = (podcastId === null || isId(podcastId)) && isId(id) ? await store.getArticle(podcastId, id) : null
      if (!found) throw noSuch('article')
      return { ...articleView(found.article), posts: await completePosts({ store, documents }, found.posts) }
    },
    async aggregate(podcastId, input = {}) {
      const { windowDays, reprocessPostIds } = readInput(aggregateInput, input)
      const podcast = await findPodcast(store, podcastId)
      const ageDays = podcast.maxArticleAgeDays ?? config.source.maxArticleAgeDays
      const days = windowDays ?? ageDays
      const at = clock.now()
      const made = await store.aggregateArticles({
        ...{ podcastId, at, mode: config.source.aggregateMode, reprocessPostIds: reprocessPostIds ?? [] },
        createdSince: Math.round(at - days * DAY_MS),
        // The age limit holds for any window: clean-up would remove an older article at once.
        publishedSince: Math.round(at - ageDays * DAY_MS),
      })
      if (made.kind === 'aggregated') return { created: made.created.map(articleView), waiting: made.waiting }
      if (made.kind === 'no-podcast') throw noSuch('podcast')
      throw new Problem('not-found', 'One of the ids is not a post of this podcast. Nothing was changed.')
    },
    markProcessed: (podcastId, ids) => mark(podcastId, ids, true),
    markUnprocessed: (podcastId, ids) => mark(podcastId, ids, false),
  }
}
