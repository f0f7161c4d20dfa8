// The posts of a podcast: newest first to look at, or in commit order after a position, to follow without gaps.
import type { z } from 'zod'
import { parseSearch, type SearchQuery } from '../../domain/search-query.ts'
import type { PodcastScope } from '../../ports/consumer-store.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Store } from '../../ports/store.ts'
import { findPodcast, noSuch } from '../find.ts'
import type { PostView } from '../shapes/answers.ts'
import type { List } from '../shapes/paging.ts'
import { onePostQuery, postQuery } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'
import { positionTooHigh } from './cursors.ts'
import { completePosts } from './post-parts.ts'

export interface PostCatalogue {
  /** With `after`: the posts after that position, oldest first. */
  list(podcastId: string, query?: z.input<typeof postQuery>): Promise<ListedPosts>
  /** Of all podcasts of a user; null: of everybody. */
  listAll(userId: string | null, query?: z.input<typeof postQuery>): Promise<ListedPosts>
  /** podcastId null: of any podcast. */
  get(podcastId: string | null, id: string, query?: z.input<typeof onePostQuery>): Promise<PostView>
}

type ListedPosts = List<PostView> & { readonly position?: string }

interface PostDeps {
  readonly store: Store
  readonly documents: Pick<Documents, 'toMarkdown'>
}

const CURSOR_AND_AFTER = 'cannot be combined with after: ask with the position of the last answer'
const SORT_AND_AFTER = 'cannot be combined with after, which is always oldest first'
const ONLY_LEFT_OUT = 'expected at least one word to look for, besides those to leave out'

function readSearch(q: string): SearchQuery {
  const search = parseSearch(q)
  if (search.all.length === 0 && search.none.length > 0) throw invalidInput([{ path: 'q', message: ONLY_LEFT_OUT }])
  return search
}

export function createPosts({ store, documents }: PostDeps): PostCatalogue {
  const deps = { store, documents }
  async function listWithin(scope: PodcastScope, query: z.output<typeof postQuery>): Promise<ListedPosts> {
    const { limit, cursor = null, since = null, source = null, label = null, unlinked = false, q = null } = query
    const { sort = 'newest', language = null } = query
    const search = q ? readSearch(q) : null
    const parts = { ...query, search }
    const wanted = { ...scope, limit, since, sourceId: source, label, language, unlinked, q: q || null }
    if (typeof query.after !== 'string') {
      const page = await store.listPosts({ ...wanted, cursor, sort })
      return { items: await completePosts(deps, page.items, parts), nextCursor: page.nextCursor }
    }
    if (cursor !== null) throw invalidInput([{ path: 'cursor', message: CURSOR_AND_AFTER }])
    if (sort !== 'newest') throw invalidInput([{ path: 'sort', message: SORT_AND_AFTER }])
    const { posts, position } = await store.followPosts({ ...wanted, after: query.after })
    if (posts.length === 0 && Number(position) > Number(await store.lastPostId())) throw positionTooHigh('after')
    return { items: await completePosts(deps, posts, parts), nextCursor: null, position }
  }

  return {
    async list(podcastId, given = {}) {
      const query = readInput(postQuery, given)
      await findPodcast(store, podcastId)
      return listWithin({ podcastId }, query)
    },
    async get(podcastId, id, given = {}) {
      const query = readInput(onePostQuery, given)
      const post = podcastId === null ? await store.findPost(id) : await store.getPost(podcastId, id)
      const [view] = post ? await completePosts(deps, [post], query) : []
      if (!view) throw noSuch('post')
      return view
    },
    listAll: async (userId, given = {}) => listWithin({ podcastId: null, userId }, readInput(postQuery, given)),
  }
}
