// Cursors: the position that a named consumer of a podcast's posts has reached.
import { cursorAnswer } from '../../catalogue/shapes/answers.ts'
import { cursorInput, pageQuery } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function cursorRoutes({ catalogue: { cursors }, find }: ApiParts): Route[] {
  const all = '/api/users/:user/podcasts/:podcast/cursors'
  const place = { path: `${all}/:name`, tag: 'Posts' } as const
  return [
    route({
      ...{ method: 'GET', path: all, tag: 'Posts', summary: 'The cursors of a podcast, by name' },
      query: pageQuery,
      answers: { 200: pageAnswer(cursorAnswer) },
      handle: async (call) => ok(await cursors.list((await find.podcast(call)).id, call.query)),
    }),
    route({
      ...{ ...place, method: 'PUT', summary: 'Store the position that the consumer of this name has reached' },
      body: cursorInput,
      answers: { 200: cursorAnswer },
      async handle(call) {
        const { id } = await find.podcast(call)
        return ok(await cursors.put(id, call.params.name ?? '', call.body, call.caller))
      },
    }),
    route({
      ...{
        ...place,
        method: 'GET',
        summary: 'The position of the consumer, how many posts follow, and whether clean-up removed any of them',
      },
      answers: { 200: cursorAnswer },
      handle: async (call) => ok(await cursors.get((await find.podcast(call)).id, call.params.name ?? '')),
    }),
    route({
      ...{ ...place, method: 'DELETE', summary: 'Delete a cursor' },
      answers: { 204: null },
      async handle(call) {
        await cursors.remove((await find.podcast(call)).id, call.params.name ?? '')
        return NO_CONTENT
      },
    }),
  ]
}
