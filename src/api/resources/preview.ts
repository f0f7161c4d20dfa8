// Shows what a poll of an address would store. Stores nothing.
import { previewAddress } from '../../catalogue/sources/preview.ts'
import type { ApiParts } from '../parts.ts'
import { ok, type Route, route } from '../route.ts'

export function previewRoutes({ engine, rateLimits, catalogue }: ApiParts): Route[] {
  const { types, shapes } = catalogue
  return [
    route({
      ...{ method: 'POST', path: '/api/preview', tag: 'Sources', summary: 'Look at an address; nothing is stored' },
      body: shapes.previewInput,
      answers: { 200: shapes.previewAnswer },
      async handle({ caller, body, signal }) {
        const acting = { admin: caller.admin, signal, beforeTestFetch: () => rateLimits.testFetch(caller) }
        return ok(await previewAddress({ types, shapes, engine: () => engine }, caller.userId, body, acting))
      },
    }),
  ]
}
