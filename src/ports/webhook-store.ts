// Webhooks and the messages on their way to them, as the store keeps them.
import type { StoredEvent } from '../domain/event.ts'
import type { Post } from '../domain/post.ts'
import type { Delivery, Webhook } from '../domain/webhook.ts'
import type { Page, PageQuery } from './page.ts'
import type { SecretRow } from './secret-store.ts'

export interface WebhookCounts {
  readonly pending: number
  readonly deadLetters: number
}

export interface QueueRequest {
  readonly at: number
  newMessageId(): string
  /** What is sent for an event; `posts`: the new posts that it tells of, if the webhook wants them. */
  payloadOf(event: StoredEvent, posts: readonly Post[] | null): string
}

export interface DueWebhook {
  readonly webhookId: string
  readonly url: string
  readonly dueAt: number
}

export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly at: number }
  /** `nextAt` null: given up. */
  | {
      readonly kind: 'failed'
      readonly at: number
      readonly status: number | null
      readonly error: string
      readonly nextAt: number | null
    }
  /** The receiver wants no more: the webhook is disabled with this attempt, and what waits becomes dead letters. */
  | { readonly kind: 'gone'; readonly at: number; readonly status: number; readonly error: string }
  /** Not attempted after all. */
  | { readonly kind: 'put-back'; readonly at: number }

export interface WebhookStore {
  /** Gets the events from now on. `most`: how many the user may have; beyond it 'limit-reached' is thrown. */
  addWebhook(webhook: Webhook, secret: SecretRow, most?: number | null): Promise<void>
  getWebhook(userId: string, id: string): Promise<Webhook | null>
  listWebhooks(userId: string, page: PageQuery, which?: 'webhooks' | 'notifiers'): Promise<Page<Webhook>>
  changeNotifier(
    userId: string,
    id: string,
    change: Partial<Pick<Webhook, 'url' | 'types'>>,
    target: SecretRow | null,
  ): Promise<Webhook | null>
  removeWebhook(userId: string, id: string): Promise<boolean>
  countDeliveries(webhookId: string): Promise<WebhookCounts>
  /** Messages for events that webhooks have not been told of yet. Returns how many events were looked at. */
  queueDeliveries(request: QueueRequest): Promise<number>
  waitingWebhooks(): Promise<readonly DueWebhook[]>
  /** For half a minute nobody else gets them. */
  claimDeliveries(
    webhookId: string,
    claim: { readonly now: number; readonly most: number },
  ): Promise<readonly ClaimedDelivery[]>
  settleDelivery(delivery: Pick<Delivery, 'webhookId' | 'eventId'>, outcome: DeliveryOutcome): Promise<void>
  listDeadLetters(webhookId: string, page: PageQuery): Promise<Page<Delivery>>
  /** `ids` null: all. null when one of them is no dead letter of the webhook: nothing is changed then. 0 while disabled. */
  replayDeadLetters(
    webhookId: string,
    replay: { readonly at: number; readonly ids: readonly string[] | null },
  ): Promise<number | null>
}
