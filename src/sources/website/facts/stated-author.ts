/**
 * Who wrote the page, as the page states it: meta author, article:author, then JSON-LD, itemprop, rel=author.
 * The first name of each kind counts: a URL is not a name, nor is a blank. Nothing is guessed from bylines.
 */
import type { LinkedArticle } from './json-ld.ts'
import type { PageFacts } from './page-facts.ts'

const MAX_NAME_CHARS = 200

export function statedAuthor(facts: PageFacts, article: LinkedArticle | null): string | null {
  const statements = [
    ...facts.metaAuthors,
    ...facts.articleAuthors,
    ...(article?.authors ?? []),
    ...facts.markedAuthors,
    ...facts.linkedAuthors,
  ]
  for (const statement of statements) {
    const name = asName(statement)
    if (name) return name
  }
  return null
}

function asName(statement: string): string | null {
  const name = statement.replace(/\s+/g, ' ').trim()
  if (name === '' || name.length > MAX_NAME_CHARS || !/[\p{L}\p{N}]/u.test(name)) return null
  return isAddress(name) ? null : name
}

const isAddress = (name: string): boolean =>
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^(?:www\.|mailto:)|^\/\S*$/i.test(name) || BARE_ADDRESS.test(name)

// `facebook.com/jane`. The end of a host is written small, which tells it from `J.Doe/AFP`; a host alone may be a name.
const BARE_ADDRESS = /^(?:[\p{L}\p{N}-]+\.)+\p{Ll}{2,}(?::\d+)?\/\S*$/u
