// The store speaks the story's verbs. Time is always an argument; the database's own clock is never read.
// Every verb is atomic. Both engines pass the same contract suite.
import type { Article } from '../domain/article.ts'
import type { NewEvent, StoredEvent } from '../domain/event.ts'
import type { HostState } from '../domain/host.ts'
import type { PollRecord } from '../domain/outcome.ts'
import type { Podcast, Token, User } from '../domain/person.ts'
import type { HostDay, SpacedTally } from '../domain/politeness.ts'
import type { Candidate, KnownEntry, Post } from '../domain/post.ts'
import type { Source, SourceSettings, SourceState } from '../domain/source.ts'
import type { HostHealthStore, LaneCrowd, LaneRecovery } from './host-store.ts'
import type { WebhookStore } from './webhook-store.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface PageQuery {
  readonly limit: number
  readonly cursor: string | null
}

// ---- people and sources -------------------------------------------------------------------------

export interface PeopleStore {
  addUser(user: User): Promise<void>
  getUser(id: string): Promise<User | null>
  listUsers(page: PageQuery): Promise<Page<User>>
  renameUser(id: string, name: string): Promise<User | null>
  /** Takes podcasts, sources, posts, articles, tokens and secrets along. */
  removeUser(id: string): Promise<boolean>

  addPodcast(podcast: Podcast): Promise<void>
  getPodcast(id: string): Promise<Podcast | null>
  listPodcasts(userId: string | null, page: PageQuery): Promise<Page<Podcast>>
  changePodcast(
    id: string,
    change: Partial<Pick<Podcast, 'name' | 'topic' | 'maxArticleAgeDays'>>,
  ): Promise<Podcast | null>
  removePodcast(id: string): Promise<boolean>

  addToken(token: Token, tokenHash: string): Promise<void>
  listTokens(userId: string, page: PageQuery): Promise<Page<Token>>
  findToken(tokenHash: string): Promise<Token | null>
  /** Kept to the minute: a busy token does not write with every request. */
  touchToken(id: string, at: number): Promise<void>
  removeToken(userId: string, id: string): Promise<boolean>
}

/** A sealed secret as stored: `sealed` is opaque to the store. */
export interface SecretRow {
  readonly scope: 'key' | 'source' | 'webhook'
  /** User id for keys, source or webhook id otherwise. */
  readonly ownerId: string
  readonly name: string
  readonly keyId: string
  readonly sealed: string
  readonly updatedAt: number
}

export interface SecretStore {
  putSecret(row: SecretRow): Promise<void>
  getSecret(scope: SecretRow['scope'], ownerId: string, name: string): Promise<SecretRow | null>
  removeSecret(scope: SecretRow['scope'], ownerId: string, name: string): Promise<boolean>
  /** For rotation and the check at start: rows under another key than `keyId`, a batch at a time. */
  secretsNotUnder(keyId: string, limit: number): Promise<readonly SecretRow[]>
  anySecret(): Promise<SecretRow | null>
}

export interface SourceQuery extends PageQuery {
  readonly podcastId: string | null
  readonly userId?: string | null
  readonly type?: string | null
  readonly host?: string | null
  readonly health?: 'ok' | 'failing' | 'disabled' | 'new' | null
  /** Case-insensitive substring of url or label. */
  readonly q?: string | null
  readonly url?: string | null
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
    readonly version?: number
  }

