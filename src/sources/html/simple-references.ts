/** Character references that every parser reads alike. Anything else is null. */
import { htmlReferenceAt, type Reference } from './entities.ts'

const SEMICOLON = 0x3b
const NUMBER = /&#(?:(\d{1,7})|[xX]([\da-fA-F]{1,6}));/y
const AMPERSAND_ALONE: Reference = { text: '&', length: 1 }

/** In text. An ampersand that begins no reference stands for itself. */
export function simpleReferenceAt(html: string, at: number): Reference | null {
  if (html[at + 1] === '#') return numberAt(html, at)
  const reference = htmlReferenceAt(html, at, html.length)
  if (reference === null) return AMPERSAND_ALONE
  return html.charCodeAt(at + reference.length - 1) === SEMICOLON ? reference : null
}

function numberAt(html: string, at: number): Reference | null {
  NUMBER.lastIndex = at
  const found = NUMBER.exec(html)
  if (!found) return null
  const value = found[1] === undefined ? Number.parseInt(found[2] ?? '', 16) : Number(found[1])
  return isOrdinary(value) ? { text: String.fromCodePoint(value), length: found[0].length } : null
}

function isOrdinary(value: number): boolean {
  return (value >= 0x20 && value < 0x7f) || (value >= 0xa0 && value < 0xd800) || (value >= 0xe000 && value <= 0x10ffff)
}

/** The value of an attribute. Addresses often have ampersands that are no references, before the name of a field. */
export function decodeSimpleValue(value: string): string | null {
  let at = value.indexOf('&')
  if (at < 0) return value
  let decoded = ''
  let from = 0
  for (; at >= 0; at = value.indexOf('&', from)) {
    const reference = FIELD.test(value.slice(at, at + 40)) ? AMPERSAND_ALONE : simpleReferenceAt(value, at)
    if (reference === null) return null
    decoded += value.slice(from, at) + reference.text
    from = at + reference.length
  }
  return decoded + value.slice(from)
}

const FIELD = /^&[A-Za-z][A-Za-z0-9]*=/
