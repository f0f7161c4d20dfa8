// The schemas of webhooks and notifiers as people may send them. See schemas.ts.
import { z } from 'zod'
import { hasCredentials, isHttp } from '../../domain/address.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import { URL_CHARACTERS } from '../../domain/source.ts'
import { NOTIFIER_KINDS } from '../../domain/webhook.ts'
import { filledText, hiddenText, oneOf, yesNo } from './fields.ts'
import { expected } from './validate.ts'

const eventType = z.enum(EVENT_TYPES, expected(`one of ${EVENT_TYPES.join(', ')}`))
const SECRET = '24 to 64 bytes in base64, with whsec_ before it or without'

export const webhookInput = z.strictObject({
  url: z
    .string(expected('an http or https URL'))
    .trim()
    .max(URL_CHARACTERS, expected(`a URL of at most ${URL_CHARACTERS} characters`))
    .refine(isPlainUrl, expected('an http or https URL without user and password')),
  types: z
    .array(eventType, expected('a list of event types'))
    .min(1, expected('at least one event type'))
    .max(100)
    .nullish()
    .transform((types) => (types ? [...new Set(types)] : null))
    .describe('null: all'),
  // The message does not repeat what was given, because a secret is never shown.
  secret: z
    .string({ error: `expected ${SECRET}` })
    .refine(isSigningSecret, { error: `expected ${SECRET}` })
    .nullish()
    .describe(`${SECRET}; left out, one is made and shown once`),
  includePosts: yesNo
    .nullish()
    .describe('messages about new posts carry the posts, as many as fit 256 KiB; data.more says that there are others'),
})
const notifierTypes = webhookInput.shape.types.describe(
  'null: source.disabled, host.opened, outage.started, outage.ended, source.quiet and source.gap',
)
const notifierTarget = hiddenText(URL_CHARACTERS, 'a URL, or a mail address').describe(
  'a URL, or an address for email; stored encrypted, and never shown whole',
)
const summaryOnly = yesNo.nullish().describe('only the daily summary, whatever types say')

export const notifierInput = z.strictObject({
  kind: oneOf(NOTIFIER_KINDS),
  target: notifierTarget,
  types: notifierTypes,
  summaryOnly,
})
export const notifierPatch = z.strictObject({ target: notifierTarget.optional(), types: notifierTypes, summaryOnly })
export const NOTIFIER_READ_ONLY = [
  'id',
  'createdAt',
  'disabledAt',
  'disabledReason',
  'pending',
  'deadLetters',
  'failures',
  'lastError',
] as const

export const WEBHOOK_READ_ONLY = ['id', 'createdAt', 'disabledAt', 'disabledReason', 'pending', 'deadLetters'] as const

function isPlainUrl(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && isHttp(url) && !hasCredentials(url)
}

function isSigningSecret(given: string): boolean {
  const encoded = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(given)?.[1]
  if (encoded === undefined || encoded.length % 4 !== 0) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64
}

export const replayInput = z.strictObject({
  ids: z
    .array(filledText(200, "a dead letter's id"), expected('a list of ids'))
    .max(1000)
    .nullish()
    .describe('null: all'),
})
