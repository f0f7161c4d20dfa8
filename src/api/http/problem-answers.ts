// Every error becomes an answer of application/problem+json with a stable code. An unexpected error reveals nothing to the
// caller; its details go to the log.
import type { Socket } from 'node:net'
import { HostNotFree, isStorageFull, isStoreAway, Problem, type ProblemCode } from '../../domain/problem.ts'
import type { Answer } from '../route.ts'

/** Answered with 429 and a Retry-After header. */
export class TooManyRequests extends Problem {
  readonly retryAfterSeconds: number

  constructor(detail: string, retryAfterMs: number) {
    super('too-many-requests', detail)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  }
}

/** Errors of Fastify by their code. Its other 4xx errors are answered as malformed requests. */
const FRAMEWORK: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body-too-large',
    'The body is too large. The limit is 1 MiB, and 10 MiB for a list of sources.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported-media-type',
    'Send the body as application/json; a list of sources also as text/xml or text/plain.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed-request', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed-request', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['malformed-request', 'The path cannot be decoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'There is nothing at this path.'],
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isStorageFull(error)) return new Problem('storage-full', 'The disk of the database is full. Nothing was changed.')
  if (isStoreAway(error))
    return new Problem('store-away', 'The database cannot be reached or written now. Try again soon.')
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined
  if (known) return new Problem(...known)
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed-request', 'The request cannot be read.')
  }
  return new Problem('internal', 'Something went wrong on the server. Its log has the details.')
}

const STORE_AWAY_SECONDS = '5'

export function problemToAnswer(problem: Problem): Answer {
  const { title, status, message: detail, code, errors } = problem
  return {
    status,
    body: { title, status, detail, code, errors },
    contentType: 'application/problem+json',
    headers: {
      ...(problem instanceof TooManyRequests ? { 'retry-after': String(problem.retryAfterSeconds) } : {}),
      ...(problem instanceof HostNotFree ? { 'retry-after': httpDate(problem.until) } : {}),
      ...(problem.code === 'store-away' ? { 'retry-after': STORE_AWAY_SECONDS } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="tidings"' } : {}),
    },
  }
}

/** Rounded up to whole seconds, so that it is never too early. */
function httpDate(instant: number): string {
  return new Date(Math.ceil(instant / 1000) * 1000).toUTCString()
}

/** Fastify cannot answer a request that is not valid HTTP, so the answer is written to the socket. */
export function answerInvalidHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { body } = problemToAnswer(new Problem('malformed-request', 'The request is not valid HTTP.'))
  const text = JSON.stringify(body)
  const head = `content-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(text)}`
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\nconnection: close\r\n\r\n${text}`)
  // Ending is not enough: a client that never closes its side would hold the connection for ever.
  socket.destroySoon()
}
