// The expected requests per host and hour, from the plans of the caller's sources.
import { forecast } from '../../catalogue/consumers/forecast.ts'
import { forecastAnswer } from '../../catalogue/shapes/polling-answers.ts'
import { forecastQuery } from '../../catalogue/shapes/schemas.ts'
import { userScope } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { ok, type Route, route } from '../route.ts'

export function forecastRoutes(parts: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'GET', path: '/api/forecast', tag: 'Status', summary: 'Expected requests per host and hour' },
      query: forecastQuery,
      answers: { 200: forecastAnswer },
      handle: async ({ caller, query: { hours, limit, cursor = null } }) => {
        const request = { userId: userScope(caller), hours, limit, cursor }
        return ok(await forecast({ ...parts, types: parts.catalogue.types }, request))
      },
    }),
  ]
}
