// Provider keys of a user: stored, checked for, removed. A key is never shown.
import { keyAnswer } from '../../catalogue/shapes/answers.ts'
import { keyInput } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { NO_CONTENT, ok, type Route, route } from '../route.ts'

export function keyRoutes({ catalogue, find }: ApiParts): Route[] {
  const { keys, types } = catalogue
  const providers = types.keyProviders.join(' or ')
  const place = { path: '/api/users/:user/keys/:provider', tag: 'Keys' } as const
  return [
    route({
      ...{ ...place, method: 'PUT', summary: `Store a key, encrypted; provider is ${providers}`, audit: 'key stored' },
      body: keyInput,
      answers: { 204: null },
      async handle(call) {
        await keys.put((await find.user(call)).id, call.params.provider ?? '', call.body)
        return NO_CONTENT
      },
    }),
    route({
      ...{ ...place, method: 'GET', summary: 'Whether a key is stored; never the key itself' },
      answers: { 200: keyAnswer },
      handle: async (call) => ok(await keys.status((await find.user(call)).id, call.params.provider ?? '')),
    }),
    route({
      ...{ ...place, method: 'DELETE', summary: 'Delete a key', audit: 'key removed' },
      answers: { 204: null },
      async handle(call) {
        await keys.remove((await find.user(call)).id, call.params.provider ?? '')
        return NO_CONTENT
      },
    }),
  ]
}
