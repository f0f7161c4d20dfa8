/**
 * Decides whether bytes are UTF-8 although another charset is claimed, by a server with one default for everything or
 * by an outdated template.
 *
 * Text in another charset is valid UTF-8 only by chance, and only if it has very few non-ASCII letters: a capital and a
 * sign (`CAFÉ™`), or two or three Chinese characters. So several different letters are required.
 * See docs/decisions/0103-valid-utf-8-overrides-a-wrong-charset.md
 */
import { isAscii, isUtf8 } from 'node:buffer'

/** How many letters of two bytes are required. A letter of three or four bytes counts as two. */
const DIFFERENT_LETTERS = 4

export function isPlainlyUtf8(bytes: Uint8Array): boolean {
  return isForeignUtf8(bytes) && hasSeveralLetters(bytes)
}

/** Valid UTF-8 with at least one letter that is not ASCII. */
export function isForeignUtf8(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !isAscii(bytes)
}

function hasSeveralLetters(bytes: Uint8Array): boolean {
  const seen = new Set<number>()
  let found = 0
  for (let at = 0; at < bytes.length && found < DIFFERENT_LETTERS; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    let letter = lead
    for (const end = at + length - 1; at < end; at++) letter = letter * 64 + ((bytes[at + 1] as number) & 0x3f)
    if (seen.has(letter)) continue
    seen.add(letter)
    found += length === 2 ? 1 : 2
  }
  return found >= DIFFERENT_LETTERS
}