export interface SourceStore {
  /** 'exists' when the podcast has a source with this urlKey. Event rows go in with it. */
  addSource(source: Source, events: readonly NewEvent[], secret: SecretRow | null): Promise<'added' | 'exists'>
  getSource(id: string): Promise<Source | null>
  countsOf(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceCounts>>
  listSources(query: SourceQuery): Promise<Page<Source>>
  /**
   * Reads the row, lets `change` decide in the same transaction, writes what it returns (null: nothing).
   * 'exists' when the change would collide with another source's urlKey.
   * `secret`: undefined leaves the stored URL credentials, null removes them.
   */
  changeSource(
    id: string,
    change: (current: Source) => { set: SourceChange; events: readonly NewEvent[]; secret?: SecretRow | null } | null,
  ): Promise<Source | null | 'exists'>
  /** Takes posts, articles, polls, tombstones and secrets along; its articles go too. */
  removeSource(id: string): Promise<boolean>
}

// ---- polling ------------------------------------------------------------------------------------

export interface DueLane {
  readonly lane: string
  readonly due: number
  readonly oldestDueAt: number
}

export interface NewTombstone extends KnownEntry {}

export interface PollWrite {
  readonly sourceId: string
  /** Of the source as it was read: another version means that the result is ignored. */
  readonly version: number
  /** Oldest first. */
  readonly posts: readonly Candidate[]
  /** Of entries dropped for their age: never new again. */
  readonly tombstones: readonly NewTombstone[]
  /**
   * Set when a document was parsed: tombstones that it no longer carries start to age or, 90 days later, go.
   * What it carries is told by guid or hash.
   */
  readonly carried: { readonly guids: ReadonlySet<string>; readonly hashes: ReadonlySet<string> } | null
  readonly at: number
  /**
   * Called inside the transaction with the rows as they are now and with what was really inserted.
   * Sync and pure: this is where health and planning rules speak.
   */
  decide(now: PollMoment): PollEffects
  /** The urlKey that a permanent redirect would give the source: `decide` is told whether another source has it. */
  readonly moveTo?: string | null
  /** Lane that the last visit went to; null when nobody was asked. */
  readonly lane: string | null
  /** Ask who is in the lane; else `decide` is told only where the breaker is not closed. */
  readonly countLane?: boolean
}

export interface PollMoment {
  readonly source: Source
  readonly host: HostState | null
  readonly created: number
  readonly lostToDuplicates: number
  /** Another source of the podcast has the URL of `moveTo`. */
  readonly moveTaken: boolean
  readonly crowd: LaneCrowd | null
}

export interface PollEffects {
  readonly source: SourceChange
  /** null leaves the host row as it is. */
  readonly host: Partial<Omit<HostState, 'lane'>> | null
  readonly record: Omit<PollRecord, 'id'>
  readonly events: readonly NewEvent[]
  /** For the ledger of the lane. */
  readonly visit?: SpacedTally | null
  /** The lane's breaker closes: the other sources of it get these plans and a clean slate. */
  readonly recover?: LaneRecovery | null
}

export type PollWritten =
  | { readonly kind: 'recorded'; readonly record: PollRecord; readonly source: Source }
  | { readonly kind: 'source-changed' }
  | { readonly kind: 'source-gone' }

export interface PollingStore {
  /** Enabled sources with neither plan nor lastPolled, a batch at a time. */
  unplannedSources(limit: number): Promise<readonly Source[]>
  /** Enabled sources whose plan is at or before `now`, oldest first. */
  overdueSources(now: number, limit: number): Promise<readonly Source[]>
  countOverdue(now: number): Promise<number>
  /** Enabled sources with a last poll later than `now`: the clock was set back. */
  polledAfter(now: number, limit: number): Promise<readonly Source[]>
  /** Writes plans; a source that is disabled by then is left alone. */
  planSources(plans: readonly { id: string; nextPollAt: number | null; lastPolled?: number }[]): Promise<void>
  /** Lanes with due sources, oldest due first; costs in proportion to what is due. */
  dueLanes(now: number): Promise<readonly DueLane[]>
  /** The lane's oldest due source not in `except`. */
  nextDueOf(lane: string, now: number, except: readonly string[]): Promise<Source | null>
  nextDueAt(): Promise<number | null>

  hostState(lane: string): Promise<HostState | null>
  /** Before each visit: no other visit to this lane starts before `notBefore`. Keeps the later of the two. */
  reserveHost(lane: string, visit: { startedAt: number; notBefore: number }): Promise<void>
  changeHost(
    lane: string,
    change: (current: HostState) => Partial<Omit<HostState, 'lane'>> | null,
    events?: readonly NewEvent[],
  ): Promise<HostState>
  /** `waiting`: only those that are closed or have a breaker that is not. */
  listHosts(query: PageQuery & { userId: string | null; now: number; waiting?: boolean }): Promise<Page<HostListing>>
  hostListing(lane: string, query: { userId: string | null; now: number }): Promise<HostListing | null>

  /** What is known of the entries that carry one of these guids, hashes or urls: stored or tombstoned. */
  knownEntries(
    sourceId: string,
    of: { guids: readonly string[]; hashes: readonly string[]; urls: readonly string[] },
  ): Promise<readonly KnownEntry[]>
  recordPoll(write: PollWrite): Promise<PollWritten>
  /** All of a large poll's posts but the last slice; the rest comes with `recordPoll`. Returns how many were new. */
  addPosts(
    sourceId: string,
    version: number,
    posts: readonly Candidate[],
    at: number,
  ): Promise<number | 'source-changed' | 'source-gone'>
  listPolls(sourceId: string, page: PageQuery): Promise<Page<PollRecord>>

