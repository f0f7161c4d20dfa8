// Sends each message to its webhook at least once, as the Standard Webhooks specification asks. Messages are rows: a row
// is claimed, sent, and removed only then, so after a crash a message may be sent twice but is never lost. Polling never
// waits for this, and a slow receiver delays only itself (delivery-slots.ts). Backoff follows the injected clock; limits
// on sockets use real time.
import { setTimeout } from 'node:timers/promises'
import type { StoredEvent } from '../domain/event.ts'
import { HostNotFree, logLevelOf } from '../domain/problem.ts'
import { type ReceiverChange, receiverHostOf } from '../domain/receiver-host.ts'
import type { CarriedPost, Delivery, Webhook } from '../domain/webhook.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Fetcher } from '../ports/fetcher.ts'
import type { Log } from '../ports/log.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import type { ClaimedDelivery, DeliveryOutcome, DueWebhook } from '../ports/webhook-store.ts'
import { Alarm } from './alarm.ts'
import { ANSWER_LIMIT_MS, deliver } from './deliver.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { ReceiverHosts, type ReceiversNow } from './receiver-hosts.ts'

/** Events that other processes wrote are found by looking. */
const LOOK_EVERY_MS = 2000
/** A busy poller writes events all the time: those of this span are queued together. */
const GATHER_MS = 25
/** A delivery is quick if it takes less than a third of the time that a receiver has. */
const QUICK_SHARE = 1 / 3

export interface WebhookParts {
  readonly store: Store
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly secrets: Secrets
  /** The mail server for notifications. */
  readonly mail: Config['mail']
  readonly log: Log
  newMessageId(): string
  payloadOf(event: StoredEvent, posts: readonly CarriedPost[] | null): string
  /** Real time that a receiver has to answer. */
  readonly answerLimitMs?: number
}

export class WebhookSender {
  readonly #parts: WebhookParts
  readonly #alarm: Alarm
  #stopping = new AbortController()
  readonly #slots = new DeliverySlots()
  readonly #hosts: ReceiverHosts
  readonly #inFlight = new Map<string, Promise<void>>()
  #running: Promise<void> | null = null
  #stopListening = (): void => {}

  constructor(parts: WebhookParts) {
    this.#parts = parts
    this.#hosts = new ReceiverHosts(parts.store)
    this.#alarm = new Alarm(parts.clock, LOOK_EVERY_MS)
  }

