// The posts of a podcast: newest first to look at, or in commit order after a position, to follow without gaps.
import type { z } from 'zod'
import type { PodcastScope } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'
import { findPodcast, isId, noSuch } from '../find.ts'
import type { PostView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { postQuery } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'
import { postView } from '../shapes/views.ts'
import { positionTooHigh } from './cursors.ts'

export interface PostCatalogue {
  get(podcastId: string, id: string): Promise<PostView>
  /** With `after`: the posts after that position, oldest first. */
  list(podcastId: string, query?: z.input<typeof postQuery>): Promise<ListedPosts>
  /** Of all podcasts of a user; null: of everybody. */
  listAll(userId: string | null, query?: z.input<typeof postQuery>): Promise<ListedPosts>
}

type ListedPosts = List<PostView> & { readonly position?: string }

const CURSOR_AND_AFTER = 'cannot be combined with after: ask with the position of the last answer'

export function createPosts({ store }: { readonly store: Store }): PostCatalogue {
  async function listWithin(scope: PodcastScope, query: z.output<typeof postQuery>): Promise<ListedPosts> {
    const { limit, cursor = null, since = null, source = null, label = null, unlinked = false, q = null } = query
    const wanted = { ...scope, limit, since, sourceId: source, label, unlinked, q: q || null }
    if (typeof query.after !== 'string') return listOf(await store.listPosts({ ...wanted, cursor }), postView)
    if (cursor !== null) throw invalidInput([{ path: 'cursor', message: CURSOR_AND_AFTER }])
    const { posts, position } = await store.followPosts({ ...wanted, after: query.after })
    if (posts.length === 0 && Number(position) > Number(await store.lastPostId())) throw positionTooHigh('after')
    return { items: posts.map(postView), nextCursor: null, position }
  }

  return {
    async get(podcastId, id) {
      const post = isId(podcastId) && isId(id) ? await store.getPost(podcastId, id) : null
      if (!post) throw noSuch('post')
      return postView(post)
    },
    async list(podcastId, given = {}) {
      const query = readInput(postQuery, given)
      await findPodcast(store, podcastId)
      return listWithin({ podcastId }, query)
    },
    listAll: async (userId, given = {}) => listWithin({ podcastId: null, userId }, readInput(postQuery, given)),
  }
}
