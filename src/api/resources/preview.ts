// Shows what a poll of an address would store. Stores nothing.
import { previewAnswer } from '../../catalogue/shapes/answers.ts'
import { previewInput } from '../../catalogue/shapes/schemas.ts'
import { readInput } from '../../catalogue/shapes/validate.ts'
import { previewView } from '../../catalogue/shapes/views.ts'
import { readSourceUrl, typeByAddress } from '../../catalogue/sources/source-url.ts'
import type { ApiParts } from '../parts.ts'
import { ok, type Route, route } from '../route.ts'

export function previewRoutes({ engine, rateLimits }: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'POST', path: '/api/preview', tag: 'Sources', summary: 'Look at an address; nothing is stored' },
      body: previewInput,
      answers: { 200: previewAnswer },
      async handle({ caller, body, signal }) {
        const { url: given, type: wanted, backfillDays } = readInput(previewInput, body)
        const type = wanted ?? typeByAddress(given)
        const { url, credentials } = readSourceUrl(type ?? 'rss', given)
        rateLimits.preview(caller)
        const asking = { userId: caller.userId, basicAuth: credentials, trusted: caller.admin, signal }
        const request = { ...asking, type, url, backfillDays: backfillDays ?? 0 }
        return ok(previewView(await engine.testFetch(request)))
      },
    }),
  ]
}
