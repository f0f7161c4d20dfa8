/**
 * Chooses the author that the page states. The first value that is a name wins, in this order:
 * meta author, article:author, JSON-LD, itemprop=author, rel=author.
 * URLs and blank values are not names. Bylines in the text are not read.
 */
import type { JsonLdArticle } from './json-ld.ts'
import type { PageFacts } from './page-facts.ts'

const MAX_NAME_CHARS = 200

export function statedAuthor(facts: PageFacts, article: JsonLdArticle | null): string | null {
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

// `facebook.com/jane`. A top-level domain is in lower case, unlike `J.Doe/AFP`. A host without a path may be a name.
const BARE_ADDRESS = /^(?:[\p{L}\p{N}-]+\.)+\p{Ll}{2,}(?::\d+)?\/\S*$/u
