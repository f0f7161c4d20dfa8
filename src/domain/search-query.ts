// What a person searches for: words that all must occur, "a phrase", -word or -"a phrase" to leave posts out, and
// title:word for the title only.
import { pairs, searchPieces } from './search-words.ts'

/** Words that must follow each other. */
export interface SearchTerm {
  readonly words: readonly string[]
  /** Words that begin with the one of the term: a single character of a script without spaces. */
  readonly prefix: boolean
  readonly titleOnly: boolean
  /** As it stands in a text, for excerpts: the parts, with anything but letters between them. */
  readonly parts: readonly string[]
}

export interface SearchQuery {
  readonly all: readonly SearchTerm[]
  readonly none: readonly SearchTerm[]
}

const TERM = /(?<minus>-?)(?<title>title:)?(?:"(?<phrase>[^"]*)"?|(?<word>\S+))/gi

export function parseSearch(text: string): SearchQuery {
  const all: SearchTerm[] = []
  const none: SearchTerm[] = []
  for (const { groups = {} } of text.replace(/[“”„]/g, '"').matchAll(TERM)) {
    const titleOnly = groups.title !== undefined
    const found = groups.phrase === undefined ? words(groups.word ?? '', titleOnly) : phrase(groups.phrase, titleOnly)
    // What is left out is one thing: -a.b leaves out "a b", not everything with an a.
    if (groups.minus) none.push(...phrase(groups.phrase ?? groups.word ?? '', titleOnly))
    else all.push(...found)
  }
  return { all, none }
}

function words(text: string, titleOnly: boolean): SearchTerm[] {
  return searchPieces(text).map((piece) => termOf([piece], titleOnly))
}

function phrase(text: string, titleOnly: boolean): SearchTerm[] {
  const pieces = searchPieces(text)
  return pieces.length === 0 ? [] : [termOf(pieces, titleOnly)]
}

function termOf(pieces: readonly { text: string; unspaced: boolean }[], titleOnly: boolean): SearchTerm {
  const parts = pieces.map((piece) => piece.text)
  const [only] = pieces
  if (only && pieces.length === 1 && only.unspaced && [...only.text].length === 1) {
    return { words: parts, prefix: true, titleOnly, parts }
  }
  // Before another piece the last character of a run is a word of its own.
  const found = pieces.flatMap((piece, index) => wordsOf(piece, index < pieces.length - 1))
  return { words: found, prefix: false, titleOnly, parts }
}

function wordsOf({ text, unspaced }: { text: string; unspaced: boolean }, followed: boolean): string[] {
  if (!unspaced) return [text]
  const found = pairs(text)
  return followed || found.length === 0 ? [...found, [...text].at(-1) ?? ''] : found
}
