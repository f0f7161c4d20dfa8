// Splits a text into words for full-text search. Stored posts and search queries use the same function on both engines,
// so results do not depend on an engine's rules or on its locale.
// A word consists of letters, marks and digits. Upper and lower case are equal, including the dotted İ and the final
// sigma. Composed, decomposed and compatible forms (full width, ligatures) are equal. Diacritics make words different.
// Some scripts put no spaces between words (Chinese, Japanese, Thai and others). Of those, every two neighbouring
// characters are a word, and the last character alone. A search for 地震 then finds it in the middle of a sentence.
// See docs/decisions/0141-search-index-filled-in-the-background.md

const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED_CHARACTER = `[[${UNSPACED.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]&&[\\p{L}\\p{M}\\p{N}]]`

// PostgreSQL takes words of up to 2046 bytes, so longer ones are cut.
const PIECES = new RegExp(`(${UNSPACED_CHARACTER}+)|(?:(?!${UNSPACED_CHARACTER})[\\p{L}\\p{M}\\p{N}]){1,500}`, 'gv')

export interface Piece {
  readonly text: string
  readonly unspaced: boolean
}

/** Words, and runs of characters without spaces between words. */
export function searchPieces(text: string): Piece[] {
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
  return [...folded.matchAll(PIECES)].map(([found, unspaced]) => ({ text: found, unspaced: unspaced !== undefined }))
}

export function searchWords(text: string): readonly string[] {
  return searchPieces(text).flatMap((piece) =>
    piece.unspaced ? [...pairs(piece.text), lastOf(piece.text)] : [piece.text],
  )
}

/** Every two neighbouring characters. None for a single character. */
export function pairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function lastOf(run: string): string {
  return [...run].at(-1) ?? ''
}
