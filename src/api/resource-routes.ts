// The routes of the API proper: what commands ask in their own process, without pages and documents.
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
import { metricsRoutes } from './resources/metrics.ts'
import { notifierRoutes } from './resources/notifiers.ts'
import { podcastRoutes } from './resources/podcasts.ts'
import { pollRoutes } from './resources/polls.ts'
import { postRoutes } from './resources/posts.ts'
import { previewRoutes } from './resources/preview.ts'
import { sourceRoutes } from './resources/sources.ts'
import { statusRoutes } from './resources/status.ts'
import { summaryRoutes } from './resources/summaries.ts'
import { tokenRoutes } from './resources/tokens.ts'
import { userRoutes } from './resources/users.ts'
import { webhookRoutes } from './resources/webhooks.ts'
import type { Route } from './route.ts'

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
  summaryRoutes,
  statusRoutes,
  forecastRoutes,
  configRoutes,
  metricsRoutes,
]

const PROBES = ['/healthz', '/readyz', '/metrics']

/** For load balancers and monitoring. */
export function probeRoutes(parts: ApiParts): Route[] {
  return [...statusRoutes(parts), ...metricsRoutes(parts)].filter(({ path }) => PROBES.includes(path))
}

export function resourceRoutes(parts: ApiParts): Route[] {
  return RESOURCES.flatMap((routesOf) => routesOf(parts))
}
