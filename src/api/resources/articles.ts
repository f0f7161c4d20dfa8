// Articles of a podcast: create them from posts, list and show them, and mark them as processed.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { type ArticleView, articleAnswer, articleWithPostsAnswer } from '../../catalogue/shapes/answers.ts'
import { aggregateInput, articleIds, articleQuery } from '../../catalogue/shapes/schemas.ts'
import { readInput } from '../../catalogue/shapes/validate.ts'
import type { ApiParts } from '../parts.ts'
import { type Answer, ok, pageAnswer, type Route, route } from '../route.ts'

export function articleRoutes({ catalogue: { articles }, find }: ApiParts): Route[] {
  const path = '/api/users/:user/podcasts/:podcast/articles'
  const tag = 'Articles'

  function mark(as: 'processed' | 'unprocessed'): Route {
    return route({
      ...{ method: 'POST', path: `${path}/${as}`, tag, summary: `Mark articles as ${as}: all of them or none` },
      body: articleIds,
      answers: { 200: z.object({ updated: z.int() }) },
      async handle(call) {
        const { id } = await find.podcast(call)
        const { ids } = readInput(articleIds, call.body)
        return ok(await (as === 'processed' ? articles.markProcessed(id, ids) : articles.markUnprocessed(id, ids)))
      },
    })
  }

  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List articles, newest first' },
      query: articleQuery,
      answers: { 200: pageAnswer(articleAnswer) },
      handle: async (call) => ok(await articles.list((await find.podcast(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Create articles from the posts that came in; answers the new ones' },
      body: aggregateInput,
      mayOmitBody: true,
      answers: {
        200: z.object({
          created: z.array(articleAnswer),
          waiting: z.int().describe('posts whose full text is still being fetched'),
        }),
      },
      async handle(call) {
        const { created, waiting } = await articles.aggregate((await find.podcast(call)).id, call.body)
        return streamCreated(created, waiting)
      },
    }),
    route({
      ...{ method: 'GET', path: `${path}/:article`, tag, summary: 'One article with its posts' },
      answers: { 200: articleWithPostsAnswer },
      handle: async (call) => ok(await articles.get((await find.podcast(call)).id, call.params.article ?? '')),
    }),
    mark('processed'),
    mark('unprocessed'),
  ]
}

/** Streams the answer: to serialise thousands of articles at once would block the event loop. */
function streamCreated(created: readonly ArticleView[], waiting: number): Answer {
  function* pieces(): Generator<string> {
    yield '{"created":['
    for (const [index, article] of created.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(article)}`
    yield `],"waiting":${waiting}}`
  }
  const stream = Readable.from(pieces(), { objectMode: false })
  return { status: 200, stream, contentType: 'application/json; charset=utf-8' }
}
