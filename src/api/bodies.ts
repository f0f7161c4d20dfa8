// What bodies are understood: JSON everywhere, and lists of sources as the bytes they came in where lists are taken.
import type { FastifyInstance } from 'fastify'

const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json\b/i
const LIST_TYPES = /^(?:text\/(?:xml|x-opml|plain)|application\/(?:xml|json|opml\+xml))\b/i

export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(JSON_TYPES, { parseAs: 'string' }, (request, body, done) => {
    // Many clients name a type even when they send nothing.
    if (body.trim() === '') done(null, undefined)
    else parse(request, body, done)
  })
}

export function takeLists(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(LIST_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
