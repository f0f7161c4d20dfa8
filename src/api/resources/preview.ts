// What a poll of an address would store, without storing anything.
import { previewAnswer } from '../../catalogue/answers.ts'
import { previewInput } from '../../catalogue/schemas.ts'
import { readSourceUrl, typeByAddress } from '../../catalogue/source-url.ts'
import { readInput } from '../../catalogue/validate.ts'
import { previewView } from '../../catalogue/views.ts'
import type { ApiParts } from '../parts.ts'
import { ok, type Route, route } from '../route.ts'

export function previewRoutes({ engine, rates }: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'POST', path: '/api/preview', tag: 'Sources', summary: 'Look at an address; nothing is stored' },
      body: previewInput,
      answers: { 200: previewAnswer },
      async handle({ who, body, signal }) {
        const { url: given, type: wanted, backfillDays } = readInput(previewInput, body)
        const type = wanted ?? typeByAddress(given)
        const { url, credentials } = readSourceUrl(type ?? 'rss', given)
        rates.preview(who)
        const asking = { userId: who.userId, basicAuth: credentials, trusted: who.admin, signal }
        const request = { ...asking, type, url, backfillDays: backfillDays ?? 0 }
        return ok(previewView(await engine.testFetch(request)))
      },
    }),
  ]
}
