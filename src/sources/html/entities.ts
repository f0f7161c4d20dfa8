/**
 * Character references in markup: the five of XML, all of HTML by name, and numbers.
 *
 * Nothing else is ever expanded: what a document defines for itself stays as it was written, so no input can grow.
 * Numbers 128-159 mean windows-1252 and those of no character, 0 among them, U+FFFD, as in every browser; control
 * characters are spaces. The names are those of the decoder that the tokenizer has. `strict` is how XML does it: the
 * semicolon is wanted, and a name means what the entity sets of XHTML say. Otherwise it is HTML, where the old names do
 * without.
 */
import { DecodingMode, EntityDecoder, htmlDecodeTree } from 'entities/decode'
import { ownCopy } from '../text/own-copy.ts'

/** `written`: with its semicolon, whatever comes behind it; empty for one that is not to be remembered. */
export type Reference = { text: string; length: number; written: string }

const HASH = 0x23
const SEMICOLON = 0x3b
/** Names that there are, by a number made of each, since making that is faster than making the name. */
const known = new Map<number, { written: string; reference: Reference }>()

/** The text with its references replaced; the text itself when it has none. */
export function decodeEntities(text: string, strict: boolean): string {
  const first = text.indexOf('&')
  if (first < 0) return text
  let at = nextAmpersand(text, first)
  let out = ''
  let from = 0
  while (at < text.length) {
    const reference = referenceAt(text, at, text.length, strict)
    if (reference) {
      out += text.slice(from, at) + reference.text
      from = at + reference.length
    }
    at = nextAmpersand(text, reference ? from : at + 1)
  }
  return out + text.slice(from)
}

/** The next that can begin a reference; the end of the text when there is none. */
export function nextAmpersand(text: string, from: number): number {
  let at = text.indexOf('&', from)
  while (at >= 0) {
    const next = text.charCodeAt(at + 1)
    if (next === HASH || isAlphanumeric(next)) return at
    at = text.indexOf('&', at + 1)
  }
  return text.length
}

/** The names of HTML that were met lately, each where its first letters say: a text uses the same few again and again. */
const lately: (Reference | null)[] = new Array(256).fill(null)

/** The reference of HTML that starts with the ampersand at `at` and ends before `end`, or null. */
export function htmlReferenceAt(text: string, at: number, end: number): Reference | null {
  const first = text.charCodeAt(at + 1)
  if (first === HASH) return numberAt(text, at, end)
  const place = (first * 31 + text.charCodeAt(at + 2) * 7 + text.charCodeAt(at + 3)) & 255
  const met = lately[place]
  if (met && text.startsWith(met.written, at)) return met
  const reference = referenceAt(text, at, end, false)
  if (reference && reference.written !== '') lately[place] = reference
  return reference
}

/** The reference that starts with the ampersand at `at` and ends before `end`, or null. */
export function referenceAt(text: string, at: number, end: number, strict: boolean): Reference | null {
  const second = text.charCodeAt(at + 1)
  if (second === HASH) return numberAt(text, at, end)
  const common = commonAt(text, at, second)
  if (common) return common
  let stop = at + 1
  let key = 0
  const last = Math.min(end, at + 34)
  for (; stop < last; stop++) {
    const code = text.charCodeAt(stop)
    if (!isAlphanumeric(code)) break
    key = (Math.imul(key, 31) + code) | 0
  }
  // No name has but one letter.
  if (stop <= at + 2) return null
  const closed = stop < end && text.charCodeAt(stop) === SEMICOLON
  if (strict && !closed) return null
  const length = stop - at + (closed ? 1 : 0)
  const reference = named(text, at, end, length, closed ? key : ~key)
  if (!strict) return reference
  return reference?.length === length ? inXhtml(reference) : null
}

const LESS_THAN = { text: '<', length: 4, written: '&lt;' }
const GREATER_THAN = { text: '>', length: 4, written: '&gt;' }
const AMPERSAND = { text: '&', length: 5, written: '&amp;' }
const QUOTE = { text: '"', length: 6, written: '&quot;' }

