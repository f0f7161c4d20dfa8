// Full-text search on the two engines. The table `posts_text` holds the words of posts: FTS5 on SQLite, tsvector on
// PostgreSQL. Both get the same words in the same order, so both find the same posts.
// Words have letters, marks and digits only, so nothing needs to be escaped in a query.
import type { SearchQuery, SearchTerm } from '../../domain/search-query.ts'

/** What is indexed of a post. The words of title and text are in their order. */
export interface IndexedWords {
  readonly title: readonly string[]
  readonly text: readonly string[]
  readonly sourceId: string
}

export interface SearchDialect {
  /** The columns of the post's id and of what `document` returns. */
  readonly columns: readonly string[]
  document(words: IndexedWords): string[]
  /** Runs after each batch. When FTS5 merges by itself inside an insert, that can take 100 ms. */
  readonly merge: string | null
  /** With sources: only posts of one of them. */
  query(query: SearchQuery, sourceIds: readonly string[]): string
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

export const sqliteSearch: SearchDialect = {
  columns: ['rowid', 'title', 'words', 'source'],
  document: ({ title, text, sourceId }) => [title.join(' '), text.join(' '), sourceWord(sourceId)],
  merge: `INSERT INTO posts_text (posts_text, rank) VALUES ('merge', 64)`,
  query({ all, none }, sourceIds) {
    const sources = sourceIds.map((id) => `"${sourceWord(id)}"`).join(' OR ')
    const wanted = [...all.map(fts5Term), ...(sourceIds.length > 0 ? [`source : (${sources})`] : [])]
    return `(${wanted.join(' AND ')})${none.map((term) => ` NOT (${fts5Term(term)})`).join('')}`
  },
  // CROSS JOIN makes SQLite start with the words and then go to the posts.
  select: (where, order) => `SELECT p.* FROM posts_text CROSS JOIN posts p ON p.id = posts_text.rowid
    JOIN sources s ON s.id = p.source_id
    WHERE posts_text MATCH ? AND posts_text.rowid > ? AND posts_text.rowid < ? AND ${where}
    ORDER BY posts_text.rowid ${order} LIMIT ?`,
  step: () => ({ ids: 2000 }),
}

function fts5Term({ words, prefix, titleOnly }: SearchTerm): string {
  return `${titleOnly ? 'title' : '{title words}'} : "${words.join(' ')}"${prefix ? ' *' : ''}`
}

/** So that no phrase matches across the end of the title. */
const TITLE_GAP = 10
const POSTS_AT_ONCE = 5000
const INDEX_MS = 80

const MATCHING = 'SELECT post_id FROM posts_text WHERE words @@ CAST(? AS tsquery) AND post_id > ? AND post_id < ?'

const NEWEST_MATCHING = `WITH m AS MATERIALIZED (${MATCHING}) SELECT post_id FROM m ORDER BY post_id DESC OFFSET 0`

/** Posts are looked up one by one, in order: a join may read all posts down to the oldest that matches. */
const POST = 'LATERAL (SELECT * FROM posts WHERE id = t.post_id OFFSET 0) AS p'

function selectFrom(matching: string, where: string, order: 'ASC' | 'DESC'): string {
  return `SELECT p.* FROM (${matching}) AS t CROSS JOIN ${POST} JOIN sources s ON s.id = p.source_id
    WHERE ${where} ORDER BY t.post_id ${order} LIMIT ?`
}

export const postgresSearch: SearchDialect = {
  columns: ['post_id', 'words'],
  document: ({ title, text, sourceId }) => [
    [
      ...title.map((word, index) => `'${word}':${index + 1}A`),
      ...text.map((word, index) => `'${word}':${title.length + TITLE_GAP + index}`),
      `'_${sourceWord(sourceId)}'`,
    ].join(' '),
  ],
  merge: null,
  query: ({ all, none }, sourceIds) =>
    [
      ...all.map(tsqueryTerm),
      ...(sourceIds.length > 0 ? [`(${sourceIds.map((id) => `'_${sourceWord(id)}'`).join(' | ')})`] : []),
      ...none.map((term) => `!${tsqueryTerm(term)}`),
    ].join(' & '),
  // Newest first: the words are found first, without regard to the limit. Otherwise PostgreSQL may read all posts in
  // order, hoping for enough matches. Oldest first serves those who follow: most of the range is wanted there.
  select: (where, order) =>
    selectFrom(order === 'DESC' ? NEWEST_MATCHING : `${MATCHING} ORDER BY post_id OFFSET 0`, where, order),
  step: (statement) => (statement === 1 ? { ids: Number.MAX_SAFE_INTEGER, mostMs: INDEX_MS } : { ids: POSTS_AT_ONCE }),
}

function tsqueryTerm({ words, prefix, titleOnly }: SearchTerm): string {
  const marks = `${prefix ? '*' : ''}${titleOnly ? 'A' : ''}`
  return `(${words.map((word) => `'${word}'${marks ? `:${marks}` : ''}`).join(' <-> ')})`
}

/** One word of letters and digits, whatever the id is. */
function sourceWord(sourceId: string): string {
  return Buffer.from(sourceId).toString('hex')
}
