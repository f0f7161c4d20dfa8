// The daily summaries of a user, as the event `summary.daily` has them.
import { listOf } from '../../catalogue/shapes/paging.ts'
import { summaryAnswer } from '../../catalogue/shapes/polling-answers.ts'
import { pageQuery } from '../../catalogue/shapes/schemas.ts'
import { isoOrNull } from '../../catalogue/shapes/views.ts'
import type { ApiParts } from '../parts.ts'
import { ok, pageAnswer, type Route, route } from '../route.ts'

export function summaryRoutes({ store, find }: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'GET', path: '/api/users/:user/summaries', tag: 'Events' },
      summary: 'Daily summaries, newest first, as long as events are kept',
      query: pageQuery,
      answers: { 200: pageAnswer(summaryAnswer) },
      async handle(call) {
        const { id } = await find.user(call)
        const { limit, cursor = null } = call.query
        const page = await store.listSummaries(id, { limit, cursor })
        return ok(listOf(page, ({ id, at, data }) => ({ id, at: isoOrNull(at), ...data })))
      },
    }),
  ]
}
