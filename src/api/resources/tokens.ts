// Tokens of a user. Without admin rights a user creates and revokes their own, and cannot create an admin token.
import { newTokenAnswer, tokenAnswer } from '../../catalogue/shapes/answers.ts'
import { pageQuery, tokenInput } from '../../catalogue/shapes/schemas.ts'
import { requireAdmin } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function tokenRoutes({ catalogue, find }: ApiParts): Route[] {
  const tag = 'Tokens'
  const path = '/api/users/:user/tokens'
  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List tokens; the tokens themselves are never shown again' },
      query: pageQuery,
      answers: { 200: pageAnswer(tokenAnswer) },
      handle: async (call) => ok(await catalogue.tokens.list((await find.user(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Create a token; it is shown once', audit: 'token made' },
      body: tokenInput,
      answers: { 201: newTokenAnswer },
      async handle(call) {
        const { id } = await find.user(call)
        if (asksForAdmin(call.body)) requireAdmin(call.caller)
        return created(await catalogue.tokens.create(id, call.body, call.caller))
      },
    }),
    route({
      ...{ method: 'DELETE', path: `${path}/:token`, tag, summary: 'Revoke a token', audit: 'token revoked' },
      answers: { 204: null },
      async handle(call) {
        await catalogue.tokens.revoke((await find.user(call)).id, call.params.token ?? '', call.caller)
        return NO_CONTENT
      },
    }),
  ]
}

function asksForAdmin(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'admin' in body && body.admin === true
}
