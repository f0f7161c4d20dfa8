// The webhooks of a user: where events are sent. The signing secret is stored encrypted. It is shown once, and only if
// Tidings made it.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { EVENT_TYPES, type StoredEvent } from '../../domain/event.ts'
import { Problem } from '../../domain/problem.ts'
import { type CarriedPost, type Delivery, MAX_MESSAGE_BYTES, type Webhook } from '../../domain/webhook.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Store } from '../../ports/store.ts'
import type { DeliveryOutcome, WebhookCounts } from '../../ports/webhook-store.ts'
import { BY_OPERATOR, type By, mostFor } from '../acting.ts'
import { eventView } from '../consumers/reading.ts'
import type { CatalogueParts } from '../parts.ts'
import type { PostView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { pageQuery } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { iso, isoOrNull, postView } from '../shapes/views.ts'
import type { DeadLetterView, NewWebhookView, WebhookView } from '../shapes/webhook-answers.ts'
import { replayInput, WEBHOOK_READ_ONLY, webhookInput } from '../shapes/webhook-schemas.ts'

/** Not in EVENT_TYPES: nobody subscribes to it, and every webhook can get it. */
const TEST_EVENT = 'webhook.test'

export interface WebhookCatalogue {
  create(userId: string, input: z.input<typeof webhookInput>, by?: By): Promise<NewWebhookView>
  list(userId: string, query?: z.input<typeof pageQuery>): Promise<List<WebhookView>>
  get(userId: string, id: string): Promise<WebhookView>
  remove(userId: string, id: string): Promise<void>
  /** Sends a test message at once; throws the problem delivery-failed with the reason if it does not arrive. */
  test(userId: string, id: string): Promise<{ delivered: true }>
  deadLetters(userId: string, id: string, query?: z.input<typeof pageQuery>): Promise<List<DeadLetterView>>
  /** Sends all dead letters again, or those with the given ids. */
  replay(userId: string, id: string, input?: z.input<typeof replayInput>): Promise<{ replayed: number }>
}

export interface WebhookCatalogueParts {
  readonly store: Store
  readonly secrets: Secrets
  readonly clock: Clock
  readonly newId: () => string
  readonly config: Pick<Config, 'limits'>
  readonly sendToWebhook?: CatalogueParts['sendToWebhook']
}

export function createWebhooks(parts: WebhookCatalogueParts): WebhookCatalogue {
  const { store, secrets, clock, newId, config, sendToWebhook } = parts
  async function webhookOf(userId: string, id: string): Promise<Webhook> {
    const found = await store.getWebhook(userId, id)
    if (found?.kind !== 'webhook') throw new Problem('not-found', 'There is no such webhook.')
    return found
  }
  const viewOf = async (webhook: Webhook) => webhookView(webhook, await store.countDeliveries(webhook.id))

  return {
    async create(userId, input, by = BY_OPERATOR) {
      const { url, types, secret: given, includePosts } = readInput(webhookInput, input, WEBHOOK_READ_ONLY)
      if (!(await store.getUser(userId))) throw new Problem('not-found', 'There is no such user.')
      const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`
      const createdAt = clock.now()
      const webhook: Webhook = {
        ...{ id: newId(), kind: 'webhook', userId, url, types: types ?? EVENT_TYPES, trusted: by.admin, createdAt },
        ...{ includePosts: includePosts ?? false, failures: 0, disabledAt: null, disabledReason: null },
      }
      const place = { scope: 'webhook', ownerId: webhook.id, name: 'signing' } as const
      await store.addWebhook(webhook, await secrets.seal(place, secret, createdAt), mostFor(by, config.limits.webhooks))
      return { ...(await viewOf(webhook)), ...(given ? {} : { secret }) }
    },
    async list(userId, query = {}) {
      const { limit, cursor = null } = readInput(pageQuery, query)
      const page = await store.listWebhooks(userId, { limit, cursor })
      return { items: await Promise.all(page.items.map(viewOf)), nextCursor: page.nextCursor }
    },
    get: async (userId, id) => viewOf(await webhookOf(userId, id)),
    async remove(userId, id) {
      await webhookOf(userId, id)
      if (!(await store.removeWebhook(userId, id))) throw new Problem('not-found', 'There is no such webhook.')
    },
    async test(userId, id) {
      const webhook = await webhookOf(userId, id)
      if (webhook.disabledAt !== null) {
        throw new Problem('conflict', `The webhook is disabled (${webhook.disabledReason}): make a new one instead.`)
      }
      const at = iso(clock.now())
      const data = { type: TEST_EVENT, at, webhookId: id, message: 'A test message of Tidings.' }
      const sent = await sendToWebhook?.(webhook, JSON.stringify({ type: TEST_EVENT, timestamp: at, data }))
      if (sent?.kind === 'delivered') return { delivered: true }
      throw new Problem('delivery-failed', `The test message did not arrive: ${reasonOf(sent)}.`)
    },
    async deadLetters(userId, id, query = {}) {
      const { limit, cursor = null } = readInput(pageQuery, query)
      const webhook = await webhookOf(userId, id)
      return listOf(await store.listDeadLetters(webhook.id, { limit, cursor }), deadLetterView)
    },
    async replay(userId, id, input = {}) {
      const { ids = null } = readInput(replayInput, input)
      const webhook = await webhookOf(userId, id)
      if (webhook.disabledAt !== null) {
        throw new Problem('conflict', `The webhook is disabled (${webhook.disabledReason}): make a new one instead.`)
      }
      const replayed = await store.replayDeadLetters(webhook.id, { at: clock.now(), ids })
      if (replayed !== null) return { replayed }
      throw new Problem('not-found', 'One of the ids is not a dead letter of this webhook. Nothing was changed.')
    },
  }
}

function reasonOf(sent: DeliveryOutcome | undefined): string {
  return sent !== undefined && 'error' in sent ? sent.error : 'this process sends no messages'
}

/** The message's body, as the Standard Webhooks specification proposes it. */
export function payloadOf(event: StoredEvent, posts: readonly CarriedPost[] | null): string {
  const data = eventView(event)
  const message = { type: event.type, timestamp: data.at, data }
  if (posts === null) return JSON.stringify(message)
  const carried: PostView[] = []
  let bytes = Buffer.byteLength(JSON.stringify({ ...message, data: { ...data, posts: [], more: true } }))
  for (const post of posts) {
    const view = postView(post, post)
    bytes += Buffer.byteLength(JSON.stringify(view)) + 1
    if (bytes > MAX_MESSAGE_BYTES) break
    carried.push(view)
  }
  const all = Array.isArray(data.postIds) ? data.postIds.length : Number(data.count)
  const more = carried.length < all ? { more: true } : {}
  return JSON.stringify({ ...message, data: { ...data, posts: carried, ...more } })
}

function webhookView(webhook: Webhook, { pending, deadLetters }: WebhookCounts): WebhookView {
  const { id, url, includePosts, disabledReason } = webhook
  const stamps = { createdAt: iso(webhook.createdAt), disabledAt: isoOrNull(webhook.disabledAt) }
  return { id, url, types: [...webhook.types], includePosts, ...stamps, disabledReason, pending, deadLetters }
}

function deadLetterView({ eventId, messageId, type, payload, ...delivery }: Delivery): DeadLetterView {
  return {
    id: eventId,
    messageId,
    type,
    createdAt: iso(delivery.createdAt),
    attempts: delivery.attempts,
    lastAttemptAt: isoOrNull(delivery.lastAttemptAt),
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    payload: JSON.parse(payload),
  }
}