  readMeta(key: string): Promise<string | null>
  writeMeta(key: string, value: string): Promise<void>
}

export interface HostListing {
  readonly state: HostState
  readonly sources: number
  readonly due: number
  /** One of the lane's sources, to resolve the delay with. */
  readonly example: Source | null
  /** What it was asked within the last day, by anybody's sources. */
  readonly day: HostDay
}

// ---- what consumers get, and clean-up --------------------------------------------------------------

export interface PostQuery extends PageQuery {
  readonly podcastId: string
  readonly sourceId?: string | null
  readonly since?: number | null
  readonly unlinked?: boolean
  readonly q?: string | null
  /** Only of sources with exactly this label. */
  readonly label?: string | null
}

export interface AggregationRequest {
  readonly podcastId: string
  readonly at: number
  /** The window: posts and articles made at or after this instant. */
  readonly createdSince: number
  /** Posts dated before this are too old to become articles. */
  readonly publishedSince: number
  readonly mode: 'thread' | 'digest'
  /** Become new articles, linked or not, within the window or not. */
  readonly reprocessPostIds: readonly string[]
}

export type Aggregated =
  | { readonly kind: 'aggregated'; readonly created: readonly Article[] }
  /** One of `reprocessPostIds` is not a post of the podcast; nothing was changed. */
  | { readonly kind: 'unknown-posts' }
  | { readonly kind: 'no-podcast' }

export interface CursorState {
  readonly name: string
  readonly position: string
  /** Posts after the position. */
  readonly behind: number
  /** Clean-up removed posts after the position: they will not be seen. */
  readonly gap: boolean
}

export interface ArticleWithPosts {
  readonly article: Article
  /** Oldest first. */
  readonly posts: readonly Post[]
}

export interface ConsumerStore {
  /** Unlinked posts of the window become articles, by the rules of `aggregate`. One at a time for a podcast. */
  aggregateArticles(request: AggregationRequest): Promise<Aggregated>
  /** Newest first. */
  listPosts(query: PostQuery): Promise<Page<Post>>
  getPost(id: string): Promise<Post | null>
  /** Oldest first, in commit order, after a position. */
  postsAfter(podcastId: string, position: string, limit: number): Promise<readonly Post[]>
  listArticles(query: PageQuery & { podcastId: string; processed: boolean | null }): Promise<Page<Article>>
  getArticle(podcastId: string, id: string): Promise<ArticleWithPosts | null>
  /** With their links to posts; the store gives the ids. All in one transaction. */
  addArticles(articles: readonly Omit<Article, 'id'>[]): Promise<readonly Article[]>
  /** All or nothing: null when one of the ids is not an article of the podcast. */
  markProcessed(podcastId: string, ids: readonly string[], processed: boolean): Promise<number | null>
  /** null when the position lies beyond the newest post. */
  putCursor(
    podcastId: string,
    cursor: { readonly name: string; readonly position: string; readonly at: number },
  ): Promise<CursorState | null>
  getCursor(podcastId: string, name: string): Promise<CursorState | null>
  removeCursor(podcastId: string, name: string): Promise<boolean>
  eventsAfter(position: string, limit: number): Promise<readonly StoredEvent[]>
  lastEventId(): Promise<string>
  addEvents(events: readonly NewEvent[]): Promise<void>
  /** Whether the user has a source in this lane. */
  hasSourceOn(userId: string, lane: string): Promise<boolean>
}

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

export interface StoreTotals {
  readonly users: number
  readonly podcasts: number
  readonly sources: number
  readonly enabled: number
  readonly failing: number
  readonly disabled: number
  readonly due: number
  readonly posts: number
  readonly articles: number
  readonly hosts: number
}

export interface Store
  extends PeopleStore,
    SecretStore,
    SourceStore,
    PollingStore,
    HostHealthStore,
    ConsumerStore,
    WebhookStore,
    CleanUpStore {
  readonly engine: 'sqlite' | 'postgres'
  schemaVersion(): Promise<number>
  totals(scope: { userId: string | null; now: number }): Promise<StoreTotals>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
