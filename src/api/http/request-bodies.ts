// Which request bodies are accepted: JSON on every route, and on the routes that import lists also OPML and plain text, as
// bytes.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../domain/problem.ts'

const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json\b/i
const NOT_UTF8 = 'The body is not UTF-8 text. Send JSON in UTF-8, not compressed.'
const LIST_TYPES = /^(?:text\/(?:xml|x-opml|plain)|application\/(?:xml|json|opml\+xml))\b/i

export function acceptJson(app: FastifyInstance): void {
  // A field called __proto__ is parsed like any other. The schema of each body refuses unknown fields.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (request, bytes, done) => {
    // Text in another charset would be stored with its non-ASCII letters lost, and nobody would notice.
    if (!isUtf8(bytes)) return done(new Problem('malformed-request', NOT_UTF8))
    const body = bytes.toString()
    // Many clients send a content type without a body.
    if (body.trim() === '') done(null, undefined)
    else parse(request, body, done)
  })
}

/** For routes that parse JSON themselves, and have their own answer when it is not valid. */
export function acceptJsonText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(JSON_TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

export function acceptLists(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(LIST_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
const DISCARD_TIMEOUT_MS = 5000

/**
 * Reads a refused body to its end and discards it. Many clients read the answer only after they have sent everything;
 * if the connection were closed earlier, they would never see why. A body that is too long or too slow is cut off.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || Number(request.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DISCARD_TIMEOUT_MS)
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_DISCARDED_BYTES) resolve()
    })
    for (const event of ['end', 'error', 'close']) request.once(event, () => resolve())
    request.once('close', () => clearTimeout(timer))
    request.resume()
  })
  request.pause()
}
