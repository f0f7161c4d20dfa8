// What touches somebody's rights leaves one line in the log, `[Audit] <what happened>`: who, from where, about what.
// Ids only, never a token, a key or a password; bodies are not looked at.
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Answer, Call, Route, Who } from '../route.ts'
import type { AuthFailure } from './authenticate.ts'

export interface Audit {
  done(route: Route, call: Call, answer: Answer, request: FastifyRequest): void
  refused(problem: Problem, request: FastifyRequest): void
  authenticationFailed(failure: AuthFailure, request: FastifyRequest): void
}

export function createAudit(log: Log | false): Audit {
  if (!log) return { done() {}, refused() {}, authenticationFailed() {} }
  return {
    done(route, call, answer, request) {
      const what = route.audit ?? (isForSomebodyElse(route, call) ? 'admin changed what belongs to another user' : null)
      if (what === null || (route.audited && !route.audited(call))) return
      const about = { ...namesIn(call.params), ...made(answer) }
      log.info({ ...by(call.who), ...about, ...from(request), ...on(request) }, `[Audit] ${what}`)
    },
    refused({ code }, request) {
      if (code !== 'needs-admin' && code !== 'foreign-origin' && code !== 'proxy-without-auth') return
      log.warn({ ...(request.who && by(request.who)), ...from(request), ...on(request) }, `[Audit] refused: ${code}`)
    },
    authenticationFailed(failure, request) {
      const { reason, inARow, ofUser, tokenId } = failure
      log.warn({ reason, inARow, ofUser, tokenId, ...from(request) }, `[Audit] authentication failed: ${reason}`)
    },
  }
}

/** What an admin does to another user's things, where the route itself has no word for it. */
function isForSomebodyElse({ method }: Route, { who, params }: Call): boolean {
  return method !== 'GET' && who.admin && params.user !== undefined && params.user !== who.userId
}

function by({ userId, tokenId, admin }: Who) {
  return { by: userId, byTokenId: tokenId ?? 'none: operator', admin }
}

/** `token` in a path is its id; under that name the log would mask it. */
function namesIn({ token, ...others }: Call['params']) {
  return { ...others, ...(token === undefined ? {} : { tokenId: token }) }
}

/** Of what was made: its id and, for a token, what it may do. */
function made({ status, body }: Answer) {
  if (status !== 201 || typeof body !== 'object' || body === null) return {}
  const { id, admin, expiresAt } = body as { id?: unknown; admin?: unknown; expiresAt?: unknown }
  return { made: id, ...(admin === undefined ? {} : { madeAdmin: admin, expiresAt }) }
}

const LONGEST_CLAIM = 200

/** Behind a proxy the address is the proxy's; what it says about the caller is told as a claim. */
function from(request: FastifyRequest) {
  const claim = request.headers['x-forwarded-for']
  const forwardedFor = typeof claim === 'string' ? claim.slice(0, LONGEST_CLAIM) : undefined
  return { address: request.ip, ...(forwardedFor === undefined ? {} : { forwardedFor }) }
}

function on(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions.url }
}
