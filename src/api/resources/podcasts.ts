// Podcasts of a user.
import { podcastAnswer } from '../../catalogue/shapes/answers.ts'
import { pageQuery, podcastInput, podcastPatch } from '../../catalogue/shapes/schemas.ts'
import { podcastView } from '../../catalogue/shapes/views.ts'
import type { ApiParts } from '../parts.ts'
import { created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function podcastRoutes({ catalogue, find }: ApiParts): Route[] {
  const { podcasts } = catalogue
  const tag = 'Podcasts'
  const all = '/api/users/:user/podcasts'
  const one = `${all}/:podcast`
  return [
    route({
      ...{ method: 'GET', path: all, tag, summary: 'List podcasts' },
      query: pageQuery,
      answers: { 200: pageAnswer(podcastAnswer) },
      handle: async (call) => ok(await podcasts.list((await find.user(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path: all, tag, summary: 'Add a podcast' },
      body: podcastInput,
      answers: { 201: podcastAnswer },
      handle: async (call) => created(await podcasts.create((await find.user(call)).id, call.body, call.caller)),
    }),
    route({
      ...{ method: 'GET', path: one, tag, summary: 'Show a podcast' },
      answers: { 200: podcastAnswer },
      handle: async (call) => ok(podcastView(await find.podcast(call))),
    }),
    route({
      ...{ method: 'PUT', path: one, tag, summary: 'Replace the settings of a podcast' },
      body: podcastInput,
      answers: { 200: podcastAnswer },
      handle: async (call) => ok(await podcasts.replace((await find.podcast(call)).id, call.body)),
    }),
    route({
      ...{ method: 'PATCH', path: one, tag, summary: 'Change some settings of a podcast' },
      body: podcastPatch,
      answers: { 200: podcastAnswer },
      handle: async (call) => ok(await podcasts.update((await find.podcast(call)).id, call.body)),
    }),
    route({
      ...{ method: 'DELETE', path: one, tag, summary: 'Delete a podcast with its sources, posts and articles' },
      answers: { 204: null },
      async handle(call) {
        await podcasts.remove((await find.podcast(call)).id)
        return NO_CONTENT
      },
    }),
  ]
}
