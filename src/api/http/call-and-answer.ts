// From Fastify's request and reply to a route's call and answer, and back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readInput } from '../../catalogue/shapes/validate.ts'
import { Problem } from '../../domain/problem.ts'
import type { Answer, Call, Route, Who } from '../route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    who: Who | null
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export function callOf(route: Route, request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Call {
  const { who, body, headers } = request
  if (!who) throw new Error('a request came past authentication')
  return {
    who,
    body: route.mayOmitBody ? (body ?? {}) : body,
    headers,
    params: paramsOf(request),
    query: route.query ? readInput(route.query, { ...(request.query as object) }) : undefined,
    signal: AbortSignal.any([closing, goneSignal(reply)]),
  }
}

/** No id has a control character, and not every database takes one. */
function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (Object.values(params).some((value) => /[\u0000-\u001f\u007f]/.test(value))) {
    throw new Problem('not-found', 'There is nothing at this path.')
  }
  return params
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return gone.signal
}

/** Where a new thing is: below the list it was posted to. */
function locationOf(request: FastifyRequest, { status, body }: Answer): Record<string, string> {
  const id = status === 201 ? (body as { id?: unknown } | undefined)?.id : undefined
  const [path] = request.url.split('?', 1)
  return typeof id === 'string' ? { location: `${path}/${encodeURIComponent(id)}` } : {}
}

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers({ ...locationOf(reply.request, answer), ...answer.headers })
  if (answer.stream && reply.request.method === 'HEAD') {
    // Nobody will read it, and a stream of events would otherwise run for ever.
    answer.stream.destroy()
    return reply.type(answer.contentType ?? 'application/octet-stream').send()
  }
  if (answer.stream) return reply.type(answer.contentType ?? 'application/octet-stream').send(answer.stream)
  if (answer.text !== undefined) return reply.type(answer.contentType ?? 'text/plain; charset=utf-8').send(answer.text)
  if (answer.body === undefined) return reply.send()
  // Serialised here: what a route answers is already the public shape.
  return reply.type(answer.contentType ?? 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}
