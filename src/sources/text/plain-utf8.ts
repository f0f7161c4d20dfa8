/**
 * Whether bytes are UTF-8 whatever else somebody says they are: a server that names its default charset for all it
 * sends, a template that was written before the data behind it changed.
 *
 * Text of another charset is valid UTF-8 by chance only, and that only where it has hardly any foreign letters: a
 * capital with a sign behind it (`CAFÉ™`), two or three Chinese characters. So several different ones have to be valid.
 */
import { isAscii, isUtf8 } from 'node:buffer'

/** Of two bytes each; one of three or four bytes is as good as two. */
const DIFFERENT_LETTERS = 4

export function isPlainlyUtf8(bytes: Uint8Array): boolean {
  return isForeignUtf8(bytes) && hasSeveralLetters(bytes)
}

/** With at least one letter that is not ASCII. */
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
