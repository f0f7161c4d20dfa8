// Where a named consumer of a podcast's posts stands, kept for it.
import { cursorAnswer } from '../../catalogue/shapes/answers.ts'
import { cursorInput } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { DONE, ok, type Route, route } from '../route.ts'

export function cursorRoutes({ catalogue: { cursors }, reach }: ApiParts): Route[] {
  const place = { path: '/api/users/:user/podcasts/:podcast/cursors/:name', tag: 'Posts' } as const
  return [
    route({
      ...{ ...place, method: 'PUT', summary: 'Say up to which position the consumer of this name is done' },
      body: cursorInput,
      answers: { 200: cursorAnswer },
      handle: async (call) => ok(await cursors.put((await reach.podcast(call)).id, call.params.name ?? '', call.body)),
    }),
    route({
      ...{ ...place, method: 'GET', summary: 'Where the consumer stands, how many posts are left, whether any went' },
      answers: { 200: cursorAnswer },
      handle: async (call) => ok(await cursors.get((await reach.podcast(call)).id, call.params.name ?? '')),
    }),
    route({
      ...{ ...place, method: 'DELETE', summary: 'Forget a cursor' },
      answers: { 204: null },
      async handle(call) {
        await cursors.remove((await reach.podcast(call)).id, call.params.name ?? '')
        return DONE
      },
    }),
  ]
}
