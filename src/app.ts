// The composition root: from a configuration to running parts. Only this file and its folder name concrete adapters.
// Read `createApp` from top to bottom: each part is made from those above it.
import { randomUUID } from 'node:crypto'
import { committedEvents } from './announce/committed-events.ts'
import { EventHub } from './announce/event-hub.ts'
import { WebhookSender } from './announce/webhook-sender.ts'
import { databaseClock } from './app/database-clock.ts'
import { lazyEngine } from './app/lazy-engine.ts'
import { lazyFetcher } from './app/lazy-fetcher.ts'
import { type LifeCycle, lifeCycleOf } from './app/life-cycle.ts'
import { ProcessReports } from './app/process-reports.ts'
import { type AddedType, sourceTypesWith, withDelaysOf } from './app/source-types.ts'
import { secretsOptions } from './app/stored-secrets.ts'
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { payloadOf } from './catalogue/people/webhooks.ts'
import type { SourceTypes } from './domain/source-type.ts'
import type { ListenAddress } from './fetching/address-guard.ts'
import { silentLog } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { followDelays } from './polling/planning/follow-delays.ts'
import type { Clock, Random } from './ports/clock.ts'
import type { Config } from './ports/config.ts'
import type { Documents } from './ports/documents.ts'
import type { Engine } from './ports/engine.ts'
import type { Log } from './ports/log.ts'
import type { Store } from './ports/store.ts'
import { checkMasterKey, type UnreadableSecrets } from './secrets/check-master-key.ts'
import { createSecrets, type KeyedSecrets } from './secrets/secrets.ts'
import { openStore } from './storage/open-store.ts'
import { BackgroundIndex } from './storage/posts/background-index.ts'
import { systemClock, wholeMilliseconds } from './system-clock.ts'
import { VERSION } from './version.ts'
import { createDocuments } from './workers/documents.ts'

export interface AppOptions {
  readonly config: Config
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  readonly version?: string
  /** Other processes may poll on the same SQLite file meanwhile; on PostgreSQL they always may. */
  readonly sharesFile?: boolean
  /** The engine is loaded when it is first asked for something. */
  readonly isEngineLazy?: boolean
  /** Source types besides the built-in ones. */
  readonly addedTypes?: readonly AddedType[]
}

export interface App extends LifeCycle {
  readonly config: Config
  readonly types: SourceTypes
  readonly clock: Clock
  readonly store: Store
  readonly secrets: KeyedSecrets
  /** Secrets that the master key did not open at the start; null when all is well. */
  readonly unreadable: UnreadableSecrets | null
  /** Addresses that this product listens on: whoever opens a port adds it, and no poll asks it. */
  readonly ownAddresses: ListenAddress[]
  readonly documents: Documents
  readonly catalogue: Catalogue
  readonly engine: Engine
  readonly events: EventHub
  readonly webhookSender: WebhookSender
  /** Counts once it is started. */
  readonly metrics: Metrics
}

export async function createApp(options: AppOptions): Promise<App> {
  const { random = Math.random, log = silentLog, version = VERSION, sharesFile = false, addedTypes = [] } = options
  const ownClock = options.clock ? wholeMilliseconds(options.clock) : null
  const types = sourceTypesWith(addedTypes)
  const config = withDelaysOf(types, options.config)

  const store = await openStore(config.database.url, { log, now: (ownClock ?? systemClock).now(), types })
  const sharedClock =
    ownClock || !store.databaseTime ? null : await databaseClock(store.databaseTime, systemClock.sleep)
  const clock = ownClock ?? sharedClock ?? systemClock
  await followDelays({ clock, store, rules: config.source, log })
  const secrets = createSecrets(secretsOptions(config, store.engine))
  const unreadable = await checkMasterKey(secrets, store)
  if (unreadable) log.error({}, `${unreadable.found}. ${unreadable.remedy} Everything else works.`)

  const documents = createDocuments()
  const ownAddresses: ListenAddress[] = []
  const { publicUrl } = config.server
  const fetcher = lazyFetcher({ http: config.http, version, publicUrl, ownAddresses: () => ownAddresses })

  const common = { config, types, clock, store, secrets, documents }
  const makeEngine = async () => {
    const { createEngine } = await import('./app/engine.ts')
    return createEngine({ ...common, random, log, fetcher, addedTypes, sharesFile, hasOwnClock: ownClock !== null })
  }
  const engine = options.isEngineLazy ? lazyEngine(makeEngine) : await makeEngine()

  const events = new EventHub(store.forRequests(), log)
  const newMessageId = () => `msg_${randomUUID()}`
  const webhookSender = new WebhookSender({
    store,
    clock,
    fetcher,
    secrets,
    mail: config.mail,
    log,
    newMessageId,
    payloadOf,
  })
  const sendToWebhook = webhookSender.sendNow.bind(webhookSender)
  const catalogue = createCatalogue({
    ...common,
    store: store.forRequests(),
    documents,
    engine: () => engine,
    sendToWebhook,
  })
  const subscribe = (signal: AbortSignal) => committedEvents(store, signal)
  const metrics = new Metrics({ store, engine, clock, log, version, types, subscribe })

  const isPolling = () => engine.status().lanesAtWork > 0
  const searchIndex = new BackgroundIndex({ store, log, isPolling })

  const processReports = new ProcessReports({ store, engine, clock, version })
  const stopClock = () => sharedClock?.close()
  const lifeCycle = lifeCycleOf({
    stopClock,
    processReports,
    store,
    engine,
    events,
    webhookSender,
    searchIndex,
    metrics,
    fetcher,
    documents,
  })
  return { ...common, unreadable, ownAddresses, catalogue, engine, events, webhookSender, metrics, ...lifeCycle }
}
