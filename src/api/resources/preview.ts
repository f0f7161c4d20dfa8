// Shows what a poll of an address would store. Stores nothing.
import { readInput } from '../../catalogue/shapes/validate.ts'
import { previewView } from '../../catalogue/shapes/views.ts'
import { readSourceUrl } from '../../catalogue/sources/source-url.ts'
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
        const { url: given, type: wanted, backfillDays } = readInput(shapes.previewInput, body)
        const type = wanted ?? types.toldByAddress(given)?.name ?? null
        const { url, credentials } = readSourceUrl(types, type, given)
        rateLimits.testFetch(caller)
        const asking = { userId: caller.userId, basicAuth: credentials, trusted: caller.admin, signal }
        const request = { ...asking, type, url, backfillDays: backfillDays ?? 0 }
        return ok(previewView(await engine.testFetch(request)))
      },
    }),
  ]
}
