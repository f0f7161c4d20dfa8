/**
 * Finds the name in what feeds write as an author: a name, a mail address, or both in either order, of one or several
 * people. The first person with a name counts. A text without an address is taken as the name.
 */
import { collapseSpace } from '../../text/collapse-space.ts'
import { bestFirst, type PersonDraft } from '../draft/written-values.ts'
import { firstChars, MAX_NAME_CHARS } from '../limits.ts'
import { mailAddresses } from './mail-addresses.ts'
import { splitPeople } from './people-in-text.ts'

/** A list with more addresses is not searched further. */
const MAX_PEOPLE = 20

/** Reads `mail (Name)`, `Name <mail>`, `Name (mail)`, `mail` or `Name`, with or without mailto:. The first address counts. */
export function readPerson(written: string): { name: string; email: string } {
  const text = collapseSpace(firstChars(written, MAX_NAME_CHARS)).trim()
  const addresses = mailAddresses(text, MAX_PEOPLE + 1)
  const email = addresses[0]?.address ?? ''
  if (email === '') return { name: text.startsWith('(') ? text.replace(/^\(([^()]*)\)$/, '$1').trim() : text, email }
  for (const person of splitPeople(text, addresses).slice(0, MAX_PEOPLE)) {
    const name = NAME_CHARACTER.test(person) ? plainName(person) : ''
    if (name !== '') return { name, email }
  }
  return { name: '', email }
}

/** For fields that should hold only a name. An address without a name is kept as it is. */
export function nameIn(written: string): string {
  return written.includes('@') ? readPerson(written).name || written : written
}

/** Anything but punctuation and spaces. */
const NAME_CHARACTER = /[^\s()<>[\],;:"-]/

/** Removes what stood around the address. */
function plainName(person: string): string {
  const rest = person
    .replace(/mailto:/i, '')
    .replace(/\(\s*\)|<\s*>|&lt;\s*&gt;|\[\s*\]/g, '')
    .trim()
  return withoutBrackets(rest)
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[\s,;:-]+/, '')
    .replace(/(?<![\s,;:/-])[\s,;:/-]+$/, '')
}

/** Takes the name out of its brackets, and removes a bracket without its counterpart. */
function withoutBrackets(name: string): string {
  const close = name.startsWith('(') ? closingBracket(name) : -1
  if (close > 0 && /^\s?(?:$|[(),;])/.test(name.slice(close + 1))) return name.slice(1, close)
  const opened = close < 0 ? name.replace(/^\(+/, '') : name
  const whole = opened.replace(/\s?(?:[(<[]|&lt;)$/, '')
  const isCut = [/^[^(]*\)$/, /^[^<]*>$/, /^[^[]*\]$/].some((cut) => cut.test(whole))
  return isCut ? whole.slice(0, -1) : whole
}

/** The position of the bracket that closes the one at the start; -1 if there is none. */
function closingBracket(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}

/** The best author by rank and depth who has a name; else, where an address will do, the best who has one. */
export function authorOf(authors: readonly PersonDraft[], addressWillDo: boolean): string | null {
  if (authors.length === 0) return null
  const ranked = bestFirst(authors)
  const named =
    ranked.find((person) => person.name.trim() !== '') ??
    (addressWillDo ? ranked.find((person) => person.email.trim() !== '') : undefined)
  if (!named) return null
  const written = named.name.trim() === '' ? named.email : named.name
  return firstChars(collapseSpace(written), MAX_NAME_CHARS) || null
}
