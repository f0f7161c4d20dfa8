// Full-text search with FTS5. Two of its habits decide what is indexed:
// - It ignores a range of rowids unless the limits are integers, and node:sqlite binds numbers as floating point.
// - It looks for a match until it finds one, also beyond the range. A phrase of common words that nobody wrote would be
//   looked for among all posts, in every statement. Each post therefore has marks that name the blocks of ids it belongs
//   to, and a query names the blocks of its range: beyond them no post can match, so FTS5 stops there.
// Marks also stand for the source, for the words of the title, and for single characters of scripts without spaces. As
// conditions on columns or beginnings of words, these would take FTS5 through all posts that have a word anywhere.
// See docs/decisions/0172-bounded-full-text-search-on-sqlite.md
import type { SearchQuery, SearchTerm } from '../../domain/search-query.ts'
import { unspacedCharacters } from '../../domain/search-words.ts'
import { type IdRange, type SearchDialect, sourceWord } from './search-dialect.ts'

/** Begins every mark. A character for private use: no word has one, and the tokenizer takes it for a letter. */
const MARK = '\ue000'
const SOURCE = `${MARK}s`
const IN_TITLE = `${MARK}t`
const CHARACTER = `${MARK}c`
const CHARACTER_IN_TITLE = `${MARK}d`

/** How many ids a block has, from small to large. A range is named by few blocks of the smallest size that does. */
const BLOCKS = [2 ** 11, 2 ** 15, 2 ** 19]
const FEW_BLOCKS = 17

const MERGED_PAGES = 64
/** A page holds some 650 words, and each is written again up to five times until it is in the largest part. */
const WORDS_PER_MERGE = 8000

const IN_RANGE = 'posts_text.rowid > CAST(? AS INTEGER) AND posts_text.rowid < CAST(? AS INTEGER)'

export const sqliteSearch: SearchDialect = {
  columns: ['rowid', 'title', 'words', 'marks'],
  document({ postId, title, text, sourceId }) {
    const marks = [
      ...title.map((word) => IN_TITLE + word),
      ...unspacedCharacters(title).map((character) => CHARACTER_IN_TITLE + character),
      ...unspacedCharacters([...title, ...text]).map((character) => CHARACTER + character),
      SOURCE + sourceWord(sourceId),
      ...BLOCKS.map((ids) => blockMark(ids, postId)),
    ]
    return [title.join(' '), text.join(' '), marks.join(' ')]
  },
  // Not by FTS5 itself, inside an insert: that can take 100 ms.
  merges: (words) =>
    new Array(Math.ceil(words / WORDS_PER_MERGE)).fill(
      `INSERT INTO posts_text (posts_text, rank) VALUES ('merge', ${MERGED_PAGES})`,
    ),
  query(search, sourceIds, range) {
    const wanted = [...search.all.map(fts5Term), ...ofSources(sourceIds)]
    // Every post that has a word is a match of it, so with one word alone FTS5 goes beyond the range by one post only.
    const isOneWord = wanted.length === 1 && search.none.length === 0 && search.all[0]?.words.length === 1
    if (range && !isOneWord) wanted.push(anyOf(blocksOf(range)))
    return `(${wanted.join(' AND ')})${search.none.map((term) => ` NOT ${fts5Term(term)}`).join('')}`
  },
  parts,
  hasMore: `SELECT 1 AS found FROM posts_text WHERE posts_text MATCH ? AND ${IN_RANGE}
    ORDER BY posts_text.rowid DESC LIMIT 1 OFFSET ?`,
  // CROSS JOIN makes SQLite start with the words and then go to the posts.
  select: (where, order) => `SELECT p.* FROM posts_text CROSS JOIN posts p ON p.id = posts_text.rowid
    JOIN sources s ON s.id = p.source_id
    WHERE posts_text MATCH ? AND ${IN_RANGE} AND ${where}
    ORDER BY posts_text.rowid ${order} LIMIT ?`,
  step: () => ({ ids: 2000 }),
}

function parts({ all }: SearchQuery, sourceIds: readonly string[]): string[] {
  const words = all.flatMap((term) => wordsOf(term).map((word) => `"${word}"`))
  return [...ofSources(sourceIds), ...new Set(words)]
}

function fts5Term(term: SearchTerm): string {
  return `"${wordsOf(term).join(' ')}"`
}

/** The words or marks in the index. */
function wordsOf({ words, prefix, titleOnly }: SearchTerm): readonly string[] {
  if (prefix) return words.map((character) => (titleOnly ? CHARACTER_IN_TITLE : CHARACTER) + character)
  return titleOnly ? words.map((word) => IN_TITLE + word) : words
}

function ofSources(sourceIds: readonly string[]): string[] {
  return sourceIds.length === 0 ? [] : [anyOf(sourceIds.map((id) => SOURCE + sourceWord(id)))]
}

function anyOf(marks: readonly string[]): string {
  return `(${marks.map((mark) => `"${mark}"`).join(' OR ')})`
}

function blocksOf({ after, before }: IdRange): string[] {
  const [first, last] = [after + 1, Math.max(after + 1, before - 1)]
  const count = (ids: number) => Math.floor(last / ids) - Math.floor(first / ids) + 1
  const ids = BLOCKS.find((size) => count(size) <= FEW_BLOCKS) ?? BLOCKS.at(-1) ?? 1
  return Array.from({ length: count(ids) }, (_, n) => blockMark(ids, first + n * ids))
}

function blockMark(ids: number, postId: number): string {
  return `${MARK}${BLOCKS.indexOf(ids)}x${Math.floor(postId / ids).toString(36)}`
}
