// Users. Only admins add and delete them. A user may see and rename themselves.
import { z } from 'zod'
import { limitAnswer, userAnswer } from '../../catalogue/shapes/answers.ts'
import { pageQuery, userInput } from '../../catalogue/shapes/schemas.ts'
import { userView } from '../../catalogue/shapes/views.ts'
import { requireAdmin } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function userRoutes({ catalogue, find }: ApiParts): Route[] {
  const { users } = catalogue
  const tag = 'Users'
  return [
    route({
      ...{ method: 'GET', path: '/api/users', tag, summary: 'List users; without admin rights, yourself' },
      query: pageQuery,
      answers: { 200: pageAnswer(userAnswer) },
      async handle({ caller, query }) {
        if (caller.admin) return ok(await users.list(query))
        return ok({ items: [await users.get(caller.userId)], nextCursor: null })
      },
    }),
    route({
      ...{ method: 'POST', path: '/api/users', tag, summary: 'Add a user', access: 'admin', audit: 'user added' },
      body: userInput,
      answers: { 201: userAnswer },
      handle: async ({ body }) => created(await users.create(body)),
    }),
    route({
      ...{ method: 'GET', path: '/api/users/:user', tag, summary: 'Show a user' },
      answers: { 200: userAnswer },
      handle: async (call) => ok(userView(await find.user(call))),
    }),
    route({
      ...{ method: 'GET', path: '/api/users/:user/limits', tag },
      summary: 'What a user without admin rights may have, and how much of it is used',
      answers: { 200: z.object({ items: z.array(limitAnswer) }) },
      handle: async (call) => ok({ items: await users.limits((await find.user(call)).id) }),
    }),
    route({
      ...{ method: 'PUT', path: '/api/users/:user', tag, summary: 'Rename a user', audit: 'user renamed' },
      body: userInput,
      answers: { 200: userAnswer },
      handle: async (call) => ok(await users.update((await find.user(call)).id, call.body)),
    }),
    route({
      ...{ method: 'DELETE', path: '/api/users/:user', tag, audit: 'user deleted' },
      summary: 'Delete a user with everything that belongs to it; needs admin',
      answers: { 204: null },
      async handle(call) {
        const { id } = await find.user(call)
        requireAdmin(call.caller)
        await users.remove(id)
        return NO_CONTENT
      },
    }),
  ]
}
