/** Names out of what feeds write where an author should be: a name, an address, or both in either order. */
import { collapseSpace } from '../collapse-space.ts'
import { firstChars, MAX_NAME_CHARS } from './limits.ts'
import { bestFirst, type PersonDraft } from './written.ts'

const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9][a-z0-9.-]{0,250}(?:\?subject=[^\s()<>]{0,250})?/i

/** `mail (Name)`, `Name <mail>`, `Name (mail)`, `mail`, `Name`, each with or without a mailto:. */
export function readPerson(written: string): { name: string; email: string } {
  const text = collapseSpace(firstChars(written, MAX_NAME_CHARS))
  const email = text.includes('@') ? (ADDRESS.exec(text)?.[0].replace(/^mailto:|\?.*$/gi, '') ?? '') : ''
  const name = email === '' ? text : withoutAddress(text)
  return { name: name.startsWith('(') ? name.replace(/^\(([^()]*)\)$/, '$1').trim() : name.trim(), email }
}

function withoutAddress(text: string): string {
  return text
    .replace(ADDRESS, '')
    .replace(/mailto:/i, '')
    .replace(/\(\s*\)|<\s*>|&lt;\s*&gt;|\[\s*\]/g, '')
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[\s,;:-]+|[\s,;:-]+$/g, '')
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
