/**
 * Reads the blocks of a page as a stream: for pages too large or too deep for a tree, and as the last resort for any page.
 * The result is all visible text except navigation, capped; `cut` says whether text was left out at the cap.
 * The cost is linear in the size of the page.
 */
import { ShallowParser } from '../../html/shallow-parser.ts'
import type { Block } from './block.ts'
import { BlockBuilder } from './block-builder.ts'
import { isInvisible } from './block-elements.ts'

const SURROUNDING_TAGS = new Set(['nav', 'aside', 'footer', 'button', 'dialog', 'menu'])
const CHUNK_CHARS = 65_536

/** `noscript` and `surroundings`: also read the text of these elements. */
export type StreamOptions = { maxChars: number; noscript?: boolean; surroundings?: boolean }
export type Streamed = { blocks: Block[]; cut: boolean }

export function streamBlocks(html: string, options: StreamOptions): Streamed {
  const { maxChars, noscript = false, surroundings = false } = options
  const builder = new BlockBuilder()
  const open: (string | undefined)[] = []
  let skippedFrom = 0
  let chars = 0
  let cut = false
  const skips = (name: string, isShadow: boolean): boolean =>
    (isInvisible(name) && !isShadow) ||
    (!surroundings && SURROUNDING_TAGS.has(name)) ||
    (!noscript && name === 'noscript')
  const parser = new ShallowParser({
    onopentag: (name, attributes) => {
      open.push(attributes.href)
      if (skippedFrom === 0 && skips(name, 'shadowrootmode' in attributes)) skippedFrom = open.length
      if (skippedFrom === 0) builder.open(name, attributes.href)
    },
    ontext: (text) => {
      if (skippedFrom > 0 || cut) return
      const kept = text.slice(0, maxChars - chars)
      cut = /\S/.test(text.slice(kept.length))
      if (kept !== '') builder.text(kept)
      chars += kept.length
    },
    onclosetag: (name) => {
      if (skippedFrom === 0) builder.close(name, open.at(-1))
      if (skippedFrom === open.length) skippedFrom = 0
      open.pop()
    },
  })
  for (let at = 0; at < html.length && !cut; at += CHUNK_CHARS) parser.write(html.slice(at, at + CHUNK_CHARS))
  if (!cut) parser.end()
  return { blocks: builder.finish(), cut }
}
