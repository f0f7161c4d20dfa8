/** Splits a date into its numbers and its words, in their order. Words without meaning, such as "of", are left out. */
import { isFiller } from './day-words.ts'

export type DateParts = { numbers: string[]; words: string[] }

const SIGN = 1
const DIGIT = 2
const LETTER = 3

/** The kind of each character by its code: filled for ASCII in lower case, and for others when they are first met. */
const kinds = new Uint8Array(0x10000)
kinds.fill(SIGN, 0, 0x80)
kinds.fill(DIGIT, 0x30, 0x3a)
kinds.fill(LETTER, 0x61, 0x7b)

/** `text` must be in lower case. */
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

const LETTER_OR_MARK = /[\p{L}\p{M}]/u
const HIGH_SURROGATES = 0xd800
const LOW_SURROGATES = 0xdc00
const SURROGATES_END = 0xe000

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= HIGH_SURROGATES && code < SURROGATES_END) return kindOfPair(text, code < LOW_SURROGATES ? at : at - 1)
  const kind = LETTER_OR_MARK.test(String.fromCharCode(code)) ? LETTER : SIGN
  kinds[code] = kind
  return kind
}

function kindOfPair(text: string, at: number): number {
  const whole = text.codePointAt(at) ?? 0
  return whole >= kinds.length && LETTER_OR_MARK.test(String.fromCodePoint(whole)) ? LETTER : SIGN
}
