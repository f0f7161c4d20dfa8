// Sends messages to webhooks, at least once each, as the Standard Webhooks specification has it. Rows are the truth: a
// message is claimed, sent, and only then gone, so a crash costs a repetition and never a message. Nothing here is
// waited for by polling, and a slow receiver delays itself alone (slots.ts). Backoff follows the injected clock, limits
// on sockets real time.
import { setTimeout } from 'node:timers/promises'
import type { StoredEvent } from '../domain/event.ts'
import { isStoreAway } from '../domain/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetcher } from '../ports/fetcher.ts'
import type { Log } from '../ports/log.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import type { ClaimedDelivery } from '../ports/webhook-store.ts'
import { Alarm } from './alarm.ts'
import { attempt, LIMIT_MS } from './attempt.ts'
import { Slots } from './slots.ts'

/** What other processes wrote is found by looking. */
const LOOK_EVERY_MS = 2000
const GATHER_MS = 25
/** Quick is who takes less than this part of the time that a receiver has. */
const QUICK_PART = 3

export interface WebhookParts {
  readonly store: Store
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly secrets: Secrets
  readonly log: Log
  newMessageId(): string
  payloadOf(event: StoredEvent): string
  /** Real time that a receiver has to answer. */
  readonly limitMs?: number
}

export class WebhookSender {
  readonly #parts: WebhookParts
  readonly #alarm: Alarm
  #stopping = new AbortController()
  readonly #slots = new Slots()
  readonly #inFlight = new Map<string, Promise<void>>()
  #running: Promise<void> | null = null
  #stopListening = (): void => {}

  constructor(parts: WebhookParts) {
    this.#parts = parts
    this.#alarm = new Alarm(parts.clock, LOOK_EVERY_MS)
  }

  start(): void {
    if (this.#running) return
    this.#stopping = new AbortController()
    this.#stopListening = this.#parts.store.onEventsWritten(() => this.#alarm.ring())
    this.#running = this.#run()
  }

  /** Dead letters may wait to be sent again. */
  nudge(): void {
    this.#alarm.ring()
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
      // A busy poller writes events all the time: they are looked at together.
      await setTimeout(GATHER_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      try {
        await rung.until(await this.#round())
      } catch (error) {
        // A database that is away says so itself, once.
        this.#parts.log[isStoreAway(error) ? 'debug' : 'error']({ err: error }, '[Webhooks] a round failed')
        await rung.until(null)
      }
    }
  }

  /** Starts what can be started; returns when there will be more to do, or null. */
  async #round(): Promise<number | null> {
    const { store, clock, newMessageId, payloadOf } = this.#parts
    const now = clock.now()
    if ((await store.queueDeliveries({ at: now, newMessageId, payloadOf })) > 0) this.#alarm.ring()
    let next: number | null = null
    for (const { webhookId, dueAt } of this.#slots.inTurn(await store.waitingWebhooks())) {
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      // Without a free slot the end of an attempt rings.
      else await this.#begin(webhookId, now)
    }
    return next
  }

  async #begin(webhookId: string, now: number): Promise<void> {
    const most = this.#slots.freeFor(webhookId)
    if (most === 0 || this.#stopping.signal.aborted) return
    for (const claimed of await this.#parts.store.claimDeliveries(webhookId, { now, most })) {
      const key = `${webhookId} ${claimed.delivery.eventId}`
      // A clock that jumps can end a claim while its attempt goes on.
      if (!this.#inFlight.has(key)) this.#inFlight.set(key, this.#attempt(key, claimed))
    }
  }

  async #attempt(key: string, claimed: ClaimedDelivery): Promise<void> {
    const { log, limitMs = LIMIT_MS } = this.#parts
    const { id } = claimed.webhook
    const begunAt = performance.now()
    this.#slots.take(id)
    try {
      await this.#deliver(claimed)
    } catch (error) {
      log.error({ err: error }, '[Webhooks] a delivery could not be recorded')
    } finally {
      this.#slots.giveBack(id, { quick: performance.now() - begunAt < limitMs / QUICK_PART })
      this.#inFlight.delete(key)
      this.#alarm.ring()
    }
  }

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const { store, log } = this.#parts
    const attempted = await attempt(claimed, { ...this.#parts, stopping: this.#stopping.signal })
    const { webhook } = claimed
    if (attempted.kind === 'failed' && attempted.nextAt === null) {
      log.warn({ webhook: webhook.id, reason: attempted.error }, '[Webhooks] a message is given up: a dead letter')
    }
    if (attempted.kind === 'gone') {
      log.warn({ webhook: webhook.id }, '[Webhooks] a receiver answered 410 Gone: its webhook is disabled')
    }
    await store.settleDelivery(claimed.delivery, attempted)
  }
}
