/**
 * Names out of what feeds write where an author should be: a name, an address, or both in either order, of one or of
 * several people, of whom the first with a name counts. Without an address the text is the name, whoever it names.
 */
import { collapseSpace } from '../../text/collapse-space.ts'
import { bestFirst, type PersonDraft } from '../draft/raw-link.ts'
import { firstChars, MAX_NAME_CHARS } from '../limits.ts'
import { mailAddresses } from './mail-addresses.ts'
import { splitPeople } from './people-in-text.ts'

/** Whoever lists more addresses than that gives no names. */
const MAX_PEOPLE = 20

/** `mail (Name)`, `Name <mail>`, `Name (mail)`, `mail`, `Name`, each with or without a mailto:. The address is the first. */
export function readPerson(written: string): { name: string; email: string } {
  const text = collapseSpace(firstChars(written, MAX_NAME_CHARS)).trim()
  const addresses = mailAddresses(text, MAX_PEOPLE + 1)
  const email = addresses[0]?.address ?? ''
  if (email === '') return { name: text.startsWith('(') ? text.replace(/^\(([^()]*)\)$/, '$1').trim() : text, email }
  for (const person of splitPeople(text, addresses).slice(0, MAX_PEOPLE)) {
    const name = NAMES_ANYBODY.test(person) ? plainName(person) : ''
    if (name !== '') return { name, email }
  }
  return { name: '', email }
}

/** Where only a name should be; an address alone stands for one. */
export function nameIn(written: string): string {
  return written.includes('@') ? readPerson(written).name || written : written
}

/** Most of what stands beside the addresses of many people does not. */
const NAMES_ANYBODY = /[^\s()<>[\],;:"-]/

/** Without what stood around an address that is gone. */
function plainName(person: string): string {
  const rest = person
    .replace(/mailto:/i, '')
    .replace(/\(\s*\)|<\s*>|&lt;\s*&gt;|\[\s*\]/g, '')
    .trim()
  return withoutBrackets(rest)
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[\s,;:-]+|[\s,;:/-]+$/g, '')
}

/** The name in brackets, if it is in some, and without what is left of one whose other end was cut. */
function withoutBrackets(name: string): string {
  const close = name.startsWith('(') ? closingBracket(name) : -1
  if (close > 0 && /^\s?(?:$|[(),;])/.test(name.slice(close + 1))) return name.slice(1, close)
  const opened = close < 0 ? name.replace(/^\(+/, '') : name
  const whole = opened.replace(/\s?(?:[(<[]|&lt;)$/, '')
  const isCut = [/^[^(]*\)$/, /^[^<]*>$/, /^[^[]*\]$/].some((cut) => cut.test(whole))
  return isCut ? whole.slice(0, -1) : whole
}

/** The one that ends what the first character begins; -1 if there is none. */
function closingBracket(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}

/** The best of an entry's authors: the first with a name of the best rank, the least deep, else the first with an address. */
export function authorOf(authors: readonly PersonDraft[]): string | null {
  if (authors.length === 0) return null
  const ranked = bestFirst(authors)
  const named =
    ranked.find((person) => person.name.trim() !== '') ?? ranked.find((person) => person.email.trim() !== '')
  if (!named) return null
  const written = named.name.trim() === '' ? named.email : named.name
  return firstChars(collapseSpace(written), MAX_NAME_CHARS) || null
}
