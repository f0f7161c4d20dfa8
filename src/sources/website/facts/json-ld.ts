/**
 * Finds the article that a page describes in JSON-LD.
 * Broken JSON, unknown shapes and very deep nesting give nothing. They are never an error.
 */
import { isObject, type Json, personNames, textOf } from './json-ld-people.ts'

export type JsonLdArticle = {
  headline: string | null
  authors: readonly string[]
  publishedAt: string | null
  body: string | null
}

const ARTICLE = /(?:Article|Posting|Report|BlogPost|Review|Recipe|WebPage|VideoObject|PodcastEpisode)$/
const PROPER_ARTICLE = /(?:Article|Posting|Report|BlogPost)$/
const MAX_NODES = 5_000

export function jsonLdArticle(scripts: readonly string[]): JsonLdArticle | null {
  const parsed = scripts.map(parse)
  const nodes = parsed.flatMap(nodesOf).filter((node) => ARTICLE.test(typeOf(node)))
  const best = nodes.find((node) => PROPER_ARTICLE.test(typeOf(node))) ?? nodes[0]
  if (!best) return null
  const namesOf = personNames(parsed)
  return {
    headline: textOf(best.headline),
    authors: [...namesOf(best.author), ...namesOf(best.creator)],
    publishedAt: textOf(best.datePublished) ?? textOf(best.dateCreated) ?? textOf(best.uploadDate),
    body: textOf(best.articleBody),
  }
}

/** Every object in a script, outermost first. The walk is bounded and does not recurse. */
function nodesOf(script: unknown): Json[] {
  const queue: unknown[] = [script]
  const found: Json[] = []
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_NODES))
    else if (isObject(value)) {
      found.push(value)
      for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement', 'item', 'hasPart'])
        queue.push(value[key])
    }
  }
  return found
}

/** Many scripts contain raw line breaks in strings, comments or CDATA around the JSON. JSON.parse accepts none of them. */
function parse(script: string): unknown {
  const bare = script
    .replace(/^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|(?:\/\/\s*)?\]\]>)\s*;?\s*$/, '')
  for (const text of [bare, bare.replace(/[\u0000-\u001f]+/g, ' ')]) {
    try {
      return JSON.parse(text)
    } catch {
      // Try the next spelling. If both fail, the script is ignored.
    }
  }
  return null
}

const typeOf = (node: Json): string =>
  String(Array.isArray(node['@type']) ? (node['@type'][0] ?? '') : (node['@type'] ?? ''))
