// Posts of a podcast: newest first to look at, or after a position in commit order to follow without gaps.
import { z } from 'zod'
import { postAnswer } from '../../catalogue/answers.ts'
import { listOf } from '../../catalogue/paging.ts'
import { postQuery } from '../../catalogue/schemas.ts'
import { invalidInput } from '../../catalogue/validate.ts'
import { postView } from '../../catalogue/views.ts'
import type { ApiParts } from '../parts.ts'
import { listOfAnswers, ok, type Route, route } from '../route.ts'

const followed = z.object({ items: z.array(postAnswer), position: z.string() })

export function postRoutes({ store, reach }: ApiParts): Route[] {
  async function follow(
    podcastId: string,
    { after, limit, ...others }: z.output<typeof postQuery> & { after: string },
  ) {
    const alone = Object.entries(others).filter(([, value]) => value !== undefined && value !== null)
    const message = 'cannot be combined with after: a position walks through all posts of the podcast'
    if (alone.length > 0) throw invalidInput(alone.map(([path]) => ({ path, message })))
    const posts = await store.postsAfter(podcastId, after, limit)
    return ok({ items: posts.map(postView), position: posts.at(-1)?.id ?? after })
  }

  return [
    route({
      ...{ method: 'GET', path: '/api/users/:user/podcasts/:podcast/posts', tag: 'Posts' },
      summary: 'Posts, newest first; with after, oldest first from that position on',
      query: postQuery,
      answers: { 200: z.union([listOfAnswers(postAnswer), followed]) },
      async handle(call) {
        const { id } = await reach.podcast(call)
        const { after, limit, cursor = null, since = null, source = null, unlinked = false, q = null } = call.query
        if (typeof after === 'string') return follow(id, { ...call.query, after })
        const query = { podcastId: id, limit, cursor, since, sourceId: source, unlinked, q: q || null }
        return ok(listOf(await store.listPosts(query), postView))
      },
    }),
  ]
}
