// The composition root: Config -> running parts. Only this file names concrete adapters.
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { getDomain } from 'tldts'
import { EventHub } from './announce/event-hub.ts'
import { WebhookSender } from './announce/webhook-sender.ts'
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { payloadOf } from './catalogue/people/webhooks.ts'
import { databaseOf } from './config.ts'
import { hostOf, webAddressKey } from './domain/address.ts'
import { BUILT_IN_TYPES } from './domain/built-in-types.ts'
import type { Failure } from './domain/outcome.ts'
import type { Source } from './domain/source.ts'
import { type SourceTypeDescriptor, SourceTypes } from './domain/source-type.ts'
import type { ListenAddress } from './fetching/address-guard.ts'
import { createFetcher } from './fetching/client.ts'
import { silentLog } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { AloneCoordinator } from './polling/coordination/alone.ts'
import { SharedCoordinator } from './polling/coordination/shared.ts'
import { PollingEngine } from './polling/engine.ts'
import type { Clock, Random } from './ports/clock.ts'
import type { Config } from './ports/config.ts'
import type { Documents } from './ports/documents.ts'
import type { Engine } from './ports/engine.ts'
import type { Log } from './ports/log.ts'
import { type Readers, readerOf, type SourceReader } from './ports/reader.ts'
import type { Secrets } from './ports/secrets.ts'
import type { Store } from './ports/store.ts'
import { checkMasterKey, type UnreadableSecrets } from './secrets/check-master-key.ts'
import { createSecrets, type KeyedSecrets } from './secrets/secrets.ts'
import { createDiscover } from './sources/discovery/discover.ts'
import { createFeedSource } from './sources/feed/feed-source.ts'
import { createWebsiteSource } from './sources/website/website-source.ts'
import { createXSource } from './sources/x/x-source.ts'
import { createYoutubeSource } from './sources/youtube/youtube-source.ts'
import { openStore } from './storage/open-store.ts'
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
  /** Source types besides the built-in ones. */
  readonly addedTypes?: readonly AddedType[]
}

export interface AddedType {
  readonly type: SourceTypeDescriptor
  readonly reader: SourceReader
}

export interface App extends AsyncDisposable {
  readonly config: Config
  readonly types: SourceTypes
  readonly clock: Clock
  readonly store: Store
  readonly secrets: KeyedSecrets
  /** What the master key did not open at the start; null when all is well. */
  readonly unreadable: UnreadableSecrets | null
  readonly catalogue: Catalogue
  readonly engine: Engine
  readonly events: EventHub
  readonly webhookSender: WebhookSender
  /** Counts from the moment somebody wants its figures. */
  readonly metrics: Metrics
  /** What the API listens on is told here: it is never fetched. */
  readonly listening: ListenAddress[]
  /** Scheduler and webhooks; what is asked for works without. */
  start(): Promise<void>
  /** Ends what `start` began and what is under way; what is asked for still works, and so does another start. */
  rest(): Promise<void>
  close(): Promise<void>
}

