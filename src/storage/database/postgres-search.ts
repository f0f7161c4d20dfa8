// Full-text search with tsvector and a GIN index. The index knows which posts have a word, not where, and it cannot end
// a scan early: a common word alone takes it through all posts that have it. Two conditions limit a search to a range:
// - The blocks of the range (search-marks.ts) are part of the words' query. Then GIN goes through the blocks, or through
//   the rarest of the words, and no further.
// - They are a condition of their own, before the words. GIN skips from one condition's next post to the other's, so it
//   begins where the range begins.
// See docs/decisions/0180-bounded-full-text-search-on-postgresql.md
import type { SearchTerm } from '../../domain/search-query.ts'
import { mayHaveUnspaced, searchWords } from '../../domain/search-words.ts'
import { type SearchDialect, WORDS_PER_POST, WORDS_PER_TITLE } from './search-dialect.ts'
import { searchMarks } from './search-marks.ts'
import { TsVector } from './tsvector.ts'

/** So that no phrase matches across the end of the title. */
const TITLE_GAP = 10

const marks = searchMarks('_')

const WORDS = 'words @@ CAST(? AS tsquery)'

/** Posts are looked up one by one, in order: a join may read all posts down to the oldest that matches. */
const POST = 'LATERAL (SELECT * FROM posts WHERE id = t.post_id OFFSET 0) AS p'

export const postgresSearch: SearchDialect = {
  columns: ['post_id', 'words'],
  document(post) {
    const title = searchWords(post.title).slice(0, WORDS_PER_TITLE)
    const text = searchWords(post.text).slice(0, WORDS_PER_POST - title.length)
    const vector = new TsVector()
    vector.addAll(title, 1)
    vector.addAll(marks.ofTitle(title), 1)
    vector.addAll(text, title.length + TITLE_GAP)
    // To join the words again takes a tenth of all this.
    const folded = { title: title.join(' '), text: mayHaveUnspaced(post.text) ? text.join(' ') : '' }
    for (const mark of marks.ofPost({ ...post, ...folded })) vector.addUnplaced(mark)
    return [vector.toBuffer()]
  },
  documentsPerInsert: 100,
  merges: () => [],
  match({ all, none }, sourceIds, range) {
    const wanted = [...all.map(tsqueryTerm), ...(sourceIds.length > 0 ? [anyOf(sourceIds.map(marks.ofSource))] : [])]
    const unwanted = none.map((term) => `!${tsqueryTerm(term)}`)
    if (!range) return { sql: WORDS, values: [[...wanted, ...unwanted].join(' & ')] }
    const blocks = anyOf(marks.ofRange(range))
    return { sql: `${WORDS} AND ${WORDS}`, values: [blocks, [...wanted, blocks, ...unwanted].join(' & ')] }
  },
  parts: () => [],
  hasMore: '',
  // MATERIALIZED and `+ 0`, so that nothing but the index over words is used: PostgreSQL would otherwise read the posts of
  // the range in order, hoping for matches.
  select: ({ sql }, where, order) => `SELECT p.* FROM (
      WITH m AS MATERIALIZED (SELECT post_id FROM posts_text WHERE ${sql} AND post_id + 0 > ? AND post_id + 0 < ?)
      SELECT post_id FROM m ORDER BY post_id ${order} OFFSET 0) AS t
    CROSS JOIN ${POST} JOIN sources s ON s.id = p.source_id
    WHERE ${where} ORDER BY t.post_id ${order} LIMIT ?`,
  // A common word is found among the newest posts. A rare one is found at once.
  pace: { ids: 2000, targetMs: 10, growth: 4, canStop: true, atOnceMs: 15 },
}

function tsqueryTerm(term: SearchTerm): string {
  return `(${marks
    .ofTerm(term)
    .map((word) => `'${word}'`)
    .join(' <-> ')})`
}

function anyOf(words: readonly string[]): string {
  return `(${words.map((word) => `'${word}'`).join(' | ')})`
}
