// What bodies are understood: JSON everywhere, and lists of sources as the bytes they came in where lists are taken.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../domain/problem.ts'

const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json\b/i
const NOT_UTF8 = 'The body is not UTF-8 text. Send JSON in UTF-8, not compressed.'
const LIST_TYPES = /^(?:text\/(?:xml|x-opml|plain)|application\/(?:xml|json|opml\+xml))\b/i

export function takeJson(app: FastifyInstance): void {
  // A field called __proto__ comes as any other, and every body is read by a schema that refuses unknown ones.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (request, bytes, done) => {
    // What a terminal of another charset sends would be stored with its umlauts lost, and nobody told.
    if (!isUtf8(bytes)) return done(new Problem('malformed-request', NOT_UTF8))
    const body = bytes.toString()
    // Many clients name a type even when they send nothing.
    if (body.trim() === '') done(null, undefined)
    else parse(request, body, done)
  })
}

export function takeLists(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(LIST_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

const PATIENCE_BYTES = 64 * 1024 * 1024
const PATIENCE_MS = 5000

/**
 * Reads a refused body to its end and forgets it: many clients read no answer before they have sent everything,
 * and a connection closed under them tells them nothing. What never ends is cut off.
 */
export async function readAway(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || Number(request.headers['content-length'] ?? 0) > PATIENCE_BYTES) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > PATIENCE_BYTES) resolve()
    })
    for (const event of ['end', 'error', 'close']) request.once(event, () => resolve())
    request.once('close', () => clearTimeout(timer))
    request.resume()
  })
  request.pause()
}
