/**
 * Whether a text has no more parts than some date has, and no longer ones. Looking is much cheaper than reading, and
 * whatever reads it afterwards may look at every part of it, since there can only be a few.
 */
/** In so few there are neither many parts nor long ones. */
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
    const part = partOf(text.charCodeAt(at))
    if (part !== inside) {
      inside = part
      start = at
      if (part === NUMBER) numbers++
      else if (part === WORD) words++
    } else if (part === WORD && at - start >= MAX_WORD_CHARS) return false
  }
  return numbers <= MAX_NUMBERS && words <= MAX_WORDS
}

/** What is not ASCII counts as part of a word, digits of other scripts too; only spaces do not. */
function partOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return NUMBER
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x7a) return WORD
  return code < 0x80 || code === 0xa0 || (code >= 0x2000 && code < 0x2070) || code === 0x3000 ? NOTHING : WORD
}