/** The four that make up nearly all references in feeds. */
function commonAt(text: string, at: number, second: number): Reference | null {
  if (second === 0x6c) return text.startsWith('lt;', at + 1) ? LESS_THAN : null
  if (second === 0x67) return text.startsWith('gt;', at + 1) ? GREATER_THAN : null
  if (second === 0x61) return text.startsWith('amp;', at + 1) ? AMPERSAND : null
  return second === 0x71 && text.startsWith('quot;', at + 1) ? QUOTE : null
}

/** HTML 5 gave the angle brackets, alone of all, new characters. */
const ANGLES = new Map([
  ['\u27e8', { text: '\u2329', length: '&lang;'.length, written: '' }],
  ['\u27e9', { text: '\u232a', length: '&rang;'.length, written: '' }],
])

function inXhtml(reference: Reference): Reference {
  return reference.length === '&lang;'.length ? (ANGLES.get(reference.text) ?? reference) : reference
}

function named(text: string, at: number, end: number, length: number, key: number): Reference | null {
  const remembered = known.get(key)
  if (remembered && remembered.written.length === length && text.startsWith(remembered.written, at)) {
    return remembered.reference
  }
  // What stands behind the end is not to be read.
  const reference = at + length === end && end < text.length ? decoded(text.slice(at, end), 0) : decoded(text, at)
  // Of what is none there can be no end.
  if (!reference || reference.length !== length || remembered) return reference
  const written = ownCopy(text.slice(at, at + length))
  if (written.endsWith(';')) reference.written = written
  known.set(key, { written, reference })
  return reference
}

const heard = { text: '', length: 0 }
const decoder = new EntityDecoder(htmlDecodeTree, (codePoint, length) => {
  // A few names stand for two code points.
  heard.text += String.fromCodePoint(codePoint)
  heard.length = length
})

/** As HTML does it: the longest old name that it begins with, if it is none as a whole. */
function decoded(text: string, at: number): Reference | null {
  heard.text = ''
  heard.length = 0
  decoder.startEntity(DecodingMode.Legacy)
  if (decoder.write(text, at + 1) < 0) decoder.end()
  return heard.length === 0 ? null : { text: heard.text, length: heard.length, written: '' }
}

function numberAt(text: string, at: number, end: number): Reference | null {
  const hex = (text.charCodeAt(at + 2) | 0x20) === 0x78
  const digits = at + (hex ? 3 : 2)
  const last = Math.min(end, digits + 12)
  let value = 0
  let stop = digits
  for (; stop < last; stop++) {
    const digit = digitOf(text.charCodeAt(stop), hex)
    if (digit < 0) break
    value = Math.min(value * (hex ? 16 : 10) + digit, 0x110000)
  }
  if (stop === digits) return null
  const closed = stop < end && text.charCodeAt(stop) === SEMICOLON
  const length = stop - at + (closed ? 1 : 0)
  const pair = value >= 0xd800 && value < 0xdc00 ? pairWith(value, text, at + length, end) : null
  return pair ? { ...pair, length: length + pair.length } : { text: characterOf(value), length, written: '' }
}

const OTHER_HALF = /&#(?:x(d[c-f][\da-f]{2})|(5\d{4}));/iy

/** One character in two references, as those write it who count in halves; with the length of the second. */
function pairWith(half: number, text: string, at: number, end: number): Reference | null {
  OTHER_HALF.lastIndex = at
  const [all = '', hex, decimal] = OTHER_HALF.exec(text) ?? []
  const other = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (!(other >= 0xdc00 && other <= 0xdfff) || at + all.length > end) return null
  return { text: String.fromCharCode(half, other), length: all.length, written: '' }
}

function digitOf(code: number, hex: boolean): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return hex && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** What it has for 128 to 159; for five of them no character. */
export const WINDOWS_1252 = new TextDecoder('windows-1252')
  .decode(Uint8Array.from({ length: 32 }, (_, i) => 128 + i))
  .replace(/[\x80-\x9f]/g, ' ')

function characterOf(value: number): string {
  if (value >= 0x80 && value <= 0x9f) return WINDOWS_1252[value - 0x80] ?? ''
  if ((value > 0 && value < 0x20) || value === 0x7f) return ' '
  if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(value)
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
