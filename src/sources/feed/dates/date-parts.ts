/** The numbers and the words of a date, in their order; words that mean nothing are left out. */
import { isFiller } from './day-words.ts'

export type DateParts = { numbers: string[]; words: string[] }

const SIGN = 1
const DIGIT = 2
const LETTER = 3

/** Of the characters that were met, and of those of ASCII in lower case. */
const kinds = new Uint8Array(0x10000)
kinds.fill(SIGN, 0, 0x80)
kinds.fill(DIGIT, 0x30, 0x3a)
kinds.fill(LETTER, 0x61, 0x7b)

/** The text is in lower case. */
export function partsOf(text: string): DateParts {
  const numbers: string[] = []
  const words: string[] = []
  let start = 0
  let inside = SIGN
  for (let at = 0; at <= text.length; at++) {
    const kind = at === text.length ? SIGN : kinds[text.charCodeAt(at)] || kindAt(text, at)
    if (kind === inside) continue
    if (inside === DIGIT) numbers.push(text.slice(start, at))
    else if (inside === LETTER) {
      const word = text.slice(start, at)
      if (!isFiller(word)) words.push(word)
    }
    inside = kind
    start = at
  }
  return { numbers, words }
}

const OF_WORD = /[\p{L}\p{M}]/u
/** Characters that are written as two, first halves and second ones. */
const HALVES = 0xd800
const SECOND_HALVES = 0xdc00
const HALVES_END = 0xe000

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= HALVES && code < HALVES_END) return ofHalves(text, code < SECOND_HALVES ? at : at - 1)
  const kind = OF_WORD.test(String.fromCharCode(code)) ? LETTER : SIGN
  kinds[code] = kind
  return kind
}

function ofHalves(text: string, at: number): number {
  const whole = text.codePointAt(at) ?? 0
  return whole >= kinds.length && OF_WORD.test(String.fromCodePoint(whole)) ? LETTER : SIGN
}
