// For every path, routes that answer 405 to the methods that the path does not have, with the ones it has in `Allow`.
import { Problem } from '../../domain/problem.ts'
import type { Method, Route } from '../route.ts'
import { problemToAnswer } from './problem-answers.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function methodNotAllowedRoutes(routes: readonly Route[]): Route[] {
  const byPath = Map.groupBy(routes, (route) => route.path)
  return [...byPath.values()].flatMap((known) => {
    const allowed = known.map((route) => route.method)
    return METHODS.filter((method) => !allowed.includes(method)).flatMap((method) => notAllowed(known, method, allowed))
  })
}

function notAllowed([existing]: readonly Route[], method: Method, allowed: readonly Method[]): Route[] {
  if (!existing) return []
  const { path, tag } = existing
  const allow = allowed.join(', ')
  const answer = problemToAnswer(new Problem('method-not-allowed', `This path allows ${allow}.`))
  const access = existing.access === 'anyone' ? 'anyone' : 'token'
  const handle = () => ({ ...answer, headers: { ...answer.headers, allow } })
  return [{ method, path, tag, access, summary: '', answers: {}, handle }]
}
