// Full-text search on the two engines. The table `posts_text` holds the words of posts: FTS5 on SQLite, tsvector on
// PostgreSQL. Both get the same words in the same order, so both find the same posts.
// Words have letters, marks and digits only, so nothing needs to be escaped in a query.
import type { SearchQuery } from '../../domain/search-query.ts'

/** What is indexed of a post. The words of title and text are in their order. */
export interface IndexedWords {
  readonly postId: number
  readonly title: readonly string[]
  readonly text: readonly string[]
  readonly sourceId: string
}

/** Ids of posts; both ends are outside of the range. */
export interface IdRange {
  readonly after: number
  readonly before: number
}

export interface SearchDialect {
  /** The columns of the post's id and of what `document` returns. */
  readonly columns: readonly string[]
  document(words: IndexedWords): string[]
  /** What joins the parts of the index after a batch with so many words; none where the engine does it. */
  merges(words: number): readonly string[]
  /** With sources: only posts of one of them. With a range: the engine may end there; `select` is what limits to it. */
  query(query: SearchQuery, sourceIds: readonly string[], range: IdRange | null): string
  /** Parts of the query that all matches have. If few posts have one of them, all posts can be searched at once. */
  parts(query: SearchQuery, sourceIds: readonly string[]): readonly string[]
  /** Whether a part has more matches than so many. Values: the part, the ids that limit the range, and the number. */
  readonly hasMore: string
  /** Posts that match. Values: the query, the ids that limit the range (both exclusive), those of `where`, the limit. */
  select(where: string, order: 'ASC' | 'DESC'): string
  /**
   * What the next statement searches, from the newest posts down. On SQLite a common word must not block the event loop.
   * On PostgreSQL a common word is found among the newest posts. Then the index is asked for all others: it is quick if
   * any of the words is rare. If it is not quick, the search goes on bit by bit.
   */
  step(statement: number): SearchStep
}

export interface SearchStep {
  readonly ids: number
  /** The statement is given up after this time. */
  readonly mostMs?: number
}

/** One word of letters and digits, whatever the id is. */
export function sourceWord(sourceId: string): string {
  return Buffer.from(sourceId).toString('hex')
}
