// A user's keys of providers: put in, asked whether it is there, removed. Never shown.
import { keyAnswer } from '../../catalogue/shapes/answers.ts'
import { keyInput } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { DONE, ok, type Route, route } from '../route.ts'

export function keyRoutes({ catalogue, reach }: ApiParts): Route[] {
  const { keys } = catalogue
  const place = { path: '/api/users/:user/keys/:provider', tag: 'Keys' } as const
  return [
    route({
      ...{ ...place, method: 'PUT', summary: 'Store a key, encrypted; provider is x', audit: 'key stored' },
      body: keyInput,
      answers: { 204: null },
      async handle(call) {
        await keys.put((await reach.user(call)).id, call.params.provider ?? '', call.body)
        return DONE
      },
    }),
    route({
      ...{ ...place, method: 'GET', summary: 'Tell whether a key is stored; never the key' },
      answers: { 200: keyAnswer },
      handle: async (call) => ok(await keys.status((await reach.user(call)).id, call.params.provider ?? '')),
    }),
    route({
      ...{ ...place, method: 'DELETE', summary: 'Forget a key', audit: 'key removed' },
      answers: { 204: null },
      async handle(call) {
        await keys.remove((await reach.user(call)).id, call.params.provider ?? '')
        return DONE
      },
    }),
  ]
}
