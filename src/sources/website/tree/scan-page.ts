/**
 * One streaming pass over a page before a tree is built. It collects what the page states about itself
 * and decides whether building a tree is safe.
 * Pages over a cap (characters, depth, nodes, sum of depths) get no tree: extraction would be quadratic or overflow the stack.
 * The pass is linear and stops as soon as a cap is exceeded.
 */
import { ShallowParser } from '../../html/shallow-parser.ts'
import { FactCollector, type PageFacts } from '../facts/page-facts.ts'

export const MAX_TREE_CHARS = 5_000_000
export const MAX_DEPTH = 256
export const MAX_ELEMENTS = 50_000
const MAX_DEPTH_SUM = 1_000_000
const MAX_OTHER_NODES = 100_000
const MAX_ATTRIBUTES = 500
const CHUNK_CHARS = 65_536

export type PageScan = { facts: PageFacts; tooLarge: boolean; hasHtml: boolean; bodies: number }

export function scanPage(html: string): PageScan {
  const facts = new FactCollector()
  const cost = new TreeCost()
  const seen = { html: false, bodies: 0 }
  const parser = new ShallowParser({
    onattribute: () => cost.attribute(),
    onopentag: (name, attributes) => {
      if (name === 'html') seen.html = true
      if (name === 'body') seen.bodies++
      cost.open()
      facts.open(name, attributes)
    },
    ontext: (text) => {
      cost.text(text)
      facts.text(text)
    },
    oncomment: () => cost.text(''),
    onclosetag: (name) => {
      cost.close()
      facts.close(name)
    },
  })
  // The first chunk is always read, so that even an enormous page has a title.
  let at = 0
  do {
    parser.write(html.slice(at, at + CHUNK_CHARS))
    at += CHUNK_CHARS
  } while (at < html.length && html.length <= MAX_TREE_CHARS && !cost.tooLarge)
  if (at >= html.length) parser.end()
  const tooLarge = cost.tooLarge || html.length > MAX_TREE_CHARS
  return { facts: facts.finish(), tooLarge, hasHtml: seen.html, bodies: seen.bodies }
}

/** Counts what a tree of the page would cost, while the page is streamed. */
class TreeCost {
  tooLarge = false
  #depth = 0
  #depthSum = 0
  #elements = 0
  #otherNodes = 0
  #attributes = 0

  attribute(): void {
    this.#attributes++
  }

  open(): void {
    this.#depth++
    this.#depthSum += this.#depth
    this.#elements++
    if (this.#depth > MAX_DEPTH || this.#depthSum > MAX_DEPTH_SUM || this.#elements > MAX_ELEMENTS) this.tooLarge = true
    if (this.#attributes > MAX_ATTRIBUTES) this.tooLarge = true
    this.#attributes = 0
  }

  close(): void {
    this.#depth--
  }

  /** Readability serialises the page and parses it again. Each escaped character then becomes a node of its own. */
  text(text: string): void {
    this.#otherNodes += 1 + countEscaped(text)
    if (this.#otherNodes > MAX_OTHER_NODES) this.tooLarge = true
  }
}

function countEscaped(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 38 || code === 60 || code === 62 || code === 160) count++
  }
  return count
}
