// Posts, articles and sources of all podcasts that the caller may see: for programs that know an id but not the podcast,
// or that want everything. A user sees their own, an admin those of everybody.
import { z } from 'zod'
import { noSuch } from '../../catalogue/find.ts'
import { articleAnswer, articleWithPostsAnswer, postAnswer } from '../../catalogue/shapes/answers.ts'
import { articleQuery, onePostQuery, postQuery } from '../../catalogue/shapes/schemas.ts'
import { userScope } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { ok, pageAnswer, type Route, route } from '../route.ts'

const POSTS = '/api/posts'
const ARTICLES = '/api/articles'
const SOURCES = '/api/sources'

export function acrossPodcastsRoutes({ catalogue, store, find }: ApiParts): Route[] {
  const { posts, articles, sources, shapes } = catalogue
  return [
    route({
      ...{ method: 'GET', path: POSTS, tag: 'Posts', summary: 'Posts of all podcasts, as in the list of one' },
      query: postQuery,
      answers: {
        200: z.union([pageAnswer(postAnswer), z.object({ items: z.array(postAnswer), position: z.string() })]),
      },
      async handle({ caller, query }) {
        const { items, nextCursor, position } = await posts.listAll(userScope(caller), query)
        return ok(position === undefined ? { items, nextCursor } : { items, position })
      },
    }),
    route({
      ...{ method: 'GET', path: `${POSTS}/:post`, tag: 'Posts', summary: 'One post, by its id alone' },
      query: onePostQuery,
      answers: { 200: postAnswer },
      async handle({ caller, params, query }) {
        const id = params.post ?? ''
        const post = await store.findPost(id)
        if (!post) throw noSuch('post')
        await find.sourceById(caller, post.sourceId, 'post')
        return ok(await posts.get(null, id, query))
      },
    }),
    route({
      ...{ method: 'GET', path: ARTICLES, tag: 'Articles', summary: 'Articles of all podcasts, newest first' },
      query: articleQuery,
      answers: { 200: pageAnswer(articleAnswer) },
      handle: async ({ caller, query }) => ok(await articles.listAll(userScope(caller), query)),
    }),
    route({
      ...{ method: 'GET', path: `${ARTICLES}/:article`, tag: 'Articles' },
      summary: 'One article with its posts, by its id alone',
      answers: { 200: articleWithPostsAnswer },
      async handle({ caller, params }) {
        const article = await articles.get(null, params.article ?? '')
        await find.sourceById(caller, article.sourceId, 'article')
        return ok(article)
      },
    }),
    route({
      ...{ method: 'GET', path: SOURCES, tag: 'Sources', summary: 'Sources of all podcasts' },
      query: shapes.sourceQuery,
      answers: { 200: pageAnswer(shapes.sourceAnswer) },
      handle: async ({ caller, query }) => ok(await sources.listAll(userScope(caller), query)),
    }),
    route({
      ...{ method: 'GET', path: `${SOURCES}/:source`, tag: 'Sources' },
      summary: 'One source, by its id alone, with the user that it belongs to',
      answers: { 200: shapes.sourceAnswer.and(z.object({ userId: z.string() })) },
      async handle({ caller, params }) {
        const { id, userId } = await find.sourceById(caller, params.source ?? '')
        return ok({ ...(await sources.get(id)), userId })
      },
    }),
  ]
}
