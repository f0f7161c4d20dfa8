// Webhooks of a user, and the messages that could not be delivered to them.
import { z } from 'zod'
import { deadLetterAnswer, newWebhookAnswer, webhookAnswer } from '../../catalogue/shapes/answers.ts'
import { pageQuery, replayInput, webhookInput } from '../../catalogue/shapes/schemas.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, created, DONE, listOfAnswers, ok, type Route, route } from '../route.ts'

export function webhookRoutes({ catalogue: { webhooks }, reach, webhookSender }: ApiParts): Route[] {
  const tag = 'Webhooks'
  const path = '/api/users/:user/webhooks'
  const one = `${path}/:webhook`
  const place = async (call: Call): Promise<[string, string]> => [
    (await reach.user(call)).id,
    call.params.webhook ?? '',
  ]
  return [
    route({
      ...{ method: 'GET', path, tag, summary: 'List webhooks; secrets are never shown again' },
      query: pageQuery,
      answers: { 200: listOfAnswers(webhookAnswer) },
      handle: async (call) => ok(await webhooks.list((await reach.user(call)).id, call.query)),
    }),
    route({
      ...{ method: 'POST', path, tag, summary: 'Send events to an address; a secret made here is shown once' },
      ...{ body: webhookInput, audit: 'webhook made' },
      answers: { 201: newWebhookAnswer },
      async handle(call) {
        const { id } = await reach.user(call)
        return created(await webhooks.create(id, call.body, { admin: call.who.admin }))
      },
    }),
    route({
      ...{ method: 'GET', path: one, tag, summary: 'Show a webhook' },
      answers: { 200: webhookAnswer },
      handle: async (call) => ok(await webhooks.get(...(await place(call)))),
    }),
    route({
      ...{ method: 'DELETE', path: one, tag, summary: 'Remove a webhook and what waits for it' },
      ...{ audit: 'webhook removed', answers: { 204: null } },
      async handle(call) {
        await webhooks.remove(...(await place(call)))
        return DONE
      },
    }),
    route({
      ...{ method: 'GET', path: `${one}/dead-letters`, tag, summary: 'Messages that were given up, newest first' },
      query: pageQuery,
      answers: { 200: listOfAnswers(deadLetterAnswer) },
      handle: async (call) => ok(await webhooks.deadLetters(...(await place(call)), call.query)),
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
        const replayed = await webhooks.replay(...(await place(call)), call.body)
        webhookSender?.nudge()
        return ok(replayed)
      },
    }),
  ]
}
