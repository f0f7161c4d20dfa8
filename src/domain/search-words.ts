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

// Most posts are of Latin letters, with signs that are no part of words. Engines read such texts byte by byte, so they are
// split in a fifth of the time. The ranges hold signs only, and none that is folded to a mark (U+203E).
const LATIN_WORD = /[a-z0-9ß-öø-ÿ]{1,500}/g
const MORE_THAN_LATIN = /[^\0-\xff\u2010-\u2027\u2030-\u203d\u203f-\u205e\u20a0-\u20c0\u2190-\u23ff\u2500-\u2775]/
const NOT_A_BYTE = /[^\0-\xff]/g
const SIGNS_BEYOND_ASCII = /[^\0-\x7fß-öø-ÿ]+/g
const NOT_IN_WORD = /[^a-z0-9ß-öø-ÿ]/g
const WINDOW = 250
const SPACED_WORD = /[\p{L}\p{M}\p{N}]{1,500}/gu
const UNSPACED_TEXT = new RegExp(UNSPACED_CHARACTER, 'v')
const UNSPACED_CHARACTERS = new RegExp(UNSPACED_CHARACTER, 'gv')

/** Words, and runs of characters without spaces between words. */
export function searchPieces(text: string): Piece[] {
  return piecesOf(fold(text))
}

function piecesOf(folded: string): Piece[] {
  return [...folded.matchAll(PIECES)].map(([found, unspaced]) => ({ text: found, unspaced: unspaced !== undefined }))
}

export function searchWords(text: string): readonly string[] {
  return wordsOfFolded(fold(text))
}

/** Words are parts of the folded text, so a text without such a part need not be split into words. */
export function wordsOfFolded(folded: string): readonly string[] {
  if (!MORE_THAN_LATIN.test(folded)) return inBytes(folded).match(LATIN_WORD) ?? []
  if (!UNSPACED_TEXT.test(folded)) return folded.match(SPACED_WORD) ?? []
  return piecesOf(folded).flatMap((piece) =>
    piece.unspaced ? [...pairs(piece.text), lastOf(piece.text)] : [piece.text],
  )
}

/**
 * The first `most` words of a text, with spaces or ASCII signs between them: for a tokenizer that splits there. Most texts
 * need no splitting here then.
 */
export function spacedWords(text: string, most: number): string {
  const folded = fold(text)
  const mayBeTooMany = folded.length >= 2 * most
  if (mayBeTooMany || MORE_THAN_LATIN.test(folded) || mayHaveLongWord(folded)) {
    return wordsOfFolded(folded).slice(0, most).join(' ')
  }
  return folded.replace(SIGNS_BEYOND_ASCII, ' ')
}

/** Words are cut after 500 characters. A run of so many covers one of these windows from end to end. */
function mayHaveLongWord(latin: string): boolean {
  for (let at = 0; at + WINDOW <= latin.length; at += WINDOW) {
    NOT_IN_WORD.lastIndex = at
    if (!NOT_IN_WORD.test(latin) || NOT_IN_WORD.lastIndex > at + WINDOW) return true
  }
  return false
}

/** What is equal to a search becomes the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
}

/** A string keeps two bytes for each character, even if its last sign beyond Latin was replaced. */
function inBytes(text: string): string {
  const latin = text.replace(NOT_A_BYTE, ' ')
  return latin === text ? text : Buffer.from(latin, 'latin1').toString('latin1')
}

/** Whether a text, folded or not, may have characters of a script without spaces. Most have none. */
export function mayHaveUnspaced(text: string): boolean {
  return MORE_THAN_LATIN.test(text)
}

/** Each character of a script without spaces that occurs in a folded text, once. */
export function unspacedCharacters(folded: string): string[] {
  return mayHaveUnspaced(folded) ? [...new Set(folded.match(UNSPACED_CHARACTERS))] : []
}

/** Every two neighbouring characters. None for a single character. */
export function pairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function lastOf(run: string): string {
  return [...run].at(-1) ?? ''
}
