// The effective configuration: checked once at the edge, frozen, camelCase. Units are in the names.

import type { SourceType } from '../domain/source.ts'
import type { FullTextPolicy } from '../domain/source-settings.ts'

export interface Config {
  readonly server: {
    readonly host: string
    readonly port: number
    readonly publicUrl: string | null
    readonly auth: 'auto' | 'required' | 'disabled'
  }
  readonly database: { readonly url: string }
  readonly encryption: { readonly masterKey: string | null }
  readonly source: SourceConfig
  readonly http: HttpConfig
  /** Full texts. `fullText`: for sources that do not say. */
  readonly content: { readonly fullText: FullTextPolicy; readonly maxPagesPerPoll: number }
  readonly mcp: { readonly enabled: boolean; readonly write: boolean }
  readonly mail: { readonly url: string | null; readonly from: string | null }
  readonly x: {
    readonly baseUrl: string
    /** For each user; 0: no limit. */
    readonly maxPostsPerMonth: number
  }
  readonly limits: LimitsConfig
  readonly log: {
    readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
    readonly format: 'auto' | 'json' | 'pretty'
  }
}

export interface SourceConfig {
  readonly tickSeconds: number
  readonly pollIntervalMinutes: number
  readonly maxArticleAgeDays: number
  readonly maxFailures: number
  readonly maxBackoffHours: number
  readonly lateArrivalHours: number
  readonly pollDelaySeconds: Readonly<Record<SourceType, number>>
  /** Keys are host names as hostOf gives them. */
  readonly hostOverrides: Readonly<Record<string, { readonly pollDelaySeconds: number }>>
  readonly maxConcurrentHosts: number
  readonly aggregateMode: 'thread' | 'digest'
  readonly breaker: { readonly failures: number; readonly sources: number; readonly waitHours: number }
  readonly pollHistoryDays: number
  /** 0: never. */
  readonly recheckDisabledDays: number
  /** Learned intervals lie between these. */
  readonly adaptive: { readonly minMinutes: number; readonly maxMinutes: number }
}

export interface HttpConfig {
  readonly userAgent: string | null
  readonly connectTimeoutSeconds: number
  readonly headersTimeoutSeconds: number
  readonly timeoutSeconds: number
  readonly maxBodyBytes: number
  readonly maxRedirects: number
  readonly allowPrivateNetworks: readonly string[]
  /** Empty: every port. */
  readonly allowPorts: readonly number[]
  readonly proxy: string | null
}

export interface LimitsConfig {
  /** What one user without admin rights may have. */
  readonly sources: number
  readonly podcasts: number
  readonly tokens: number
  readonly cursors: number
  readonly webhooks: number
  readonly eventStreams: number
  readonly importRows: number
  /** Of posts and articles. 0: no limit. */
  readonly storedMegabytes: number
  readonly requestsPerMinute: number
  /** The sources of all users without admin rights together. */
  readonly hostRequestsPerMinute: number
  /** Connections to the API in all. */
  readonly connections: number
}

/** What a caller of the library may give: any part of it. */
export type PartialConfig = {
  readonly [K in keyof Config]?: K extends 'source'
    ? Partial<Omit<SourceConfig, 'pollDelaySeconds' | 'breaker' | 'adaptive'>> & {
        readonly pollDelaySeconds?: Partial<SourceConfig['pollDelaySeconds']>
        readonly breaker?: Partial<SourceConfig['breaker']>
        readonly adaptive?: Partial<SourceConfig['adaptive']>
      }
    : Partial<Config[K]>
}
