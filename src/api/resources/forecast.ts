// What the hosts may expect of us: requests per host and hour, by the plans of the asker's sources.

import { forecast } from '../../catalogue/consumers/forecast.ts'
import { forecastAnswer } from '../../catalogue/shapes/answers.ts'
import { forecastQuery } from '../../catalogue/shapes/schemas.ts'
import { scopeOf } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
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
