/**
 * Who wrote the page, as the page states it: meta author, article:author, then JSON-LD, itemprop, rel=author.
 * A URL is not a name, and nothing is guessed from bylines.
 */
import type { LinkedArticle } from './json-ld.ts'
import type { PageFacts } from './page-facts.ts'

const MAX_NAME_CHARS = 200

export function statedAuthor(facts: PageFacts, article: LinkedArticle | null): string | null {
  const statements = [
    facts.meta.get('author'),
    facts.meta.get('article:author'),
    article?.author,
    ...facts.markedAuthors,
    ...facts.linkedAuthors,
  ]
  for (const statement of statements) {
    const name = asName(statement)
    if (name) return name
  }
  return null
}

function asName(statement: string | null | undefined): string | null {
  const name = (statement ?? '').replace(/\s+/g, ' ').trim()
  if (name === '' || name.length > MAX_NAME_CHARS || !/[\p{L}\p{N}]/u.test(name)) return null
  return isAddress(name) ? null : name
}

const isAddress = (name: string): boolean => /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^(?:www\.|mailto:)|^\/\S*$/i.test(name)
