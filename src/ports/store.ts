// The store speaks the story's verbs. Time is always an argument. Where several
// processes share a store, it comes from the database (app/database-clock.ts).
// Every verb is atomic. Both engines pass the same contract suite.
import type { DiskSpace } from '../domain/disk-space.ts'
import type { NewEvent } from '../domain/event.ts'
import type { ConsumerStore } from './consumer-store.ts'
import type { ForecastStore } from './forecast-store.ts'
import type { HostHealthStore } from './host-store.ts'
import type { LaneQueue } from './lane-queue.ts'
import type { PageStore } from './page-store.ts'
import type { PeopleStore } from './people-store.ts'
import type { PollingStore } from './polling-store.ts'
import type { SecretStore } from './secret-store.ts'
import type { SourceStore } from './source-store.ts'
import type { WebhookStore } from './webhook-store.ts'

export interface CleanUpLimits {
  readonly now: number
  /** For podcasts that do not say. */
  readonly maxArticleAgeDays: number
  readonly pollHistoryDays: number
  /** Rows at most of each kind in this call, so that no call holds the store for long. */
  readonly batch: number
}

export interface CleanedUp {
  readonly articles: number
  readonly posts: number
  readonly polls: number
  readonly events: number
  /** False: more is left, call again. */
  readonly done: boolean
}

export interface CleanUpStore {
  cleanUp(limits: CleanUpLimits): Promise<CleanedUp>
}

export interface TotalsScope {
  readonly userId: string | null
  /** Only of this podcast. */
  readonly podcastId?: string | null
  readonly now: number
}

export interface StoreTotals {
  readonly users: number
  readonly podcasts: number
  readonly sources: number
  readonly enabled: number
  readonly failing: number
  readonly disabled: number
  readonly quiet: number
  readonly due: number
  readonly posts: number
  readonly articles: number
  readonly hosts: number
}

/** A process that polls on the store, as it tells of itself. */
export interface ProcessReport {
  readonly id: string
  readonly kind: 'serve' | 'worker'
  readonly version: string
  readonly startedAt: number
  readonly lastSeenAt: number
  readonly hostsInHand: number
  readonly pollsPerMinute: number
}

/** What the store tells those who want to know. Each returns how to stop listening. */
export interface StoreListening {
  /** After each commit of this process that wrote events, with the id of the first. */
  onEventsWritten(listener: (firstId: number) => void): () => void
  /** After each commit of this process: what happened, also events that nobody listens to and that have no row. */
  onEvents(listener: (events: readonly NewEvent[]) => void): () => void
  /** After each call of a verb. */
  onCallEnded(listener: (verb: string, seconds: number) => void): () => void
}

export interface Store
  extends PeopleStore,
    SecretStore,
    SourceStore,
    ForecastStore,
    PollingStore,
    HostHealthStore,
    ConsumerStore,
    WebhookStore,
    PageStore,
    CleanUpStore,
    StoreListening {
  readonly engine: 'sqlite' | 'postgres'
  schemaVersion(): Promise<number>
  totals(scope: TotalsScope): Promise<StoreTotals>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** Resolves when something was written. */
  probeWrite(at: number): Promise<void>
  /** Of the disk that the database is on; null if it is not on this machine. Rejects if the file is gone. */
  diskSpace(): Promise<DiskSpace | null>
  /** The same store for people's requests: on PostgreSQL over connections of its own, so that polls do not hold them up. */
  forRequests(): Store
  reportProcess(report: ProcessReport): Promise<void>
  /** Processes that were heard of since then, in the order in which they started. */
  listProcesses(since: number): Promise<readonly ProcessReport[]>
  removeProcess(id: string): Promise<void>
  /** Opens the queue that hands out lanes to processes; null: only one process polls on this store. */
  readonly openLaneQueue: (() => Promise<LaneQueue>) | null
  /** The time of the database server; null: it is that of this machine. */
  readonly databaseTime: (() => Promise<number>) | null
  close(): Promise<void>
}
