// Tries once to deliver one message: signs it, posts it and returns what happened. A redirect is a failure: the owner
// named the address, and a signed message goes nowhere else.
import { createHmac } from 'node:crypto'
import { retryHint } from '../domain/throttle.ts'
import { retryAt } from '../domain/webhook.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetcher, FetchResult } from '../ports/fetcher.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import type { ClaimedDelivery, DeliveryOutcome } from '../ports/webhook-store.ts'
import { type NotifyParts, notify } from './notify.ts'
import type { MailFailure } from './send-mail.ts'

export const ANSWER_LIMIT_MS = 15_000
const GONE = 410

export interface DeliverParts extends NotifyParts {
  readonly store: Pick<Store, 'getSecret'>
  readonly secrets: Secrets
  readonly fetcher: Fetcher
  readonly clock: Clock
  readonly stopping: AbortSignal
  readonly answerLimitMs?: number
}

export async function deliver(claimed: ClaimedDelivery, parts: DeliverParts): Promise<DeliveryOutcome> {
  const { clock, stopping } = parts
  const secret = await secretOf(claimed, parts)
  if (secret === null) return failed(claimed, clock.now(), { error: UNREADABLE, saysNothingOfHost: true })
  const timeLimit = AbortSignal.timeout(parts.answerLimitMs ?? ANSWER_LIMIT_MS)
  const signal = AbortSignal.any([stopping, timeLimit])
  const { webhook, delivery } = claimed
  const result =
    webhook.kind === 'webhook'
      ? await post(claimed, secret, parts, signal)
      : await notify(webhook, secret, delivery, parts, signal)
  const now = clock.now()
  switch (result.kind) {
    case 'mailed':
      return result.failure === null ? { kind: 'delivered', at: now } : failed(claimed, now, result.failure)
    case 'body':
      return { kind: 'delivered', at: now }
    case 'status': {
      const { status, headers, failure } = result
      if (status === GONE) return { kind: 'gone', at: now, status, error: failure.reason }
      return failed(claimed, now, { status, error: failure.reason, hint: retryHint({ now, status, headers }) })
    }
    case 'aborted':
      if (stopping.aborted) return { kind: 'put-back', at: now }
      return failed(claimed, now, { error: 'No answer in time' })
    case 'failed':
      return failed(claimed, now, { status: result.failure.httpStatus, error: result.failure.reason })
    case 'not-modified':
    case 'elsewhere':
      return failed(claimed, now, { status: result.status, error: 'An answer that makes no sense to a message' })
    default:
      return result satisfies never
  }
}

/** Nothing is sent then. */
const UNREADABLE = 'Its secret cannot be read with the master key in use; make the webhook again, or restore the key'

async function secretOf({ webhook }: ClaimedDelivery, { store, secrets }: DeliverParts): Promise<string | null> {
  const row = await store.getSecret('webhook', webhook.id, webhook.kind === 'webhook' ? 'signing' : 'target')
  return row ? secrets.open(row) : null
}

function post(
  { webhook, delivery }: ClaimedDelivery,
  secret: string,
  { fetcher, clock }: DeliverParts,
  signal: AbortSignal,
): Promise<FetchResult> {
  const { messageId, payload } = delivery
  const timestamp = String(Math.floor(clock.now() / 1000))
  return fetcher.fetch({
    ...{ url: webhook.url, accept: 'any', trusted: webhook.trusted, followRedirects: false, signal },
    post: { body: payload, contentType: 'application/json' },
    headers: {
      'webhook-id': messageId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, `${messageId}.${timestamp}.${payload}`),
    },
  })
}

/** As in the Standard Webhooks specification: the secret is base64, with or without its prefix. */
function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

interface DeliveryFailure extends MailFailure {
  readonly status?: number | null
  readonly hint?: number | null
}

function failed(
  { delivery }: ClaimedDelivery,
  at: number,
  { status = null, error, hint = null, saysNothingOfHost = false }: DeliveryFailure,
): DeliveryOutcome {
  const attempted = { attempts: delivery.attempts + 1, firstAttemptAt: delivery.firstAttemptAt ?? at }
  return { kind: 'failed', at, status, error, nextAt: retryAt(attempted, at, hint), saysNothingOfHost }
}
