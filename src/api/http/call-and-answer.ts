// Turns a Fastify request into the `Call` that a route handles, and the route's `Answer` into a Fastify reply.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readInput } from '../../catalogue/shapes/validate.ts'
import { Problem } from '../../domain/problem.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export function readCall(route: Route, request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Call {
  const { caller, body, headers } = request
  if (!caller) throw new Error('a request was handled without authentication')
  return {
    caller,
    body: route.mayOmitBody ? (body ?? {}) : body,
    headers,
    address: request.ip,
    params: paramsOf(request),
    query: route.query ? readInput(route.query, { ...(request.query as object) }) : undefined,
    signal: AbortSignal.any([closing, disconnectSignal(reply)]),
  }
}

/** No id has a control character, and PostgreSQL refuses some of them. */
function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (Object.values(params).some((value) => /[\u0000-\u001f\u007f]/.test(value))) {
    throw new Problem('not-found', 'There is nothing at this path.')
  }
  return params
}

function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  // The caller may have gone while the body was read.
  if (raw.destroyed) disconnected.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) disconnected.abort()
  })
  return disconnected.signal
}

/** The Location header of a created resource: its id below the path of the list. */
function locationOf(request: FastifyRequest, { status, body }: Answer): Record<string, string> {
  const id = status === 201 ? (body as { id?: unknown } | undefined)?.id : undefined
  const [path] = request.url.split('?', 1)
  return typeof id === 'string' ? { location: `${path}/${encodeURIComponent(id)}` } : {}
}

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers({ ...locationOf(reply.request, answer), ...answer.headers })
  if (answer.stream && reply.request.method === 'HEAD') {
    // Nobody reads the body of a HEAD request, and a stream of events would run for ever.
    answer.stream.destroy()
    return reply.type(answer.contentType ?? 'application/octet-stream').send()
  }
  if (answer.stream) return reply.type(answer.contentType ?? 'application/octet-stream').send(answer.stream)
  if (answer.bytes) return reply.type(answer.contentType ?? 'application/octet-stream').send(answer.bytes)
  if (answer.text !== undefined) return reply.type(answer.contentType ?? 'text/plain; charset=utf-8').send(answer.text)
  if (answer.body === undefined) return reply.send()
  // Serialised here, because a route answers the public shape already.
  return reply.type(answer.contentType ?? 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}
