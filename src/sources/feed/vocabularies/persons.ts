/**
 * People: an Atom author has elements for name and e-mail, an RSS author has both in one text.
 *
 * Authors of the feed or of its source, editors and contributors do not count as authors of an entry.
 */
import { decodeEntities } from '../../html/entities.ts'
import { htmlToText } from '../../html/html-text.ts'
import { firstChars, MAX_NAME_CHARS, MAX_OF_A_KIND } from '../limits.ts'
import { nameIn, readPerson } from '../people/authors.ts'
import { looksLikeHtml } from './text-kind.ts'
import { type Container, leaf, type Vocabulary } from './vocabulary.ts'

export function author(rank: number): Container {
  return {
    kind: 'container',
    place: 'person',
    collects: true,
    open(feed, _attributes, { depth }) {
      feed.person = { name: '', email: '', rank, depth }
    },
    close(feed, site, text) {
      const person = feed.person
      feed.person = null
      if (!person || site.place !== 'entry' || (feed.entry?.authors.length ?? 0) >= MAX_OF_A_KIND) return
      if (person.name === '' && person.email === '') {
        const { name, email } = readPerson(plainName(text))
        person.name = name
        person.email = email
      }
      feed.entry?.addAuthor(person)
    },
  }
}

/** Decodes a name, and converts it to text if it is HTML, such as a link. */
function plainName(written: string): string {
  const name = firstChars(decodeEntities(written, true), MAX_NAME_CHARS)
  return looksLikeHtml(name) ? htmlToText(name) : name
}

const aside: Container = { kind: 'container', place: 'aside' }

const name = leaf((feed, text, _attributes, { place }) => {
  if (place === 'person' && feed.person) feed.person.name ||= nameIn(text.plain('guess'))
})

const email = leaf((feed, text, _attributes, { place }) => {
  if (place === 'person' && feed.person) feed.person.email ||= text.value()
})

/** An item of a list of names. The first counts. */
const listItem: Container = {
  kind: 'container',
  place: 'inherit',
  collects: true,
  close(feed, { place }, text) {
    if (place === 'person' && feed.person) feed.person.name ||= readPerson(plainName(text)).name
  },
}

/** Has a rule only so that the address does not become part of the name around it. */
const address = leaf(() => {})

export const persons: Vocabulary = {
  author: author(0),
  managingeditor: aside,
  webmaster: aside,
  contributor: aside,
  name,
  email,
  uri: address,
  homepage: address,
  'rdf:li': listItem,
}
