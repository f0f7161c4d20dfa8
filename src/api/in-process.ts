// The API for the commands of this process. It has the same routes, rights and answers as the server, but no socket and no
// framework: loading and setting up Fastify takes longer than most commands.
// See docs/decisions/0003-commands-are-rest-clients.md
import { text } from 'node:stream/consumers'
import { readInput } from '../catalogue/shapes/validate.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../ports/log.ts'
import { type AuditedRequest, createAudit } from './auth/audit-log.ts'
import { type AuthRequest, createAuthenticate, OPERATOR } from './auth/authenticate.ts'
import { createFindForCaller } from './auth/find-for-caller.ts'
import { createRateLimits } from './auth/rate-limits.ts'
import { createSlowDown } from './auth/slow-down-guesses.ts'
import { problemToAnswer, toProblem } from './http/problem-answers.ts'
import type { ApiParts } from './parts.ts'
import type { Answer, Route } from './route.ts'
import { createRouteFinder } from './routes-for-path.ts'

export interface InProcessOptions extends Omit<ApiParts, 'find' | 'rateLimits' | 'sendAs' | 'log'> {
  readonly log: Log
  readonly runToken: string
}

export interface InProcessRequest {
  readonly method: Route['method']
  /** The path with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}

export interface InProcessReply {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export interface InProcessApi {
  inject(request: InProcessRequest): Promise<InProcessReply>
  close(): void
}

/** It is filled in while the request is read. */
type Told = { -readonly [K in keyof AuditedRequest]: AuditedRequest[K] }

const ADDRESS = '127.0.0.1'
const MIB = 1024 * 1024
const NOTHING_HERE = 'There is nothing at this path. /docs lists all paths.'

export function createInProcessApi({ runToken, ...given }: InProcessOptions): InProcessApi {
  const { log, store, clock } = given
  const closing = new AbortController()
  const audit = createAudit(log)
  const authenticate = createAuthenticate({ store, clock, runToken, slowDown: createSlowDown() })
  const notFromHere = () => {
    throw new Error('no route that commands use sends requests of its own')
  }
  const find = createFindForCaller(store)
  const findRoute = createRouteFinder({
    ...given,
    find,
    rateLimits: createRateLimits(clock, store),
    sendAs: notFromHere,
  })

  /** Throws Problems, as routes do. */
  async function handle(request: InProcessRequest, told: Told): Promise<Answer> {
    const { method, headers } = request
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const found = await findRoute(method, pathname)
    told.routeOptions = { url: found?.route.path }
    if (!found) throw new Problem('not-found', NOTHING_HERE)
    const onFailure: AuthRequest['onFailure'] = (failure) => audit.authenticationFailed(failure, told)
    const asking = { authorization: headers.authorization, address: ADDRESS, closing: closing.signal, onFailure }
    const caller = found.route.access === 'anyone' ? OPERATOR : await authenticate(asking)
    told.caller = caller
    const { route, params } = found
    const query = route.query ? readInput(route.query, parametersOf(searchParams)) : undefined
    const body = bodyOf(route, request.payload)
    const call = { caller, params, query, body, headers, address: ADDRESS, signal: closing.signal }
    const answer = await route.handle(call)
    audit.done(route, call, answer, told)
    return answer
  }

  async function answer(request: InProcessRequest): Promise<Answer> {
    const { method, headers } = request
    const told: Told = { method, headers, ip: ADDRESS, routeOptions: {}, caller: null }
    try {
      return await handle(request, told)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'internal') log.error({ err: error, method }, '[API] a request failed')
      audit.refused(problem, told)
      return problemToAnswer(problem)
    }
  }

  return {
    inject: async (request) => reply(await answer(request)),
    close: () => closing.abort(),
  }
}

/** A parameter that is given twice is a list, as on the server. */
function parametersOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = new Set(parameters.keys())
  return Object.fromEntries(
    [...names].map((name) => {
      const [only = '', ...others] = parameters.getAll(name)
      return [name, others.length === 0 ? only : [only, ...others]]
    }),
  )
}

function bodyOf({ accepts = 'json', mayOmitBody = false }: Route, payload: string | Buffer | undefined): unknown {
  const bytes = payload === undefined ? 0 : Buffer.byteLength(payload)
  if (bytes > (accepts === 'list' ? 10 : 1) * MIB)
    throw Object.assign(new Error(), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
  if (accepts === 'list') return payload === undefined ? undefined : Buffer.from(payload as string)
  const written = payload?.toString() ?? ''
  if (accepts === 'json-text') return written
  const parsed = written.trim() === '' ? undefined : JSON.parse(written)
  return mayOmitBody ? (parsed ?? {}) : parsed
}

async function reply({ status, headers = {}, contentType, ...answer }: Answer): Promise<InProcessReply> {
  const [usual, payload] = await payloadOf(answer)
  return { statusCode: status, headers: { ...headers, 'content-type': contentType ?? usual }, payload }
}

async function payloadOf(answer: Omit<Answer, 'status'>): Promise<[usualType: string, payload: string]> {
  if (answer.stream) return ['application/octet-stream', await text(answer.stream)]
  if (answer.bytes) return ['application/octet-stream', Buffer.from(answer.bytes).toString()]
  if (answer.text !== undefined) return ['text/plain; charset=utf-8', answer.text]
  return ['application/json; charset=utf-8', answer.body === undefined ? '' : JSON.stringify(answer.body)]
}
