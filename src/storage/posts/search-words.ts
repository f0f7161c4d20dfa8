// The words of a text, as they are searched for. Stored text and what somebody types go through here alike, and on both
// engines: what an engine holds for a letter, an upper case or a tag of HTML plays no part, nor does its locale.
// Letters, marks and digits make words. Composed and decomposed forms are the same, and so are compatible ones (full
// width, ligatures) and upper and lower case, with the dotted İ and the final sigma. Diacritics tell words apart.

// Longer ones, which are no words, are cut: PostgreSQL takes 2046 bytes.
const WORDS = /[\p{L}\p{M}\p{N}]{1,500}/gu

export function wordsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
  return folded.match(WORDS) ?? []
}
