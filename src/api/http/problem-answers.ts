// Every error leaves as application/problem+json with a stable code. What is not expected says nothing about
// itself to the caller: it goes to the log.
import type { Socket } from 'node:net'
import { HostNotFree, isStoreAway, Problem, type ProblemCode } from '../../domain/problem.ts'
import type { Answer } from '../route.ts'

/** Too many requests, with how long to wait. */
export class TooMany extends Problem {
  readonly retryAfterSeconds: number

  constructor(detail: string, retryAfterMs: number) {
    super('too-many-requests', detail)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  }
}

/** Fastify's own errors by their code; the rest of its 4xx are requests that cannot be read. */
const FRAMEWORK: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'The body is larger than what is taken here.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported-media-type',
    'Send the body as application/json; a list of sources also as text/xml or text/plain.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed-request', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed-request', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['malformed-request', 'The path cannot be decoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'There is nothing at this path.'],
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isStoreAway(error)) return new Problem('store-away', 'The database cannot be reached just now. Try again soon.')
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined
  if (known) return new Problem(...known)
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed-request', 'The request cannot be read.')
  }
  return new Problem('internal', 'Something went wrong here. The log knows more.')
}

const STORE_AWAY_SECONDS = '5'

export function problemAnswer(problem: Problem): Answer {
  const { title, status, message: detail, code, errors } = problem
  return {
    status,
    body: { title, status, detail, code, errors },
    contentType: 'application/problem+json',
    headers: {
      ...(problem instanceof TooMany ? { 'retry-after': String(problem.retryAfterSeconds) } : {}),
      ...(problem instanceof HostNotFree ? { 'retry-after': httpDate(problem.until) } : {}),
      ...(problem.code === 'store-away' ? { 'retry-after': STORE_AWAY_SECONDS } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="tidings"' } : {}),
    },
  }
}

/** In whole seconds, and not before it. */
function httpDate(instant: number): string {
  return new Date(Math.ceil(instant / 1000) * 1000).toUTCString()
}

/** What is not even HTTP is answered by hand. */
export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { body } = problemAnswer(new Problem('malformed-request', 'The request is not valid HTTP.'))
  const text = JSON.stringify(body)
  const head = `content-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(text)}`
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\nconnection: close\r\n\r\n${text}`)
}
