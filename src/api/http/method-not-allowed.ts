// A path that exists answers 405 to the methods it does not have, and says which ones it has.
import { Problem } from '../../domain/problem.ts'
import type { Method, Route } from '../route.ts'
import { problemAnswer } from './problem-answers.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function otherMethods(routes: readonly Route[]): Route[] {
  const byPath = Map.groupBy(routes, (route) => route.path)
  return [...byPath.values()].flatMap((known) => {
    const allowed = known.map((route) => route.method)
    return METHODS.filter((method) => !allowed.includes(method)).flatMap((method) => notAllowed(known, method, allowed))
  })
}

function notAllowed([like]: readonly Route[], method: Method, allowed: readonly Method[]): Route[] {
  if (!like) return []
  const { path, tag } = like
  const allow = allowed.join(', ')
  const answer = problemAnswer(new Problem('method-not-allowed', `This path takes ${allow}.`))
  const access = like.access === 'anyone' ? 'anyone' : 'token'
  const handle = () => ({ ...answer, headers: { ...answer.headers, allow } })
  return [{ method, path, tag, access, summary: '', answers: {}, handle }]
}
