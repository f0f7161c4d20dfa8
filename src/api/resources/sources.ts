// Sources of a podcast. A new source is fetched once before it is stored, unless the caller turns that off.
import { bulkAnswer } from '../../catalogue/shapes/answers.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export const SOURCES = '/api/users/:user/podcasts/:podcast/sources'
export const SOURCE = `${SOURCES}/:source`

export function sourceRoutes({ catalogue, find, rateLimits, engine }: ApiParts): Route[] {
  const { sources } = catalogue
  const { newSource, newSourceAnswer, sourceAnswer, sourcePatch, sourcePut, sourceQuery, bulkInput } = catalogue.shapes
  const tag = 'Sources'
  const acting = ({ caller, signal }: Call) => ({
    ...{ admin: caller.admin, signal },
    beforeTestFetch: () => rateLimits.testFetch(caller),
  })
  return [
    route({
      ...{ method: 'GET', path: SOURCES, tag, summary: 'List sources' },
      query: sourceQuery,
      answers: { 200: pageAnswer(sourceAnswer) },
      handle: async (call) => ok(await sources.list((await find.podcast(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path: SOURCES, tag, summary: 'Add a source; without a type, the feed is discovered' },
      body: newSource,
      answers: { 201: newSourceAnswer },
      async handle(call) {
        const { id } = await find.podcast(call)
        return created(await sources.create(id, call.body, { ...acting(call), validate: true }))
      },
    }),
    route({
      ...{
        method: 'POST',
        path: `${SOURCES}/bulk`,
        tag,
        summary: 'Enable, disable, poll, move, change or remove many',
      },
      body: bulkInput,
      answers: { 200: bulkAnswer },
      async handle(call) {
        const { id } = await find.podcast(call)
        const poll = async (sourceId: string) => {
          rateLimits.poll(call.caller, sourceId)
          const { finished } = await engine.queuePoll(sourceId)
          // Nobody waits for it here.
          finished.catch(() => {})
        }
        return ok(await sources.bulk(id, call.body, { ...acting(call), poll }))
      },
    }),
    route({
      ...{ method: 'GET', path: SOURCE, tag, summary: 'Show a source' },
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.get((await find.source(call)).id)),
    }),
    route({
      ...{ method: 'PUT', path: SOURCE, tag, summary: 'Replace the settings of a source' },
      body: sourcePut,
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.replace((await find.source(call)).id, call.body, acting(call))),
    }),
    route({
      ...{ method: 'PATCH', path: SOURCE, tag, summary: 'Change some settings of a source; null clears an override' },
      body: sourcePatch,
      answers: { 200: sourceAnswer },
      handle: async (call) => ok(await sources.update((await find.source(call)).id, call.body, acting(call))),
    }),
    route({
      ...{ method: 'DELETE', path: SOURCE, tag, summary: 'Delete a source with its posts and articles' },
      answers: { 204: null },
      async handle(call) {
        await sources.remove((await find.source(call)).id)
        return NO_CONTENT
      },
    }),
  ]
}
