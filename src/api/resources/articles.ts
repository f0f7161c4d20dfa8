// Articles of a podcast: made on demand, read, and whether their reader is done with them.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { type ArticleView, articleAnswer, articleWithPostsAnswer } from '../../catalogue/shapes/answers.ts'
import { aggregateInput, articleIds, articleQuery } from '../../catalogue/shapes/schemas.ts'
import { readInput } from '../../catalogue/shapes/validate.ts'
import type { ApiParts } from '../parts.ts'
import { type Answer, listOfAnswers, ok, type Route, route } from '../route.ts'

export function articleRoutes({ catalogue: { articles }, reach }: ApiParts): Route[] {
  const path = '/api/users/:user/podcasts/:podcast/articles'
  const tag = 'Articles'

  function mark(as: 'processed' | 'unprocessed'): Route {
    return route({
      ...{ method: 'POST', path: `${path}/${as}`, tag, summary: `Mark articles as ${as}: all of them or none` },
      body: articleIds,
      answers: { 200: z.object({ updated: z.int() }) },
      async handle(call) {
        const { id } = await reach.podcast(call)
        const { ids } = readInput(articleIds, call.body)
        return ok(await (as === 'processed' ? articles.markProcessed(id, ids) : articles.markUnprocessed(id, ids)))
      },
    })
  }

  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List articles, newest first' },
      query: articleQuery,
      answers: { 200: listOfAnswers(articleAnswer) },
      handle: async (call) => ok(await articles.list((await reach.podcast(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Make articles of the posts that came in; answers the new ones' },
      body: aggregateInput,
      mayOmitBody: true,
      answers: { 200: z.object({ created: z.array(articleAnswer) }) },
      async handle(call) {
        const { created } = await articles.aggregate((await reach.podcast(call)).id, call.body)
        return inPieces(created)
      },
    }),
    route({
      ...{ method: 'GET', path: `${path}/:article`, tag, summary: 'One article with its posts' },
      answers: { 200: articleWithPostsAnswer },
      handle: async (call) => ok(await articles.get((await reach.podcast(call)).id, call.params.article ?? '')),
    }),
    mark('processed'),
    mark('unprocessed'),
  ]
}

/** Thousands of articles in one text would hold everybody else up while it is written. */
function inPieces(created: readonly ArticleView[]): Answer {
  function* pieces(): Generator<string> {
    yield '{"created":['
    for (const [index, article] of created.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(article)}`
    yield ']}'
  }
  const stream = Readable.from(pieces(), { objectMode: false })
  return { status: 200, stream, contentType: 'application/json; charset=utf-8' }
}
