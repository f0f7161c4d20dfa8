// The HTTP server. Routes become Fastify handlers; admission, errors and the shutdown are handled in one place each.
// The files in resources/ know nothing of Fastify.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import type { Config } from '../ports/config.ts'
import type { Log } from '../ports/log.ts'
import { createAdmitRequest } from './auth/admit-request.ts'
import { type Audit, createAudit } from './auth/audit-log.ts'
import { isStillValid } from './auth/authenticate.ts'
import { endStreamWithToken } from './auth/end-with-token.ts'
import { createFindForCaller } from './auth/find-for-caller.ts'
import { createRateLimits } from './auth/rate-limits.ts'
import { readCall, send } from './http/call-and-answer.ts'
import { connectionsWithin, descriptorLimit } from './http/descriptor-limit.ts'
import { addressesToListenOn, listenToo } from './http/listen-on-all.ts'
import { methodNotAllowedRoutes } from './http/method-not-allowed.ts'
import { type ConnectionLimits, IDLE_LIMITS, OpenConnections } from './http/open-connections.ts'
import { answerInvalidHttp, problemToAnswer, toProblem } from './http/problem-answers.ts'
import { acceptJson, acceptJsonText, acceptLists, discardBody } from './http/request-bodies.ts'
import { sendInto } from './http/send-into.ts'
import type { ApiParts } from './parts.ts'
import { probeRoutes } from './resource-routes.ts'
import type { Route } from './route.ts'
import { allRoutes } from './routes.ts'

export interface ApiOptions extends Omit<ApiParts, 'find' | 'rateLimits' | 'sendAs'> {
  /** An admin token that is valid for this run only. */
  readonly runToken?: string
  readonly connectionLimits?: Partial<ConnectionLimits>
  /** Only health, readiness and metrics, for a process that serves nobody else. */
  readonly probesOnly?: boolean
}

export interface Api {
  /** Resolves with the URL under which this machine can reach the server. */
  listen(): Promise<{ readonly url: string }>
  readonly inject: FastifyInstance['inject']
  /** Lets open requests finish until the deadline, then closes their connections. */
  close(deadlineMs?: number): Promise<void>
}

export async function createApi({
  log,
  runToken,
  connectionLimits,
  probesOnly = false,
  ...given
}: ApiOptions): Promise<Api> {
  const { config, store, clock } = given
  const closing = new AbortController()
  const audit = createAudit(log)
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    requestTimeout: 120_000,
    keepAliveTimeout: 15_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    // Idle keep-alive connections must not delay the shutdown.
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 300 },
    clientErrorHandler: answerInvalidHttp,
    frameworkErrors: (error, _request, reply) => send(reply, problemToAnswer(toProblem(error))),
  })
  const parts: ApiParts = {
    ...given,
    log,
    find: createFindForCaller(store),
    rateLimits: createRateLimits(clock, store),
    sendAs: (call) => sendInto(app, call),
  }
  new OpenConnections(app.server, { ...connectionLimitsOf(config), ...connectionLimits })
  app.decorateRequest('caller', null)
  app.addHook(
    'onRequest',
    createAdmitRequest({ config, store, clock, runToken: runToken ?? null, closing: closing.signal, audit }),
  )
  answerErrors(app, log, audit)
  if (log) logRequests(app, log)
  const routes = probesOnly ? probeRoutes(parts) : await allRoutes(parts)
  const refusals = methodNotAllowedRoutes(routes)
  await addRoutes(app, routes, refusals, async (route, request, reply) => {
    const over = new AbortController()
    const call = readCall(route, request, reply, AbortSignal.any([closing.signal, over.signal]))
    const answer = await route.handle(call)
    audit.done(route, call, answer, request)
    const { authorization } = request.headers
    if (answer.stream && call.caller.tokenId)
      endStreamWithToken(answer.stream, over, () => isStillValid(authorization, given))
    return send(reply, answer)
  })
  await app.ready()
  let stopListening = (): void => {}

  return {
    inject: app.inject.bind(app),
    async listen() {
      const [host, ...others] = await addressesToListenOn(config.server.host)
      await app.listen({ host, port: config.server.port })
      stopListening = await listenToo(app.server, others)
      return { url: urlOf(app, config.server.host) }
    },
    async close(deadlineMs = 10_000) {
      closing.abort()
      stopListening()
      const cut = setTimeout(() => app.server.closeAllConnections(), deadlineMs)
      await app.close()
      clearTimeout(cut)
    },
  }
}

/** One address gets half of the connections: the others must get through, too. */
function connectionLimitsOf({ limits }: Config): ConnectionLimits {
  const most = connectionsWithin(limits.connections, descriptorLimit())
  return { most, mostPerAddress: Math.ceil(most / 2), ...IDLE_LIMITS }
}

/** Routes validate their input themselves. This keeps Fastify from loading its schema compilers. */
function noSchemas(): never {
  throw new Error('a route handed its schema to Fastify')
}

/** These errors are logged, since the caller gets a general message. The store itself logs that it cannot be reached or written. */
const LOG_LEVEL: Partial<Record<ProblemCode, 'error' | 'debug'>> = {
  internal: 'error',
  'store-away': 'debug',
  'storage-full': 'debug',
}

function answerErrors(app: FastifyInstance, log: Log | false, audit: Audit): void {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error)
    if (problem.code === 'body-too-large') await discardBody(request.raw)
    const level = LOG_LEVEL[problem.code]
    if (level && log) log[level]({ err: error, method: request.method }, '[API] a request failed')
    audit.refused(problem, request)
    return send(reply, problemToAnswer(problem))
  })
  app.setNotFoundHandler((_request, reply) => {
    const problem = new Problem('not-found', 'There is nothing at this path. /docs lists all paths.')
    return send(reply, problemToAnswer(problem))
  })
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url
      .replace(/\?.*$/s, '')
      .slice(0, 500)
      .replace(/[^\x21-\x7e]/g, encodeURIComponent)
    log.debug({ status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, `[API] ${request.method} ${path}`)
  })
}

type Answering = (route: Route, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

async function addRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  refusals: readonly Route[],
  answering: Answering,
): Promise<void> {
  const add = (scope: FastifyInstance, route: Route, limit = {}): void => {
    const { method, path: url } = route
    scope.route({ method, url, ...limit, config: { route }, handler: (...call) => answering(route, ...call) })
  }
  acceptJson(app)
  for (const route of routes) if ((route.accepts ?? 'json') === 'json') add(app, route)
  for (const route of refusals) add(app, route)
  await app.register(async (scope) => {
    acceptJsonText(scope)
    for (const route of routes) if (route.accepts === 'json-text') add(scope, route)
  })
  await app.register(async (scope) => {
    acceptLists(scope)
    for (const route of routes) if (route.accepts === 'list') add(scope, route, { bodyLimit: 10 * 1024 * 1024 })
  })
}

function urlOf(app: FastifyInstance, host: string): string {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
