// The composition root: from a configuration to running parts. Only this file and its folder name concrete adapters.
// Read `createApp` from top to bottom: each part is made from those above it.
import { committedEvents } from './announce/committed-events.ts'
import { EventHub } from './announce/event-hub.ts'
import type { WebhookSender } from './announce/webhook-sender.ts'
import { createEngine } from './app/engine.ts'
import { type AppOptions, engineOptions, type Foundation, layFoundation } from './app/foundation.ts'
import { type LifeCycle, lifeCycleOf } from './app/life-cycle.ts'
import { ProcessReports } from './app/process-reports.ts'
import { createWebhookSender } from './app/webhook-sender.ts'
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { silentLog } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import type { Documents } from './ports/documents.ts'
import type { Engine } from './ports/engine.ts'
import { BackgroundIndex } from './storage/posts/background-index.ts'
import { VERSION } from './version.ts'
import { createDocuments } from './workers/documents.ts'

export interface App extends LifeCycle, Foundation {
  readonly documents: Documents
  readonly catalogue: Catalogue
  readonly engine: Engine
  readonly events: EventHub
  readonly webhookSender: WebhookSender
  /** Counts once it is started. */
  readonly metrics: Metrics
}

export async function createApp(options: AppOptions): Promise<App> {
  const { log = silentLog, version = VERSION } = options
  const foundation = await layFoundation(options, false)
  const { config, types, clock, store, secrets } = foundation
  const documents = createDocuments()
  const engine = createEngine({ ...foundation, ...engineOptions(options), documents })

  const events = new EventHub(store.forRequests(), log)
  const webhookSender = createWebhookSender(foundation, log)
  const sendToWebhook = webhookSender.sendNow.bind(webhookSender)
  const catalogue = createCatalogue({
    ...{ config, types, clock, secrets, documents, sendToWebhook },
    store: store.forRequests(),
    engine: () => engine,
  })
  const subscribe = (signal: AbortSignal) => committedEvents(store, signal)
  const metrics = new Metrics({ store, engine, clock, log, version, types, subscribe })

  const isPolling = () => engine.status().lanesAtWork > 0
  const searchIndex = new BackgroundIndex({ store, log, isPolling })

  const processReports = new ProcessReports({ store, engine, clock, version })
  const lifeCycle = lifeCycleOf({
    ...foundation,
    ...{ processReports, engine, events, webhookSender, searchIndex, metrics, documents },
  })
  return { ...foundation, documents, catalogue, engine, events, webhookSender, metrics, ...lifeCycle }
}
