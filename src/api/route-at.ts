// Finds the route of a path, as the server's router does: a part that is written out goes before a parameter.
import { Problem } from '../domain/problem.ts'
import type { Method, Route } from './route.ts'

export interface FoundRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

const MAX_PARAMETER_LENGTH = 300
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

export function routeAt(routes: readonly Route[], method: Method, pathname: string): FoundRoute | null {
  const given = pathname.split('/')
  const fitting = routes.filter((route) => route.method === method && fits(route.path.split('/'), given))
  const [best] = fitting.toSorted((a, b) => parametersFirst(a) - parametersFirst(b))
  return best ? { route: best, params: paramsOf(best.path.split('/'), given) } : null
}

function fits(parts: readonly string[], given: readonly string[]): boolean {
  return parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
}

/** Lower the later its first parameter stands; of equals, the fewer it has. */
function parametersFirst({ path }: Route): number {
  return path.split('/').reduce((sum, part, at) => sum + (part.startsWith(':') ? 2 ** -at : 0), 0)
}

function paramsOf(parts: readonly string[], given: readonly string[]): Record<string, string> {
  const params = parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decoded(given[at] ?? '')]] : []))
  if (params.some(([, value = '']) => value.length > MAX_PARAMETER_LENGTH || CONTROL_CHARACTERS.test(value))) {
    throw new Problem('not-found', 'There is nothing at this path.')
  }
  return Object.fromEntries(params)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Problem('malformed-request', 'The path cannot be decoded.')
  }
}
