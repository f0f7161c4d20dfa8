// Full-text search with FTS5. Two of its habits decide what is indexed:
// - It ignores a range of rowids unless the limits are integers, and node:sqlite binds numbers as floating point.
// - It looks for a match until it finds one, also beyond the range. A phrase of common words that nobody wrote would be
//   looked for among all posts, in every statement. A query therefore names the blocks of its range (search-marks.ts):
//   beyond them no post can match, so FTS5 stops there.
// See docs/decisions/0172-bounded-full-text-search-on-sqlite.md
import type { SearchQuery, SearchTerm } from '../../domain/search-query.ts'
import { searchWords, spacedWords } from '../../domain/search-words.ts'
import { type SearchDialect, WORDS_PER_POST, WORDS_PER_TITLE } from './search-dialect.ts'
import { searchMarks } from './search-marks.ts'

/** A character for private use: no word has one, and the tokenizer takes it for a letter. */
const marks = searchMarks('\ue000')

const MERGED_PAGES = 64
/** A page holds some 650 words, and each is written again up to five times until it is in the largest part. */
const BYTES_PER_MERGE = 8000 * 6

const IN_RANGE = 'posts_text.rowid > CAST(? AS INTEGER) AND posts_text.rowid < CAST(? AS INTEGER)'

export const sqliteSearch: SearchDialect = {
  columns: ['rowid', 'title', 'words', 'marks'],
  document(post) {
    const words = searchWords(post.title).slice(0, WORDS_PER_TITLE)
    const title = words.join(' ')
    const text = spacedWords(post.text, WORDS_PER_POST - words.length)
    return [title, text, [...marks.ofTitle(words), ...marks.ofPost({ ...post, title, text })].join(' ')]
  },
  // With several rows in a statement FTS5 writes what it has collected before each statement.
  documentsPerInsert: 1,
  // Not by FTS5 itself, inside an insert: that can take 100 ms.
  merges: (bytes) =>
    new Array(Math.ceil(bytes / BYTES_PER_MERGE)).fill(
      `INSERT INTO posts_text (posts_text, rank) VALUES ('merge', ${MERGED_PAGES})`,
    ),
  match(search, sourceIds, range) {
    const wanted = [...search.all.map(fts5Term), ...ofSources(sourceIds)]
    // Every post that has a word is a match of it, so with one word alone FTS5 goes beyond the range by one post only.
    const isOneWord = wanted.length === 1 && search.none.length === 0 && search.all[0]?.words.length === 1
    if (range && !isOneWord) wanted.push(anyOf(marks.ofRange(range)))
    const query = `(${wanted.join(' AND ')})${search.none.map((term) => ` NOT ${fts5Term(term)}`).join('')}`
    return { sql: 'posts_text MATCH ?', values: [query] }
  },
  parts,
  hasMore: `SELECT 1 AS found FROM posts_text WHERE posts_text MATCH ? AND ${IN_RANGE}
    ORDER BY posts_text.rowid DESC LIMIT 1 OFFSET ?`,
  // CROSS JOIN makes SQLite start with the words and then go to the posts.
  select: ({ sql }, where, order) => `SELECT p.* FROM posts_text CROSS JOIN posts p ON p.id = posts_text.rowid
    JOIN sources s ON s.id = p.source_id
    WHERE ${sql} AND ${IN_RANGE} AND ${where}
    ORDER BY posts_text.rowid ${order} LIMIT ?`,
  // A statement blocks the event loop.
  pace: { ids: 2000, targetMs: 8, growth: 2, canStop: false, atOnceMs: null },
}

function parts({ all }: SearchQuery, sourceIds: readonly string[]): string[] {
  const words = all.flatMap((term) => marks.ofTerm(term).map((word) => `"${word}"`))
  return [...ofSources(sourceIds), ...new Set(words)]
}

function fts5Term(term: SearchTerm): string {
  return `"${marks.ofTerm(term).join(' ')}"`
}

function ofSources(sourceIds: readonly string[]): string[] {
  return sourceIds.length === 0 ? [] : [anyOf(sourceIds.map(marks.ofSource))]
}

function anyOf(words: readonly string[]): string {
  return `(${words.map((word) => `"${word}"`).join(' OR ')})`
}
