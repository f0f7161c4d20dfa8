// Notifiers of a user: who is told of what happens, in words.
import { z } from 'zod'
import { pageQuery } from '../../catalogue/shapes/schemas.ts'
import { notifierAnswer } from '../../catalogue/shapes/webhook-answers.ts'
import { notifierInput, notifierPatch } from '../../catalogue/shapes/webhook-schemas.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function notifierRoutes({ catalogue: { notifiers }, find, rateLimits }: ApiParts): Route[] {
  const tag = 'Notifiers'
  const path = '/api/users/:user/notifiers'
  const one = `${path}/:notifier`
  const userAndNotifier = async (call: Call): Promise<[string, string]> => [
    (await find.user(call)).id,
    call.params.notifier ?? '',
  ]
  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List notifiers; targets are never shown whole' },
      query: pageQuery,
      answers: { 200: pageAnswer(notifierAnswer) },
      handle: async (call) => ok(await notifiers.list((await find.user(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Add a notifier: ntfy, Slack-compatible, or mail' },
      ...{ body: notifierInput, audit: 'notifier made' },
      answers: { 201: notifierAnswer },
      handle: async (call) => created(await notifiers.create((await find.user(call)).id, call.body, call.caller)),
    }),
    route({
      ...{ method: 'GET', path: one, tag, summary: 'Show a notifier' },
      answers: { 200: notifierAnswer },
      handle: async (call) => ok(await notifiers.get(...(await userAndNotifier(call)))),
    }),
    route({
      ...{ method: 'PATCH', path: one, tag, summary: 'Change its target or what it tells of' },
      ...{ body: notifierPatch, audit: 'notifier changed' },
      answers: { 200: notifierAnswer },
      handle: async (call) => ok(await notifiers.update(...(await userAndNotifier(call)), call.body)),
    }),
    route({
      ...{ method: 'DELETE', path: one, tag, summary: 'Remove a notifier and its pending messages' },
      ...{ audit: 'notifier removed', answers: { 204: null } },
      async handle(call) {
        await notifiers.remove(...(await userAndNotifier(call)))
        return NO_CONTENT
      },
    }),
    route({
      ...{ method: 'POST', path: `${one}/test`, tag, summary: 'Send a test message now; 502 if it does not arrive' },
      answers: { 200: z.object({ delivered: z.literal(true) }) },
      async handle(call) {
        const which = await userAndNotifier(call)
        // It asks another server at once, as a test fetch does.
        await rateLimits.testFetch(call.caller)
        return ok(await notifiers.test(...which))
      },
    }),
  ]
}
