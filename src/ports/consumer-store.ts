// What consumers read, and the articles made for them.
import type { Article } from '../domain/article.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { Post, PostContent } from '../domain/post.ts'
import type { Page, PageQuery } from './page.ts'

/** One podcast, or all podcasts that a caller may see. */
export interface PodcastScope {
  /** null: every podcast of `userId`. */
  readonly podcastId: string | null
  /** Only where podcastId is null. null: of all users. */
  readonly userId?: string | null
}

export interface PostFilters extends PodcastScope {
  readonly sourceId?: string | null
  readonly since?: number | null
  readonly unlinked?: boolean
  readonly q?: string | null
  /** Only of sources with exactly this label. */
  readonly label?: string | null
  /** As BCP 47. `en` includes `en-GB`. */
  readonly language?: string | null
}

export type PostQuery = PostFilters & PageQuery & { readonly sort?: 'newest' | 'relevance' }

export type FollowQuery = PostFilters & { readonly after: string; readonly limit: number }

export interface FollowedPosts {
  readonly posts: readonly Post[]
  /** Everything up to here was looked at. */
  readonly position: string
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
  /** `waiting`: posts whose full text is still on its way. */
  | { readonly kind: 'aggregated'; readonly created: readonly Article[]; readonly waiting: number }
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
  getPost(podcastId: string, id: string): Promise<Post | null>
  /** Posts that match the filters, after a position, in commit order: oldest first. */
  followPosts(query: FollowQuery): Promise<FollowedPosts>
  /**
   * Puts some posts into the search index; returns how many. 0: nothing is left, or another process does it. New posts may
   * wait until there are `atLeast` so many.
   */
  indexPosts(atLeast?: number): Promise<number>
  /** How many posts at most a search cannot find yet. */
  unindexedPosts(): Promise<number>
  /** Of any podcast. */
  findPost(id: string): Promise<Post | null>
  /** The large parts of these posts, by id; those without any are left out. `html: false`: without the HTML. */
  postContents(ids: readonly string[], which?: { readonly html: boolean }): Promise<ReadonlyMap<string, PostContent>>
  /** By the id of the source: its label, else its title. Sources without either are left out. */
  sourceTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Of all podcasts: no position beyond it was ever given out. */
  lastPostId(): Promise<string>
  listArticles(query: PageQuery & PodcastScope & { processed: boolean | null }): Promise<Page<Article>>
  /** podcastId null: of any podcast. */
  getArticle(podcastId: string | null, id: string): Promise<ArticleWithPosts | null>
  /** All or nothing: null when one of the ids is not an article of the podcast. */
  markProcessed(
    podcastId: string,
    ids: readonly string[],
    processed: { readonly at: number } | false,
  ): Promise<number | null>
  /** null when the position lies beyond the newest post. A new cursor beyond the limit throws 'limit-reached'. */
  putCursor(
    podcastId: string,
    cursor: { readonly name: string; readonly position: string; readonly at: number },
    limit?: { readonly userId: string; readonly most: number } | null,
  ): Promise<CursorState | null>
  getCursor(podcastId: string, name: string): Promise<CursorState | null>
  /** By name. */
  listCursors(podcastId: string, page: PageQuery): Promise<Page<CursorState>>
  removeCursor(podcastId: string, name: string): Promise<boolean>
  /** In order; an event that other transactions may still come before is not among them. */
  eventsAfter(position: string, limit: number): Promise<readonly StoredEvent[]>
  lastEventId(): Promise<string>
  /** The newest event that clean-up removed: whoever stands before it has missed some. */
  lastRemovedEventId(): Promise<string>
  /**
   * A poll that found nothing is an event only while somebody listens to polls. Resolves with the function that ends the
   * listening.
   */
  listenToPolls(): Promise<() => void>
  /** Whether the user has a source in this lane. */
  hasSourceOn(userId: string, lane: string): Promise<boolean>
  /** Events that tell of incidents (see domain/daily-summary.ts), oldest first; of very many the newest. */
  incidentsSince(since: number, limit: number): Promise<readonly StoredEvent[]>
  /** Newest first. */
  listSummaries(userId: string, page: PageQuery): Promise<Page<StoredEvent<'summary.daily'>>>
  /** Polls of the user's sources since then, by the hour. */
  activityOf(
    userId: string,
    since: number,
  ): Promise<{ readonly polls: number; readonly failures: number; readonly posts: number }>
}
