// Sources, as people change them.
import type { NewEvent } from '../domain/event.ts'
import type { SourceHealth } from '../domain/health.ts'
import type { Source, SourceSettings, SourceState } from '../domain/source.ts'
import type { Page, PageQuery } from './page.ts'
import type { SecretRow } from './secret-store.ts'

export const SOURCE_SORTS = ['created', 'title', 'health', 'nextPollAt', 'lastPolled', 'postCount'] as const

export interface SourceSort {
  readonly by: (typeof SOURCE_SORTS)[number]
  readonly isDescending: boolean
}

export interface SourceQuery extends PageQuery {
  readonly podcastId: string | null
  readonly userId?: string | null
  readonly type?: string | null
  /** Of the address, or the lane's name. */
  readonly host?: string | null
  readonly health?: SourceHealth | null
  /** Case-insensitive substring of url, label or title. */
  readonly q?: string | null
  readonly url?: string | null
  /** By default in the order of creation. */
  readonly sort?: SourceSort | null
}

export interface SourceCounts {
  readonly postCount: number
  readonly articleCount: number
}

export type SourceChange = Partial<SourceSettings> &
  Partial<SourceState> & {
    readonly host?: string | null
    readonly lane?: string
    readonly urlKey?: string
    readonly hasCredentials?: boolean
    readonly trusted?: boolean
    readonly typedHost?: string | null
    readonly version?: number
  }

export interface SourceStore {
  /**
   * 'exists' when the podcast has a source with this urlKey. Event rows go in with it.
   * `most`: how many sources the user may have; beyond it 'limit-reached' is thrown.
   */
  addSource(
    source: Source,
    events: readonly NewEvent[],
    secret: SecretRow | null,
    most?: number | null,
  ): Promise<'added' | 'exists'>
  getSource(id: string): Promise<Source | null>
  countsOf(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceCounts>>
  listSources(query: SourceQuery): Promise<Page<Source>>
  /**
   * Reads the row, lets `change` decide in the same transaction, writes what it returns (null: nothing).
   * 'exists' when the change would collide with another source's urlKey.
   * `secret`: undefined leaves the stored URL credentials, null removes them.
   * `forgetSkippedSince`: entries published since then that were dropped as older than the backfill are no longer known.
   * `dropPages`: nobody wants the pages behind its posts any more.
   */
  changeSource(
    id: string,
    change: (current: Source) => {
      set: SourceChange
      events: readonly NewEvent[]
      secret?: SecretRow | null
      forgetSkippedSince?: number
      dropPages?: boolean
    } | null,
  ): Promise<Source | null | 'exists'>
  /** Has the names of some sources found quickly; returns of how many. 0: nothing is left, or another process does it. */
  indexSources(): Promise<number>
  /** Takes posts, articles, polls, tombstones and secrets along; its articles go too. */
  removeSource(id: string): Promise<boolean>
}
