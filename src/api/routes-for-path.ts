// The routes of one resource, loaded when a path asks for it. A command asks for two or three of them, and loading all
// takes longer than most commands run. A path that tells nothing, or the wrong thing, is looked up among all routes.
import type { ApiParts } from './parts.ts'
import type { Method, Route } from './route.ts'
import { type FoundRoute, routeAt } from './route-at.ts'

type RoutesOf = (parts: ApiParts) => Route[]

/** By the word that stands last in a path, or before a parameter that stands last. */
const RESOURCES: Readonly<Record<string, () => Promise<RoutesOf>>> = {
  users: async () => (await import('./resources/users.ts')).userRoutes,
  podcasts: async () => (await import('./resources/podcasts.ts')).podcastRoutes,
  sources: async () => (await import('./resources/sources.ts')).sourceRoutes,
  posts: async () => (await import('./resources/posts.ts')).postRoutes,
  articles: async () => (await import('./resources/articles.ts')).articleRoutes,
  polls: async () => (await import('./resources/polls.ts')).pollRoutes,
  why: async () => (await import('./resources/polls.ts')).pollRoutes,
  poll: async () => (await import('./resources/polls.ts')).pollRoutes,
  hosts: async () => (await import('./resources/hosts.ts')).hostRoutes,
  status: async () => (await import('./resources/status.ts')).statusRoutes,
  tokens: async () => (await import('./resources/tokens.ts')).tokenRoutes,
}

const allRoutes = async () => (await import('./resource-routes.ts')).resourceRoutes

export function createRouteFinder(parts: ApiParts): (method: Method, pathname: string) => Promise<FoundRoute | null> {
  const made = new Map<string, Promise<readonly Route[]>>()
  const routesOf = (name: string, load: () => Promise<RoutesOf>): Promise<readonly Route[]> => {
    const known = made.get(name) ?? load().then((routes) => routes(parts))
    made.set(name, known)
    return known
  }
  return async (method, pathname) => {
    const name = pathname
      .split('/')
      .slice(-2)
      .findLast((word) => Object.hasOwn(RESOURCES, word))
    const load = name === undefined ? undefined : RESOURCES[name]
    const likely = name === undefined || !load ? [] : await routesOf(name, load)
    return routeAt(likely, method, pathname) ?? routeAt(await routesOf('all', allRoutes), method, pathname)
  }
}
