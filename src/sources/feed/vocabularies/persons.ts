/**
 * People: an Atom author has elements for name and e-mail, an RSS author has both in one text.
 *
 * In Atom and JSON Feed, an entry without an author has the author of its source, then that of the feed. Editors and
 * contributors do not count.
 */
import { decodeEntities } from '../../html/entities.ts'
import { htmlToText } from '../../html/html-text.ts'
import type { FeedDraft } from '../draft/feed-draft.ts'
import type { PersonDraft } from '../draft/written-values.ts'
import { firstChars, MAX_NAME_CHARS, MAX_OF_A_KIND } from '../limits.ts'
import { nameIn, readPerson } from '../people/authors.ts'
import { looksLikeHtml } from './text-kind.ts'
import { type Container, leaf, type Place, type Vocabulary } from './vocabulary.ts'

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
      const authors = person && authorsAt(feed, site.place)
      if (!person || !authors || authors.length >= MAX_OF_A_KIND) return
      if (person.name === '') {
        // An element with nothing but an address is no author: an address is not a name.
        if (person.email !== '') return
        const { name, email } = readPerson(plainName(text))
        person.name = name
        person.email = email
      }
      if (site.place === 'entry') feed.entry?.addAuthor(person)
      else if (site.place === 'source') feed.entry?.addSourceAuthor(person)
      else feed.addAuthor(person)
    },
  }
}

/** The authors that one more may join; null: nobody asks for authors there. */
function authorsAt(feed: FeedDraft, place: Place): readonly PersonDraft[] | null {
  if (place === 'entry') return feed.entry?.authors ?? null
  if (!feed.inheritsAuthors) return null
  if (place === 'source') return feed.entry?.sourceAuthors ?? null
  return place === 'feed' ? feed.authors : null
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
