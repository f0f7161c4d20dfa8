/**
 * People: Atom's author with name and e-mail inside, RSS's author with both in one text.
 *
 * Authors of the feed as a whole, or of the feed it was taken from, editors and contributors are no authors of an entry.
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

/** A name that links to its owner, or was escaped once too often. */
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

/** One of a list, the first of which counts. */
const listItem: Container = {
  kind: 'container',
  place: 'inherit',
  collects: true,
  close(feed, { place }, text) {
    if (place === 'person' && feed.person) feed.person.name ||= readPerson(plainName(text)).name
  },
}

/** Read, so that an address does not become part of the name around it. */
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
