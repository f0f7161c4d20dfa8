// Sources of a podcast. A new one is tested before it is stored, unless the caller says otherwise.
import { newSourceAnswer, sourceAnswer } from '../../catalogue/shapes/answers.ts'
import { newSource, sourcePatch, sourcePut, sourceQuery } from '../../catalogue/shapes/schemas.ts'
import { typeByAddress } from '../../catalogue/sources/source-url.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, created, DONE, listOfAnswers, ok, type Route, route } from '../route.ts'

export const SOURCES = '/api/users/:user/podcasts/:podcast/sources'
export const SOURCE = `${SOURCES}/:source`

export function sourceRoutes({ catalogue, reach, rates }: ApiParts): Route[] {
  const { sources } = catalogue
  const tag = 'Sources'
  const acting = ({ who, signal }: Call) => ({ admin: who.admin, signal })
  return [
    route({
      ...{ method: 'GET', path: SOURCES, tag, summary: 'List sources' },
      query: sourceQuery,
      answers: { 200: listOfAnswers(sourceAnswer) },
      handle: async (call) => ok(await sources.list((await reach.podcast(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path: SOURCES, tag, summary: 'Add a source; without a type, the feed is discovered' },
      body: newSource,
      answers: { 201: newSourceAnswer },
      async handle(call) {
        const { id } = await reach.podcast(call)
        if (discovers(call.body)) rates.preview(call.who)
        return created(await sources.create(id, call.body, { ...acting(call), validate: true }))
      },
    }),
    route({
      ...{ method: 'GET', path: SOURCE, tag, summary: 'Show a source' },
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.get((await reach.source(call)).id)),
    }),
    route({
      ...{ method: 'PUT', path: SOURCE, tag, summary: 'Replace the settings of a source' },
      body: sourcePut,
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.replace((await reach.source(call)).id, call.body, acting(call))),
    }),
    route({
      ...{ method: 'PATCH', path: SOURCE, tag, summary: 'Change some settings of a source; null clears an override' },
      body: sourcePatch,
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.update((await reach.source(call)).id, call.body, acting(call))),
    }),
    route({
      ...{ method: 'DELETE', path: SOURCE, tag, summary: 'Delete a source with its posts and articles' },
      answers: { 204: null },
      async handle(call) {
        await sources.remove((await reach.source(call)).id)
        return DONE
      },
    }),
  ]
}

function discovers(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { type, url, validate } = body as { type?: unknown; url?: unknown; validate?: unknown }
  // An address that tells its type by itself is not asked.
  if (typeof url === 'string' && typeByAddress(url) !== null) return false
  return (type === undefined || type === null) && validate !== false
}
