// The schemas of webhooks and notifiers as people get them back. See answers.ts.
import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/event.ts'
import { NOTIFIER_KINDS } from '../../domain/webhook.ts'
import { count, instant, maybeInstant } from './answers.ts'

export const webhookAnswer = z
  .object({
    id: z.string(),
    url: z.string(),
    types: z.array(z.enum(EVENT_TYPES)),
    includePosts: z.boolean(),
    createdAt: instant,
    disabledAt: maybeInstant.describe(
      'when the receiver answered 410 Gone; it stays disabled: make a new webhook instead',
    ),
    disabledReason: z.string().nullable(),
    pending: count.describe('messages that are still to be delivered'),
    deadLetters: count,
  })
  .meta({ id: 'Webhook' })
export const notifierAnswer = z
  .object({
    id: z.string(),
    kind: z.enum(NOTIFIER_KINDS),
    target: z.string().describe('what may be shown of it'),
    types: z.array(z.enum(EVENT_TYPES)),
    summaryOnly: z.boolean(),
    createdAt: instant,
    disabledAt: maybeInstant.describe('when the receiver answered 410 Gone'),
    disabledReason: z.string().nullable(),
    pending: count.describe('messages that are still to be delivered'),
    deadLetters: count.describe('messages that were given up'),
    failures: count.describe('attempts in a row that failed'),
    lastError: z.string().nullable().describe('why the last of them failed'),
  })
  .meta({ id: 'Notifier' })
export const newWebhookAnswer = webhookAnswer
  .extend({ secret: z.string().optional().describe('only when Tidings made it; shown this once') })
  .meta({ id: 'NewWebhook' })

export const deadLetterAnswer = z
  .object({
    id: z.string(),
    messageId: z.string(),
    type: z.enum(EVENT_TYPES),
    createdAt: instant,
    attempts: count,
    lastAttemptAt: maybeInstant,
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    payload: z.unknown(),
  })
  .meta({ id: 'DeadLetter' })

export type NotifierView = z.output<typeof notifierAnswer>
export type WebhookView = z.output<typeof webhookAnswer>
export type NewWebhookView = z.output<typeof newWebhookAnswer>
export type DeadLetterView = z.output<typeof deadLetterAnswer>
