/**
 * One streaming pass over a page before any tree is built: what the page states about itself, and whether a tree of it is safe.
 * Over the caps (characters, depth, nodes) no tree is built: extractors go quadratic on such pages or overflow the stack.
 * The pass is linear and stops as soon as a cap is exceeded.
 */
import { Parser } from 'htmlparser2'
import { FactCollector, type PageFacts } from './page-facts.ts'

export const MAX_TREE_CHARS = 5_000_000
export const MAX_DEPTH = 256
export const MAX_ELEMENTS = 50_000
const MAX_OTHER_NODES = 250_000
const MAX_ATTRIBUTES = 500
const CHUNK_CHARS = 65_536

export type Survey = { facts: PageFacts; tooLarge: boolean; hasHtml: boolean; hasBody: boolean }

export function survey(html: string): Survey {
  const facts = new FactCollector()
  const seen = {
    depth: 0,
    elements: 0,
    others: 0,
    attributes: 0,
    tooLarge: html.length > MAX_TREE_CHARS,
    html: false,
    body: false,
  }
  const parser = new Parser(
    {
      onattribute: () => {
        seen.attributes++
      },
      onopentag: (name, attributes) => {
        seen.depth++
        if (name === 'html') seen.html = true
        if (name === 'body') seen.body = true
        const overfull = seen.attributes > MAX_ATTRIBUTES
        if (overfull || seen.depth > MAX_DEPTH || ++seen.elements > MAX_ELEMENTS) seen.tooLarge = true
        seen.attributes = 0
        facts.open(name, attributes)
      },
      ontext: (text) => {
        if (++seen.others > MAX_OTHER_NODES) seen.tooLarge = true
        facts.text(text)
      },
      oncomment: () => {
        if (++seen.others > MAX_OTHER_NODES) seen.tooLarge = true
      },
      onclosetag: (name) => {
        seen.depth--
        facts.close(name)
      },
    },
    { decodeEntities: true },
  )
  for (let at = 0; at < html.length && !seen.tooLarge; at += CHUNK_CHARS) parser.write(html.slice(at, at + CHUNK_CHARS))
  if (seen.tooLarge && seen.elements === 0) parser.write(html.slice(0, CHUNK_CHARS))
  else if (!seen.tooLarge) parser.end()
  return { facts: facts.finish(), tooLarge: seen.tooLarge, hasHtml: seen.html, hasBody: seen.body }
}
