/**
 * Splits a text with several people: `mail (Name), mail (Name)`, `Name <mail>; Name <mail>`, `mail and mail`. Each
 * person must have an address, because names alone may contain commas.
 *
 * A person ends behind the address, at the closing bracket. Without a bracket, the person ends at a comma, at an "and",
 * or where the next address begins. Behind the last address, only a closing bracket before a comma ends a person.
 */
import type { MailAddress } from './mail-addresses.ts'

const OPENING = '(<['
const CLOSING = ')>]'
const COMMAS = ',;|/'
const ANY_COMMA = /[,;|/]/
const ANY_AND = /\s(?:and|und|et|y|e|&|\+)\s/i
const COMMA_OR_AND = /\s?(?:[,;|/&+]|(?:and|und|et|y|e)\s)/iy
const BEFORE_THE_NEXT = /^[\s,;|/&+]*(?:(?:and|und|et|y|e)\s)?/i
const MAILTO_CHARS = 'mailto:'.length

/** The text of each person without the address. */
export function splitPeople(text: string, addresses: readonly MailAddress[]): string[] {
  const people: string[] = []
  let from = 0
  for (const [at, address] of addresses.entries()) {
    const to = personEnd(text, from, address, addresses[at + 1]?.start ?? null)
    people.push(text.slice(from, address.start) + text.slice(address.end, to))
    from = to
  }
  people.push(text.slice(from))
  return people.map((person, at) => (at === 0 ? person : person.replace(BEFORE_THE_NEXT, '')))
}

function personEnd(text: string, from: number, { start, end }: MailAddress, next: number | null): number {
  const limit = next ?? text.length
  let depth = isBracketed(text, start) ? 1 : 0
  for (let at = end; at < limit; at++) {
    const character = text.charAt(at)
    if (OPENING.includes(character)) depth++
    else if (CLOSING.includes(character)) {
      depth--
      if (depth <= 0 && (next !== null || isCommaOrAnd(text, at + 1))) return at + 1
    } else if (depth <= 0 && next !== null && COMMAS.includes(character)) return at
  }
  return next === null ? limit : endWithoutBrackets(text, from, start, end, next)
}

function endWithoutBrackets(text: string, from: number, start: number, end: number, next: number): number {
  const between = text.slice(end, next)
  const comma = between.search(ANY_COMMA)
  const joint = comma >= 0 ? comma : between.search(ANY_AND)
  if (joint >= 0) return end + joint
  return /\p{L}/u.test(text.slice(from, start)) ? end : next
}

function isBracketed(text: string, start: number): boolean {
  let before = start
  if (text.charAt(before - 1) === ':' && /^mailto:$/i.test(text.slice(before - MAILTO_CHARS, before)))
    before -= MAILTO_CHARS
  if (text.charAt(before - 1) === ' ') before--
  return before > 0 && OPENING.includes(text.charAt(before - 1))
}

function isCommaOrAnd(text: string, at: number): boolean {
  COMMA_OR_AND.lastIndex = at
  return COMMA_OR_AND.test(text)
}
