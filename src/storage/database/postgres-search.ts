// Full-text search with tsvector and a GIN index.
import type { SearchTerm } from '../../domain/search-query.ts'
import { type SearchDialect, sourceWord } from './search-dialect.ts'

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
  merges: () => [],
  query: ({ all, none }, sourceIds) =>
    [
      ...all.map(tsqueryTerm),
      ...(sourceIds.length > 0 ? [`(${sourceIds.map((id) => `'_${sourceWord(id)}'`).join(' | ')})`] : []),
      ...none.map((term) => `!${tsqueryTerm(term)}`),
    ].join(' & '),
  // The second step asks the index itself, and gives up if it takes long.
  parts: () => [],
  hasMore: '',
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
