// Every request comes through here before anything of it is read: is it from this machine, who is it, may they?
// What a route asks for is a property of the matched route, so that no way of writing a path goes around it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { securityHeaders } from '../http/security-headers.ts'
import type { ApiParts } from '../parts.ts'
import type { Audit } from './audit-log.ts'
import { ANYBODY, type AuthFailure, createAuthenticate, needsToken } from './authenticate.ts'
import { requireAdmin } from './find-for-caller.ts'
import { refuseForeign } from './same-origin.ts'
import { createSlowDown } from './slow-down-guesses.ts'

export interface DoorParts extends Pick<ApiParts, 'config' | 'store' | 'clock'> {
  readonly runToken: string | null
  readonly closing: AbortSignal
  readonly audit: Audit
}

export type Door = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function createDoor(parts: DoorParts): Door {
  const { config, closing, audit } = parts
  const tokensNeeded = needsToken(config.server)
  const authenticate = createAuthenticate({ ...parts, slowDown: createSlowDown() })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { route } = request.routeOptions.config
    reply.headers(securityHeaders(route?.tag === 'Pages'))
    // Health checks say nothing that needs protecting, and load balancers come by any name.
    if (!tokensNeeded && route?.tag !== 'Health') refuseForeign(request.headers, config.server.host)
    if (!route) return
    if (!tokensNeeded || route.access === 'anyone') request.who = ANYBODY
    else {
      const { authorization } = request.headers
      const onFailure = (failure: AuthFailure) => audit.authenticationFailed(failure, request)
      request.who = await authenticate({ authorization, address: request.ip, closing, onFailure })
    }
    if (route.access === 'admin') requireAdmin(request.who)
  }
}
