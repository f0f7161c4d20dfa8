// Writes one log line, `[Audit] <what happened>`, for everything that concerns rights: who did it, from where, to what.
// The lines hold ids only, never a token, a key or a password. Request bodies are not read.
// See docs/decisions/0065-audit-lines-in-the-log.md
import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'
import type { AuthFailure } from './authenticate.ts'

/** What is told of a request, which Fastify or a command of this process made. */
export interface AuditedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly ip: string
  readonly routeOptions: { readonly url?: string | undefined }
  readonly caller: Caller | null
}

export interface Audit {
  done(route: Route, call: Call, answer: Answer, request: AuditedRequest): void
  refused(problem: Problem, request: AuditedRequest): void
  authenticationFailed(failure: AuthFailure, request: AuditedRequest): void
}

export function createAudit(log: Log | false): Audit {
  if (!log) return { done() {}, refused() {}, authenticationFailed() {} }
  return {
    done(route, call, answer, request) {
      const what = route.audit ?? (isForAnotherUser(route, call) ? 'admin changed what belongs to another user' : null)
      if (what === null || (route.isAudited && !route.isAudited(call))) return
      const about = { ...pathFields(call.params), ...createdFields(answer) }
      log.info(
        { ...callerFields(call.caller), ...about, ...addressFields(request), ...routeFields(request) },
        `[Audit] ${what}`,
      )
    },
    refused({ code }, request) {
      if (code !== 'needs-admin' && code !== 'foreign-origin' && code !== 'proxy-without-auth') return
      log.warn(
        { ...(request.caller && callerFields(request.caller)), ...addressFields(request), ...routeFields(request) },
        `[Audit] refused: ${code}`,
      )
    },
    authenticationFailed(failure, request) {
      const { reason, inARow, ofUser, tokenId } = failure
      log.warn(
        { reason, inARow, ofUser, tokenId, ...addressFields(request) },
        `[Audit] authentication failed: ${reason}`,
      )
    },
  }
}

/** Whether an admin changes something of another user. Used where the route has no audit text of its own. */
function isForAnotherUser({ method }: Route, { caller, params }: Call): boolean {
  return method !== 'GET' && caller.admin && params.user !== undefined && params.user !== caller.userId
}

function callerFields({ userId, tokenId, admin }: Caller) {
  return { by: userId, byTokenId: tokenId ?? 'none: operator', admin }
}

/** The parameter `token` of a path is a token's id. It is renamed, because the log masks fields called `token`. */
function pathFields({ token, ...others }: Call['params']) {
  return { ...others, ...(token === undefined ? {} : { tokenId: token }) }
}

/** The id of what was created and, for a token, its rights. */
function createdFields({ status, body }: Answer) {
  if (status !== 201 || typeof body !== 'object' || body === null) return {}
  const { id, admin, expiresAt } = body as { id?: unknown; admin?: unknown; expiresAt?: unknown }
  return { made: id, ...(admin === undefined ? {} : { madeAdmin: admin, expiresAt }) }
}

const MAX_FORWARDED_LENGTH = 200

/** Behind a proxy the address is the proxy's. What the proxy says about the caller is logged too, but cannot be verified. */
function addressFields(request: AuditedRequest) {
  const claim = request.headers['x-forwarded-for']
  const forwardedFor = typeof claim === 'string' ? claim.slice(0, MAX_FORWARDED_LENGTH) : undefined
  return { address: request.ip, ...(forwardedFor === undefined ? {} : { forwardedFor }) }
}

function routeFields(request: AuditedRequest) {
  return { method: request.method, route: request.routeOptions.url }
}
