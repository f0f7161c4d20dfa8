// Posts of a podcast: pages with the newest first, or posts after a position in commit order, without gaps.
import { z } from 'zod'
import { postAnswer } from '../../catalogue/shapes/answers.ts'
import { onePostQuery, postQuery } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { ok, pageAnswer, type Route, route } from '../route.ts'

const followed = z.object({ items: z.array(postAnswer), position: z.string() })

export function postRoutes({ catalogue: { posts }, engine, find }: ApiParts): Route[] {
  const path = '/api/users/:user/podcasts/:podcast/posts'
  return [
    route({
      ...{ method: 'GET', path: `${path}/:post`, tag: 'Posts', summary: 'Show a post' },
      query: onePostQuery,
      answers: { 200: postAnswer },
      handle: async (call) => ok(await posts.get((await find.podcast(call)).id, call.params.post ?? '', call.query)),
    }),
    route({
      ...{ method: 'POST', path: `${path}/:post/full-text`, tag: 'Posts' },
      summary: 'Ask for the full text behind a post now',
      answers: { 202: z.object({ fullTextState: z.literal('pending') }) },
      async handle(call) {
        await engine.requestFullText((await find.podcast(call)).id, call.params.post ?? '')
        return { status: 202, body: { fullTextState: 'pending' } }
      },
    }),
    route({
      ...{ method: 'GET', path, tag: 'Posts' },
      summary: 'Posts, newest first; with after, oldest first from that position on',
      query: postQuery,
      answers: { 200: z.union([pageAnswer(postAnswer), followed]) },
      async handle(call) {
        const { items, nextCursor, position } = await posts.list((await find.podcast(call)).id, call.query)
        return ok(position === undefined ? { items, nextCursor } : { items, position })
      },
    }),
  ]
}
