// Full-text search on the two engines. The table `posts_text` holds the words of posts: FTS5 on SQLite, tsvector on
// PostgreSQL. Both get the same words in the same order, so both find the same posts.
// Words have letters, marks and digits only, so nothing needs to be escaped in a query.
import type { SearchQuery } from '../../domain/search-query.ts'

/** What is indexed of a post. */
export interface IndexedPost {
  readonly postId: number
  readonly title: string
  readonly text: string
  readonly sourceId: string
}

/** PostgreSQL knows no positions beyond 16383. */
export const WORDS_PER_POST = 16_000
export const WORDS_PER_TITLE = WORDS_PER_POST / 2

/** Ids of posts; both ends are outside of the range. */
export interface IdRange {
  readonly after: number
  readonly before: number
}

export interface SearchDialect {
  /** The columns of the post's id and of what `document` returns. */
  readonly columns: readonly string[]
  document(post: IndexedPost): (string | Uint8Array)[]
  readonly documentsPerInsert: number
  /** What joins the parts of the index after texts of so many bytes; none where the engine does it. */
  merges(bytes: number): readonly string[]
  /** With sources: only posts of one of them. With a range: the engine may end there; `select` is what limits to it. */
  match(query: SearchQuery, sourceIds: readonly string[], range: IdRange | null): Match
  /** Parts of the query that all matches have. If few posts have one of them, all posts can be searched at once. */
  parts(query: SearchQuery, sourceIds: readonly string[]): readonly string[]
  /** Whether a part has more matches than so many. Values: the part, the ids that limit the range, and the number. */
  readonly hasMore: string
  /** Posts that match. Values: those of `match`, the ids that limit the range (exclusive), those of `where`, the limit. */
  select(match: Match, where: string, order: 'ASC' | 'DESC'): string
  readonly pace: SearchPace
}

/** A condition on the index. */
export interface Match {
  readonly sql: string
  readonly values: readonly string[]
}

/** How far the statements of a search reach, from the newest posts down. */
export interface SearchPace {
  /** What the first statement covers, and every other at least. */
  readonly ids: number
  /** The others cover so many that they take about so long, but at most so many times more than the one before. */
  readonly targetMs: number
  readonly growth: number
  /** Whether a statement that takes too long can be given up. */
  readonly canStop: boolean
  /** The second statement searches all that are left, and is given up after this time. null: there is no such. */
  readonly atOnceMs: number | null
}
