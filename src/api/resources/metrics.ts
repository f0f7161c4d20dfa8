// Metrics for Prometheus. They cover the sources of all users, so they need an admin token if tokens are needed.
import type { ApiParts } from '../parts.ts'
import { ANY_PARAMETERS, type Route, route } from '../route.ts'

export function metricsRoutes({ metrics }: ApiParts): Route[] {
  if (!metrics) return []
  return [
    route({
      ...{ method: 'GET', path: '/metrics', tag: 'Status', access: 'admin', summary: 'Metrics for Prometheus' },
      query: ANY_PARAMETERS,
      answers: { 200: 'text/plain' },
      async handle() {
        return { status: 200, text: await metrics.text(), contentType: metrics.contentType }
      },
    }),
  ]
}
