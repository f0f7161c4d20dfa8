// Webhooks that are really sent: sender and catalogue on a store and a clock that a test gives.

import { WebhookSender } from '../../src/announce/webhook-sender.ts'
import { createNotifiers } from '../../src/catalogue/people/notifiers.ts'
import { createWebhooks, payloadOf } from '../../src/catalogue/people/webhooks.ts'
import { configFrom } from '../../src/config.ts'
import type { EventType } from '../../src/domain/event.ts'
import { createFetcher } from '../../src/fetching/client.ts'
import { silentLog } from '../../src/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { eventOf, writeEvents } from './events.ts'
import { ManualClock } from './manual-clock.ts'
import { type TempStore, tempStore } from './temp-store.ts'
import { TEST_HTTP } from './test-fetcher.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The product's part: store, sender and catalogue on a clock that starts now, because verifiers look at the time. */
export async function startSending(
  given: {
    temp?: Pick<TempStore, 'store' | 'remove'>
    clock?: ManualClock
    allow?: readonly string[]
    answerLimitMs?: number
    mailUrl?: string
  } = {},
) {
  const clock = given.clock ?? new ManualClock(Math.floor(Date.now() / 1000) * 1000)
  const temp = given.temp ?? (await tempStore({ now: clock.now() }))
  const { store } = temp
  const secrets = createSecrets({ masterKey: Buffer.alloc(32, 1).toString('base64'), engine: 'sqlite', dataDir: null })
  const patient = { headersTimeoutSeconds: 60, timeoutSeconds: 60 }
  const http = { ...TEST_HTTP, ...patient, allowPrivateNetworks: given.allow ?? ['127.0.0.0/8'] }
  const fetcher = createFetcher({ http, version: '1', publicUrl: null })
  let made = 0
  const newMessageId = () => `msg_${++made}_${Math.trunc(performance.now())}`
  const parts = {
    store,
    clock,
    fetcher,
    secrets,
    log: silentLog,
    newMessageId,
    payloadOf,
    answerLimitMs: given.answerLimitMs ?? 60_000,
    mail: { url: given.mailUrl ?? null, from: given.mailUrl === undefined ? null : 'tidings@example.org' },
  }
  const sender = new WebhookSender(parts)
  const config = { ...configFrom(), mail: parts.mail }
  const catalogue = { store, secrets, clock, config, newId: () => `hook-${++made}` }
  const [webhooks, notifiers] = [createWebhooks(catalogue), createNotifiers(catalogue)]
  sender.start()
  const stop = async () => {
    await sender.stop()
    await fetcher.close()
  }
  return {
    ...{ temp, store, clock, sender, webhooks, notifiers, stop },
    async tell(type: EventType = 'posts.created', about: Record<string, unknown> = {}) {
      await tell(store, clock, type, about)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await temp.remove()
    },
  }
}

export async function tell(store: Store, clock: ManualClock, type: EventType, about = {}): Promise<void> {
  const facts = { at: clock.now(), podcastId: 'default', sourceId: 's', host: 'a.example' }
  await writeEvents(store, [eventOf(type, { ...facts, data: { url: 'https://a.example/feed', ...about } })])
}
