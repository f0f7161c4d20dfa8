/**
 * One streaming pass over a page before any tree is built: what the page states about itself, and whether a tree of it is safe.
 * Over the caps (characters, depth, nodes, depth summed over the elements) no tree is built: extractors go quadratic on such pages or overflow the stack.
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

export type Survey = { facts: PageFacts; tooLarge: boolean; hasHtml: boolean; hasBody: boolean }

export function survey(html: string): Survey {
  const facts = new FactCollector()
  const load = new Load()
  const seen = { html: false, body: false }
  const parser = new ShallowParser({
    onattribute: () => load.attribute(),
    onopentag: (name, attributes) => {
      if (name === 'html') seen.html = true
      if (name === 'body') seen.body = true
      load.open()
      facts.open(name, attributes)
    },
    ontext: (text) => {
      load.text(text)
      facts.text(text)
    },
    oncomment: () => load.text(''),
    onclosetag: (name) => {
      load.close()
      facts.close(name)
    },
  })
  // At least the first chunk is read, so that even an enormous page has a title.
  let at = 0
  do {
    parser.write(html.slice(at, at + CHUNK_CHARS))
    at += CHUNK_CHARS
  } while (at < html.length && html.length <= MAX_TREE_CHARS && !load.tooLarge)
  if (at >= html.length) parser.end()
  const tooLarge = load.tooLarge || html.length > MAX_TREE_CHARS
  return { facts: facts.finish(), tooLarge, hasHtml: seen.html, hasBody: seen.body }
}

/** What a tree of the page would cost, counted as it streams by. */
class Load {
  tooLarge = false
  #depth = 0
  #depthSum = 0
  #elements = 0
  #others = 0
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

  /** Every character that HTML escapes becomes a node of its own when the algorithm writes the page out and reads it again. */
  text(text: string): void {
    this.#others += 1 + countEscaped(text)
    if (this.#others > MAX_OTHER_NODES) this.tooLarge = true
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
