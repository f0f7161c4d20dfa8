// What the hosts may expect of us: requests per host and hour, by the plans of the asker's sources.
import { forecastAnswer } from '../../catalogue/answers.ts'
import { forecast } from '../../catalogue/forecast.ts'
import { forecastQuery } from '../../catalogue/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { scopeOf } from '../reach.ts'
import { ok, type Route, route } from '../route.ts'

export function forecastRoutes(parts: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'GET', path: '/api/forecast', tag: 'Status', summary: 'Expected requests per host and hour' },
      query: forecastQuery,
      answers: { 200: forecastAnswer },
      handle: async ({ who, query: { hours } }) => ok(await forecast(parts, { userId: scopeOf(who), hours })),
    }),
  ]
}