  start(): void {
    if (this.#running) return
    this.#stopping = new AbortController()
    this.#stopListening = this.#parts.store.onEventsWritten(() => this.#alarm.ring())
    this.#running = this.#run()
  }

  /** Looks for messages at once: dead letters may wait to be sent again. */
  lookNow(): void {
    this.#alarm.ring()
  }

  /** Sends one test message at once, without a row and without another try. It takes a place at its host. */
  async sendNow(webhook: Webhook, payload: string): Promise<DeliveryOutcome> {
    const { store, clock } = this.#parts
    const host = this.#hostOf(webhook)
    if (!(await this.#hosts.waitForTestPlace(host, clock))) {
      throw new HostNotFree(clock.now() + LOOK_EVERY_MS, `Messages to ${host} are on their way: try again soon.`)
    }
    let outcome: DeliveryOutcome | null = null
    try {
      outcome = await this.#deliverNow(webhook, payload)
      return outcome
    } finally {
      this.#tellOf(host, await store.endTest(host, didSucceed(outcome), clock.now()))
      this.#alarm.ring()
    }
  }

  #deliverNow(webhook: Webhook, payload: string): Promise<DeliveryOutcome> {
    const { clock, newMessageId } = this.#parts
    const unsent = { attempts: 0, firstAttemptAt: null, lastAttemptAt: null, lastStatus: null, lastError: null }
    const delivery: Delivery = {
      ...{ webhookId: webhook.id, eventId: '0', messageId: newMessageId(), type: 'poll.finished', payload },
      ...{ createdAt: clock.now(), nextAt: null, ...unsent },
    }
    // Also in a process that sends nothing on its own.
    return deliver({ delivery, webhook }, { ...this.#parts, stopping: new AbortController().signal })
  }

  async stop(): Promise<void> {
    this.#stopListening()
    this.#stopping.abort()
    this.#alarm.ring()
    await this.#running
    await Promise.all(this.#inFlight.values())
    this.#running = null
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const rung = this.#alarm.set()
      await setTimeout(GATHER_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      try {
        await rung.until(await this.#round())
      } catch (error) {
        // The store itself logs that its database is away.
        this.#parts.log[logLevelOf(error)]({ err: error }, '[Webhooks] a round failed')
        await rung.until(null)
      }
    }
  }

  /** Starts the deliveries that may start now; returns when the next one is due, or null. */
  async #round(): Promise<number | null> {
    const { store, clock, newMessageId, payloadOf } = this.#parts
    const now = clock.now()
    if ((await store.queueDeliveries({ at: now, newMessageId, payloadOf })) > 0) this.#alarm.ring()
    let next: number | null = null
    const all = await store.waitingWebhooks()
    if (all.length === 0) return null
    const hosts = await this.#hosts.look(now)
    for (const waiting of this.#slots.longestIdleFirst(all)) {
      const dueAt = Math.max(waiting.dueAt, hosts.waitsUntil(this.#hostOf(waiting)) ?? 0)
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      // Without a free slot the webhook waits for the end of another delivery, which rings the alarm.
      else await this.#startDeliveries(waiting, hosts, now)
    }
    return next
  }

  #hostOf(webhook: Pick<Webhook, 'kind' | 'url'>): string {
    return receiverHostOf(webhook, this.#parts.mail.url)
  }

  async #startDeliveries(due: DueWebhook, hosts: ReceiversNow, now: number): Promise<void> {
    const { webhookId } = due
    const host = this.#hostOf(due)
    const most = Math.min(this.#slots.freeFor(webhookId), hosts.freeFor(host))
    if (most === 0 || this.#stopping.signal.aborted) return
    for (const claimed of await this.#parts.store.claimDeliveries(webhookId, { now, most, host })) {
      const key = `${webhookId} ${claimed.delivery.eventId}`
      // A clock that jumps can end a claim while its delivery goes on.
      if (!this.#inFlight.has(key)) this.#inFlight.set(key, this.#inSlot(key, claimed, host))
    }
  }

  async #inSlot(key: string, claimed: ClaimedDelivery, host: string): Promise<void> {
    const { log, answerLimitMs = ANSWER_LIMIT_MS } = this.#parts
    const { id } = claimed.webhook
    const startedAt = performance.now()
    this.#slots.take(id)
    this.#hosts.take(host)
    try {
      const outcome = await deliver(claimed, { ...this.#parts, stopping: this.#stopping.signal })
      await this.#record(claimed, outcome, host)
    } catch (error) {
      log[logLevelOf(error)]({ err: error }, '[Webhooks] a delivery could not be recorded')
    } finally {
      this.#slots.release(id, { quick: performance.now() - startedAt < answerLimitMs * QUICK_SHARE })
      this.#hosts.release(host)
      this.#inFlight.delete(key)
      this.#alarm.ring()
    }
  }

  #tellOf(host: string, change: ReceiverChange | null): void {
    const { log } = this.#parts
    if (change === 'begins-to-wait') {
      log.warn({ host }, '[Webhooks] a host failed five times in a row: all deliveries to it wait')
    }
    if (change === 'is-back') log.info({ host }, '[Webhooks] a host takes deliveries again')
  }

  async #record(claimed: ClaimedDelivery, outcome: DeliveryOutcome, host: string): Promise<void> {
    const { store, log } = this.#parts
    const { webhook } = claimed
    if (outcome.kind === 'failed' && outcome.nextAt === null) {
      log.warn({ webhook: webhook.id, reason: outcome.error }, '[Webhooks] a message is given up: a dead letter')
    }
    if (outcome.kind === 'gone') {
      log.warn({ webhook: webhook.id }, '[Webhooks] a receiver answered 410 Gone: its webhook is disabled')
    }
    const receiver = { host, succeeded: didSucceed(outcome) }
    this.#tellOf(host, await store.settleDelivery(claimed.delivery, outcome, receiver))
  }
}

/** Whether the host took the message. null if that says nothing of it, or if it answered that it wants no more. */
function didSucceed(outcome: DeliveryOutcome | null): boolean | null {
  if (outcome?.kind === 'delivered') return true
  return outcome?.kind === 'failed' && !outcome.saysNothingOfHost ? false : null
}
