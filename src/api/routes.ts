// The whole API as one list of routes.
import { dashboardRoutes } from './dashboard.ts'
import { docsRoute } from './docs/docs-page.ts'
import { createOpenApi, type OpenApi } from './docs/openapi.ts'
import { tryItRoute } from './docs/try-it.ts'
import type { ApiParts } from './parts.ts'
import { acrossPodcastsRoutes } from './resources/across-podcasts.ts'
import { activityRoutes } from './resources/activity.ts'
import { articleRoutes } from './resources/articles.ts'
import { configRoutes } from './resources/config.ts'
import { cursorRoutes } from './resources/cursors.ts'
import { eventRoutes } from './resources/events.ts'
import { feedRoutes } from './resources/feeds.ts'
import { forecastRoutes } from './resources/forecast.ts'
import { hostRoutes } from './resources/hosts.ts'
import { keyRoutes } from './resources/keys.ts'
import { listRoutes } from './resources/lists.ts'
import { mcpRoutes } from './resources/mcp.ts'
import { metricsRoutes } from './resources/metrics.ts'
import { notifierRoutes } from './resources/notifiers.ts'
import { podcastRoutes } from './resources/podcasts.ts'
import { pollRoutes } from './resources/polls.ts'
import { postRoutes } from './resources/posts.ts'
import { previewRoutes } from './resources/preview.ts'
import { sourceRoutes } from './resources/sources.ts'
import { statusRoutes } from './resources/status.ts'
import { tokenRoutes } from './resources/tokens.ts'
import { userRoutes } from './resources/users.ts'
import { webhookRoutes } from './resources/webhooks.ts'
import { ok, type Route } from './route.ts'

const RESOURCES = [
  sourceRoutes,
  listRoutes,
  previewRoutes,
  pollRoutes,
  activityRoutes,
  postRoutes,
  articleRoutes,
  acrossPodcastsRoutes,
  cursorRoutes,
  feedRoutes,
  podcastRoutes,
  userRoutes,
  tokenRoutes,
  keyRoutes,
  webhookRoutes,
  notifierRoutes,
  hostRoutes,
  eventRoutes,
  statusRoutes,
  forecastRoutes,
  configRoutes,
  metricsRoutes,
]

export async function allRoutes(parts: ApiParts): Promise<Route[]> {
  const resources = RESOURCES.flatMap((routesOf) => routesOf(parts))
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
