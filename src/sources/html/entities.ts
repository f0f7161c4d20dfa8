/**
 * Decodes character references in markup: the five of XML, all names of HTML, and numbers.
 *
 * Entities that a document defines itself are never expanded, so no input can grow. As in browsers, the numbers 128 to
 * 159 mean windows-1252, and numbers without a character become U+FFFD. Control characters become spaces. With `strict`
 * the rules of XML apply: the semicolon is required, and names mean what XHTML defines. Otherwise the rules of HTML
 * apply, where old names need no semicolon.
 * See docs/decisions/0101-entities-package-decodes-references.md
 */
import { DecodingMode, EntityDecoder, htmlDecodeTree } from 'entities/decode'
import { ownCopy } from '../text/own-copy.ts'

/** The characters that a reference stands for, and how long it is as written. */
export type Reference = { text: string; length: number }

const HASH = 0x23
const SEMICOLON = 0x3b

/** The text with its references replaced; the same string if it has none. */
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

/** The next ampersand that can begin a reference; the end of the text if there is none. */
export function nextAmpersand(text: string, from: number): number {
  let at = text.indexOf('&', from)
  while (at >= 0) {
    const next = text.charCodeAt(at + 1)
    if (next === HASH || isAlphanumeric(next)) return at
    at = text.indexOf('&', at + 1)
  }
  return text.length
}

const RECENT_SLOTS = 256
/** The last reference for each combination of first letters, because a text uses the same few again and again. */
const recent: ({ written: string; reference: Reference } | null)[] = new Array(RECENT_SLOTS).fill(null)

/** The HTML reference that starts with the ampersand at `at` and ends before `end`, or null. */
export function htmlReferenceAt(text: string, at: number, end: number): Reference | null {
  const first = text.charCodeAt(at + 1)
  if (first === HASH) return numberAt(text, at, end)
  const slot = (first * 31 + text.charCodeAt(at + 2) * 7 + text.charCodeAt(at + 3)) & (RECENT_SLOTS - 1)
  const known = recent[slot]
  if (known && text.startsWith(known.written, at)) return known.reference
  const reference = referenceAt(text, at, end, false)
  // Only with its semicolon is it the same reference wherever it stands.
  if (reference && text.charCodeAt(at + reference.length - 1) === SEMICOLON) {
    recent[slot] = { written: ownCopy(text.slice(at, at + reference.length)), reference }
  }
  return reference
}

/** The reference that starts with the ampersand at `at` and ends before `end`, or null. */
export function referenceAt(text: string, at: number, end: number, strict: boolean): Reference | null {
  const second = text.charCodeAt(at + 1)
  if (second === HASH) return numberAt(text, at, end)
  const common = commonAt(text, at, second)
  if (common) return common
  let stop = at + 1
  const last = Math.min(end, at + 34)
  while (stop < last && isAlphanumeric(text.charCodeAt(stop))) stop++
  // No name has only one letter.
  if (stop <= at + 2) return null
  const closed = stop < end && text.charCodeAt(stop) === SEMICOLON
  if (strict && !closed) return null
  const length = stop - at + (closed ? 1 : 0)
  const reference = named(text, at, end, length)
  if (!strict) return reference
  return reference?.length === length ? inXhtml(reference) : null
}

const LESS_THAN = { text: '<', length: 4 }
const GREATER_THAN = { text: '>', length: 4 }
const AMPERSAND = { text: '&', length: 5 }
const QUOTE = { text: '"', length: 6 }

/** Nearly all references in feeds are one of these four. */
function commonAt(text: string, at: number, second: number): Reference | null {
  if (second === 0x6c) return text.startsWith('lt;', at + 1) ? LESS_THAN : null
  if (second === 0x67) return text.startsWith('gt;', at + 1) ? GREATER_THAN : null
  if (second === 0x61) return text.startsWith('amp;', at + 1) ? AMPERSAND : null
  return second === 0x71 && text.startsWith('quot;', at + 1) ? QUOTE : null
}

/** The two names to which HTML 5 gave other characters than XHTML. */
const XHTML_ANGLES = new Map([
  ['\u27e8', { text: '\u2329', length: '&lang;'.length }],
  ['\u27e9', { text: '\u232a', length: '&rang;'.length }],
])

function inXhtml(reference: Reference): Reference {
  return reference.length === '&lang;'.length ? (XHTML_ANGLES.get(reference.text) ?? reference) : reference
}

function named(text: string, at: number, end: number, length: number): Reference | null {
  // The decoder must not read beyond the end.
  return at + length === end && end < text.length ? decoded(text.slice(at, end), 0) : decoded(text, at)
}

const result = { text: '', length: 0 }
const decoder = new EntityDecoder(htmlDecodeTree, (codePoint, length) => {
  // A few names stand for two code points and call this twice.
  result.text += String.fromCodePoint(codePoint)
  result.length = length
})

/** Decodes a name as HTML does: if it is unknown as a whole, the longest old name at its beginning counts. */
function decoded(text: string, at: number): Reference | null {
  result.text = ''
  result.length = 0
  decoder.startEntity(DecodingMode.Legacy)
  if (decoder.write(text, at + 1) < 0) decoder.end()
  return result.length === 0 ? null : { text: result.text, length: result.length }
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
  return pair ? { ...pair, length: length + pair.length } : { text: characterOf(value), length }
}

const LOW_SURROGATE = /&#(?:x(d[c-f][\da-f]{2})|(5\d{4}));/iy

/** A character written as two references, one for each surrogate. The length is that of the second reference. */
function pairWith(half: number, text: string, at: number, end: number): Reference | null {
  LOW_SURROGATE.lastIndex = at
  const [all = '', hex, decimal] = LOW_SURROGATE.exec(text) ?? []
  const other = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (!(other >= 0xdc00 && other <= 0xdfff) || at + all.length > end) return null
  return { text: String.fromCharCode(half, other), length: all.length }
}

function digitOf(code: number, hex: boolean): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return hex && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** The characters of the bytes 128 to 159; a space for the five that have none. */
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