export async function createApp(options: AppOptions): Promise<App> {
  const { random = Math.random, log = silentLog, version = VERSION, sharesFile = false, addedTypes = [] } = options
  const types = new SourceTypes([...BUILT_IN_TYPES.all, ...addedTypes.map(({ type }) => type)])
  const config = withDelaysOf(types, options.config)
  const clock = options.clock ? wholeMilliseconds(options.clock) : systemClock
  const listening: ListenAddress[] = []
  const store = await openStore(config.database.url, { log, now: clock.now(), types })
  const events = new EventHub(store, log)
  const secrets = createSecrets({
    masterKey: config.encryption.masterKey,
    engine: store.engine,
    dataDir: dataDirOf(config.database.url),
  })
  const unreadable = await checkMasterKey(secrets, store)
  if (unreadable) log.error({}, `${unreadable.found}. ${unreadable.remedy} Everything else works.`)
  const documents = createDocuments()
  const { publicUrl } = config.server
  const fetcher = createFetcher({ http: config.http, version, publicUrl, ownAddresses: () => listening })
  const readers = { ...readersOf(config, documents, store, secrets), ...readersOfAdded(addedTypes) }
  for (const name of types.names) readerOf(readers, name)
  const engine = new PollingEngine({
    clock,
    random,
    log,
    store,
    fetcher,
    types,
    readers,
    rules: config.source,
    coordinator:
      store.engine === 'postgres' || sharesFile
        ? new SharedCoordinator({ clock, log, store, processId: randomUUID() })
        : new AloneCoordinator(store),
    discover: createDiscover(documents, types, readers),
    credentials: (source) => credentialsOf(source, store, secrets),
    sameDomain,
    urlKeyOf: webAddressKey,
  })
  const newMessageId = () => `msg_${randomUUID()}`
  const webhookSender = new WebhookSender({ store, clock, fetcher, secrets, log, newMessageId, payloadOf })
  const metrics = new Metrics({
    ...{ store, engine, clock, log, version, types },
    subscribe: (signal) => events.subscribe({ signal }),
  })
  const catalogue = createCatalogue({ store, engine: () => engine, secrets, config, clock, types })
  const close = once(async () => {
    events.close()
    await metrics.close()
    await Promise.all([engine.stop(), webhookSender.stop()])
    await Promise.all([fetcher.close(), documents.close()])
    await store.close()
  })
  let resting: Promise<unknown> = Promise.resolve()
  const start = async () => {
    await resting
    webhookSender.start()
    await engine.start()
  }
  const rest = async () => {
    resting = Promise.all([engine.rest(), webhookSender.stop()])
    await resting
  }
  const told = { config, types, clock, store, secrets, unreadable, listening }
  const parts = { ...told, catalogue, engine, events, webhookSender, metrics }
  return { ...parts, start, rest, close, [Symbol.asyncDispose]: close }
}

function readersOf(config: Config, documents: Documents, store: Store, secrets: Secrets): Readers {
  return {
    rss: createFeedSource(documents),
    website: createWebsiteSource(documents),
    youtube: createYoutubeSource(documents),
    twitter: createXSource({ baseUrl: config.x.baseUrl, keyOf: (userId) => xKeyOf(userId, store, secrets) }),
  }
}

function readersOfAdded(added: readonly AddedType[]): Readers {
  return Object.fromEntries(added.map(({ type, reader }) => [type.name, reader]))
}

/** The configuration knows the built-in types; an added one has the delay of its descriptor. */
function withDelaysOf({ all }: SourceTypes, config: Config): Config {
  const usual = Object.fromEntries(all.map(({ name, pollDelaySeconds }) => [name, pollDelaySeconds]))
  return { ...config, source: { ...config.source, pollDelaySeconds: { ...usual, ...config.source.pollDelaySeconds } } }
}

async function xKeyOf(userId: string, store: Store, secrets: Secrets): Promise<string | null | Failure> {
  const row = await store.getSecret('key', userId, 'x')
  if (!row) return null
  return (await secrets.open(row)) ?? unreadableSecret('the X API key')
}

async function credentialsOf(source: Source, store: Store, secrets: Secrets): Promise<string | null | Failure> {
  const row = await store.getSecret('source', source.id, 'url')
  if (!row) return null
  return (await secrets.open(row)) ?? unreadableSecret('the credentials of its URL')
}

function unreadableSecret(what: string): Failure {
  const reason = `${what} cannot be read with the master key in use; store it again or restore app.encryption.master-key`
  return { code: 'unreadable-secret', httpStatus: null, reason }
}

function sameDomain(a: string, b: string): boolean {
  const [one, other] = [hostOf(a), hostOf(b)]
  if (one === null || other === null) return false
  return one === other || (getDomain(one) !== null && getDomain(one) === getDomain(other))
}

function dataDirOf(databaseUrl: string): string | null {
  const database = databaseOf(databaseUrl)
  if (database?.engine !== 'sqlite' || database.path === ':memory:') return null
  return dirname(database.path)
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | null = null
  return () => {
    closing ??= close()
    return closing
  }
}
