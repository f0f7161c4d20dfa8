// Webhooks of a user, and the messages that could not be delivered to them.
import { z } from 'zod'
import { pageQuery } from '../../catalogue/shapes/schemas.ts'
import { deadLetterAnswer, newWebhookAnswer, webhookAnswer } from '../../catalogue/shapes/webhook-answers.ts'
import { replayInput, webhookInput } from '../../catalogue/shapes/webhook-schemas.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, created, NO_CONTENT, ok, pageAnswer, type Route, route } from '../route.ts'

export function webhookRoutes({ catalogue: { webhooks }, find, rateLimits, webhookSender }: ApiParts): Route[] {
  const tag = 'Webhooks'
  const path = '/api/users/:user/webhooks'
  const one = `${path}/:webhook`
  const userAndWebhook = async (call: Call): Promise<[string, string]> => [
    (await find.user(call)).id,
    call.params.webhook ?? '',
  ]
  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List webhooks; secrets are never shown again' },
      query: pageQuery,
      answers: { 200: pageAnswer(webhookAnswer) },
      handle: async (call) => ok(await webhooks.list((await find.user(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Add a webhook; a secret that is generated here is shown once' },
      ...{ body: webhookInput, audit: 'webhook made' },
      answers: { 201: newWebhookAnswer },
      async handle(call) {
        const { id } = await find.user(call)
        return created(await webhooks.create(id, call.body, call.caller))
      },
    }),
    route({
      ...{ method: 'GET', path: one, tag, summary: 'Show a webhook' },
      answers: { 200: webhookAnswer },
      handle: async (call) => ok(await webhooks.get(...(await userAndWebhook(call)))),
    }),
    route({
      ...{ method: 'DELETE', path: one, tag, summary: 'Remove a webhook and its pending messages' },
      ...{ audit: 'webhook removed', answers: { 204: null } },
      async handle(call) {
        await webhooks.remove(...(await userAndWebhook(call)))
        return NO_CONTENT
      },
    }),
    route({
      ...{ method: 'POST', path: `${one}/test`, tag, summary: 'Send a test message now; 502 if it does not arrive' },
      answers: { 200: z.object({ delivered: z.literal(true) }) },
      async handle(call) {
        const which = await userAndWebhook(call)
        // It asks another server at once, as a test fetch does.
        await rateLimits.testFetch(call.caller)
        return ok(await webhooks.test(...which))
      },
    }),
    route({
      ...{
        method: 'GET',
        path: `${one}/dead-letters`,
        tag,
        summary: 'Messages that could not be delivered, newest first',
      },
      query: pageQuery,
      answers: { 200: pageAnswer(deadLetterAnswer) },
      handle: async (call) => ok(await webhooks.deadLetters(...(await userAndWebhook(call)), call.query)),
    }),
    route({
      ...{
        method: 'POST',
        path: `${one}/dead-letters/replay`,
        tag,
        summary: 'Send dead letters again, all or those named',
      },
      body: replayInput,
      mayOmitBody: true,
      answers: { 200: z.object({ replayed: z.int() }) },
      async handle(call) {
        const replayed = await webhooks.replay(...(await userAndWebhook(call)), call.body)
        webhookSender?.lookNow()
        return ok(replayed)
      },
    }),
  ]
}
