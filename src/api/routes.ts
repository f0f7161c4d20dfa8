// The whole API as one list of routes.
import { dashboardRoutes } from './dashboard.ts'
import { docsRoute } from './docs/docs-page.ts'
import { createOpenApi, type OpenApi } from './docs/openapi.ts'
import { tryItRoute } from './docs/try-it.ts'
import type { ApiParts } from './parts.ts'
import { resourceRoutes } from './resource-routes.ts'
import { mcpRoutes } from './resources/mcp.ts'
import { ok, type Route } from './route.ts'

export async function allRoutes(parts: ApiParts): Promise<Route[]> {
  const resources = resourceRoutes(parts)
  // Built on the first request: it takes a tenth of the start-up time, and most processes never need it.
  let document: OpenApi | null = null
  const description = () => (document ??= createOpenApi(resources, parts.version))
  const described: Route = {
    ...{ method: 'GET', path: '/openapi.json', tag: 'Pages', access: 'anyone', summary: 'This description' },
    answers: { 200: 'application/json' },
    handle: () => ok(description()),
  }
  return [
    ...resources,
    ...mcpRoutes(parts),
    described,
    docsRoute(description),
    tryItRoute,
    ...(await dashboardRoutes()),
  ]
}
