// Every request passes here before its body is read. Three questions: does it come from this machine (if authentication
// is off), who is calling, and may they use this route? What a route needs is a property of the matched route, so that
// no spelling of a path avoids the check.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { securityHeaders } from '../http/security-headers.ts'
import type { ApiParts } from '../parts.ts'
import type { Audit } from './audit-log.ts'
import { type AuthFailure, createAuthenticate, needsToken, OPERATOR } from './authenticate.ts'
import { requireAdmin } from './find-for-caller.ts'
import { RequestLimit } from './request-limit.ts'
import { type Received, requireSameOrigin } from './same-origin.ts'
import { createSlowDown } from './slow-down-guesses.ts'

export interface AdmitParts extends Pick<ApiParts, 'config' | 'store' | 'clock'> {
  readonly runToken: string | null
  readonly closing: AbortSignal
  readonly audit: Audit
}

export type AdmitRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function createAdmitRequest(parts: AdmitParts): AdmitRequest {
  const { config, closing, audit } = parts
  const tokensNeeded = needsToken(config.server)
  const requestLimit = new RequestLimit(parts.clock, config.limits.requestsPerMinute)
  const authenticate = createAuthenticate({ ...parts, slowDown: createSlowDown() })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { route } = request.routeOptions.config
    reply.headers(securityHeaders(route?.tag === 'Pages'))
    // Health checks reveal nothing, and load balancers use any Host header.
    if (!tokensNeeded && route?.tag !== 'Health') requireSameOrigin(request.raw as Received, config.server.host)
    if (!route) return
    if (!tokensNeeded || route.access === 'anyone') request.caller = OPERATOR
    else {
      const { authorization } = request.headers
      const onFailure = (failure: AuthFailure) => audit.authenticationFailed(failure, request)
      request.caller = await authenticate({ authorization, address: request.ip, closing, onFailure })
      requestLimit.count(request.caller)
    }
    if (route.access === 'admin') requireAdmin(request.caller)
  }
}
