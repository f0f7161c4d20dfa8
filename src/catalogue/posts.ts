// Posts of a podcast: newest first to look at, or after a position in commit order to follow without gaps.
import type { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Store } from '../ports/store.ts'
import type { PostView } from './answers.ts'
import { type List, listOf } from './paging.ts'
import { postQuery } from './schemas.ts'
import { invalidInput, readInput } from './validate.ts'
import { postView } from './views.ts'

export interface FollowedPosts {
  readonly items: PostView[]
  /** Where the next question goes on. */
  readonly position: string
}

export interface PostCatalogue {
  /** With `after`: oldest first, all that came after that position. */
  list(podcastId: string, query?: z.input<typeof postQuery>): Promise<List<PostView> & { readonly position?: string }>
}

type Query = z.output<typeof postQuery>

export function createPosts({ store }: { readonly store: Store }): PostCatalogue {
  async function follow(podcastId: string, { after, limit, ...others }: Query & { readonly after: string }) {
    const alone = Object.entries(others).filter(([, value]) => value !== undefined && value !== null)
    const message = 'cannot be combined with after: a position walks through all posts of the podcast'
    if (alone.length > 0) throw invalidInput(alone.map(([path]) => ({ path, message })))
    const posts = await store.postsAfter(podcastId, after, limit)
    return { items: posts.map(postView), nextCursor: null, position: posts.at(-1)?.id ?? after }
  }

  return {
    async list(podcastId, given = {}) {
      const query = readInput(postQuery, given)
      if (!(await store.getPodcast(podcastId))) throw new Problem('not-found', 'There is no such podcast.')
      if (typeof query.after === 'string') return follow(podcastId, { ...query, after: query.after })
      const { limit, cursor = null, since = null, source = null, label = null, unlinked = false, q = null } = query
      const wanted = { limit, cursor, since, sourceId: source, label, unlinked, q: q || null }
      return listOf(await store.listPosts({ podcastId, ...wanted }), postView)
    },
  }
}
