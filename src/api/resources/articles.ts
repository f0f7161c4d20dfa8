// Articles of a podcast, and whether their reader is done with them.
import { z } from 'zod'
import { articleAnswer } from '../../catalogue/answers.ts'
import { listOf } from '../../catalogue/paging.ts'
import { articleIds, articleQuery } from '../../catalogue/schemas.ts'
import { readInput } from '../../catalogue/validate.ts'
import { articleView } from '../../catalogue/views.ts'
import { Problem } from '../../domain/problem.ts'
import type { ApiParts } from '../parts.ts'
import { listOfAnswers, ok, type Route, route } from '../route.ts'

export function articleRoutes({ store, reach }: ApiParts): Route[] {
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
        const updated = await store.markProcessed(id, ids, as === 'processed')
        if (updated !== null) return ok({ updated })
        throw new Problem('not-found', 'One of the ids is not an article of this podcast. Nothing was changed.')
      },
    })
  }

  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List articles' },
      query: articleQuery,
      answers: { 200: listOfAnswers(articleAnswer) },
      async handle(call) {
        const { id: podcastId } = await reach.podcast(call)
        const { limit, cursor = null, processed = null } = call.query
        return ok(listOf(await store.listArticles({ podcastId, limit, cursor, processed }), articleView))
      },
    }),
    mark('processed'),
    mark('unprocessed'),
  ]
}
