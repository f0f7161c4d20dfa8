/**
 * Whether a text may be a date, judged by the number and the length of its parts. This is much cheaper than reading the
 * date. The readers may then look at every part, because there can only be a few.
 */
/** A text this short has neither many parts nor long ones. */
const FEW_CHARS = 30
const MAX_CHARS = 120
const MAX_NUMBERS = 12
const MAX_WORDS = 16
const MAX_WORD_CHARS = 30

const NOTHING = 0
const NUMBER = 1
const WORD = 2

export function mayBeDate(text: string): boolean {
  if (text.length <= FEW_CHARS) return true
  if (text.length > MAX_CHARS) return false
  let numbers = 0
  let words = 0
  let start = 0
  let inside = NOTHING
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const part = ASCII_PARTS[code] ?? partBeyondAscii(code)
    if (part !== inside) {
      inside = part
      start = at
      if (part === NUMBER) numbers++
      else if (part === WORD) words++
    } else if (part === WORD && at - start >= MAX_WORD_CHARS) return false
  }
  return numbers <= MAX_NUMBERS && words <= MAX_WORDS
}

/** The kind of part by character code. A function call for each character would be the largest cost here. */
const ASCII_PARTS = new Uint8Array(0x80)
ASCII_PARTS.fill(NUMBER, 0x30, 0x3a)
ASCII_PARTS.fill(WORD, 0x41, 0x5b)
ASCII_PARTS.fill(WORD, 0x61, 0x7b)

/** Everything but spaces counts as part of a word, digits of other scripts too. */
function partBeyondAscii(code: number): number {
  return code === 0xa0 || (code >= 0x2000 && code < 0x2070) || code === 0x3000 ? NOTHING : WORD
}
