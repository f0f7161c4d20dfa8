// Splits a text into words for full-text search. Stored posts and search queries use the same function on both engines,
// so results do not depend on an engine's rules or on its locale.
// A word consists of letters, marks and digits. Upper and lower case are equal, including the dotted İ and the final
// sigma. Composed, decomposed and compatible forms (full width, ligatures) are equal. Diacritics make words different.

// PostgreSQL takes words of up to 2046 bytes, so longer ones are cut.
const WORDS = /[\p{L}\p{M}\p{N}]{1,500}/gu

export function searchWords(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
  return folded.match(WORDS) ?? []
}
