// Webhooks and the messages on their way to them, as the store keeps them.
import type { StoredEvent } from '../domain/event.ts'
import type { ReceiverChange, ReceiverHost } from '../domain/receiver-host.ts'
import type { CarriedPost, Delivery, Webhook } from '../domain/webhook.ts'
import type { Page, PageQuery } from './page.ts'
import type { SecretRow } from './secret-store.ts'

export interface WebhookCounts {
  readonly pending: number
  readonly deadLetters: number
}

export interface QueueRequest {
  readonly at: number
  newMessageId(): string
  /** What is sent for an event; `posts`: the posts that it tells of, if the webhook wants them. */
  payloadOf(event: StoredEvent, posts: readonly CarriedPost[] | null): string
}

export interface DueWebhook {
  readonly webhookId: string
  readonly kind: Webhook['kind']
  readonly url: string
  readonly dueAt: number
}

export interface DeliveryClaim {
  readonly now: number
  readonly most: number
  /** No more are claimed than may be in flight to this host together. null: whatever its host. */
  readonly host: string | null
}

/** A host that messages are sent to. */
export interface ReceiverInUse {
  readonly health: ReceiverHost
  /** Of all processes together, test messages too. */
  readonly inFlight: number
  readonly isTested: boolean
}

export interface SettledReceiver {
  readonly host: string
  /** null if the delivery says nothing of the host. */
  readonly succeeded: boolean | null
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
      /** Nothing was sent, or the mail server refused this one message: others to the host may fare better. */
      readonly saysNothingOfHost?: boolean
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
  /** Why the last failed attempt failed, of the messages that are still there. */
  lastDeliveryError(webhookId: string): Promise<string | null>
  /** Messages for events that webhooks have not been told of yet. Returns how many events were looked at. */
  queueDeliveries(request: QueueRequest): Promise<number>
  waitingWebhooks(): Promise<readonly DueWebhook[]>
  /** For half a minute nobody else gets them. */
  claimDeliveries(webhookId: string, claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]>
  /** Returns what changes for the receiver with this. */
  settleDelivery(
    delivery: Pick<Delivery, 'webhookId' | 'eventId'>,
    outcome: DeliveryOutcome,
    receiver?: SettledReceiver | null,
  ): Promise<ReceiverChange | null>
  /** By host: those that something is on its way to, or that failed. */
  receiversInUse(now: number): Promise<ReadonlyMap<string, ReceiverInUse>>
  /** For a test message, until `endTest` and for at most half a minute. false: there is no place just now. */
  takeTestPlace(host: string, now: number): Promise<boolean>
  endTest(host: string, succeeded: boolean | null, at: number): Promise<ReceiverChange | null>
  listDeadLetters(webhookId: string, page: PageQuery): Promise<Page<Delivery>>
  /** `ids` null: all. null when one of them is no dead letter of the webhook: nothing is changed then. 0 while disabled. */
  replayDeadLetters(
    webhookId: string,
    replay: { readonly at: number; readonly ids: readonly string[] | null },
  ): Promise<number | null>
}
