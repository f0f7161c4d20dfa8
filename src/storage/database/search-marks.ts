// Marks are words of the index that no text has. Each post has marks for the blocks of ids that it belongs to, for its
// source, for the words of its title, and for single characters of scripts without spaces.
// A query names the blocks that cover its range of ids. The engine then looks only at posts of these blocks, however
// common the words are. As conditions on columns, weights or beginnings of words, the others would take the engine
// through all posts that have a word anywhere.
// See docs/decisions/0172-bounded-full-text-search-on-sqlite.md
import type { SearchTerm } from '../../domain/search-query.ts'
import { unspacedCharacters } from '../../domain/search-words.ts'
import type { IdRange, IndexedPost } from './search-dialect.ts'

/** How many ids a block has, from small to large. A range is named by few blocks of the smallest size that does. */
const BLOCKS = [2 ** 11, 2 ** 15, 2 ** 19]
const FEW_BLOCKS = 17

export interface SearchMarks {
  /** In the order of the title, so that phrases can be found. */
  ofTitle(title: readonly string[]): string[]
  /** The others, in any order. Title and text are folded. */
  ofPost(post: IndexedPost): string[]
  ofSource(sourceId: string): string
  /** The words or marks that the index has for a term. */
  ofTerm(term: SearchTerm): readonly string[]
  ofRange(range: IdRange): string[]
}

/** `sign` begins every mark, and is part of no word. */
export function searchMarks(sign: string): SearchMarks {
  const [source, inTitle, character, characterInTitle] = ['s', 't', 'c', 'd'].map((kind) => sign + kind)
  const block = (ids: number, postId: number) =>
    `${sign}${BLOCKS.indexOf(ids)}x${Math.floor(postId / ids).toString(36)}`
  const ofTitle = (words: readonly string[]) => words.map((word) => inTitle + word)
  const ofSource = (sourceId: string) => source + sourceWord(sourceId)
  return {
    ofTitle,
    ofSource,
    ofPost: ({ postId, title, text, sourceId }) => [
      ...unspacedCharacters(title).map((found) => characterInTitle + found),
      ...unspacedCharacters(`${title} ${text}`).map((found) => character + found),
      ofSource(sourceId),
      ...BLOCKS.map((ids) => block(ids, postId)),
    ],
    ofTerm({ words, prefix, titleOnly }) {
      if (prefix) return words.map((found) => (titleOnly ? characterInTitle : character) + found)
      return titleOnly ? ofTitle(words) : words
    },
    ofRange({ after, before }) {
      const [first, last] = [after + 1, Math.max(after + 1, before - 1)]
      const count = (ids: number) => Math.floor(last / ids) - Math.floor(first / ids) + 1
      const ids = BLOCKS.find((size) => count(size) <= FEW_BLOCKS) ?? BLOCKS.at(-1) ?? 1
      return Array.from({ length: count(ids) }, (_, n) => block(ids, first + n * ids))
    },
  }
}

/** One word of letters and digits, whatever the id is. */
function sourceWord(sourceId: string): string {
  return Buffer.from(sourceId).toString('hex')
}
