/**
 * Blocks of a page read as a stream, for pages too large or too deep for a tree, and as the last resort for any page:
 * all visible text but that of navigation, capped, and whether any of it lay beyond the cap. Linear in the size of the page,
 * whatever its shape.
 */
import { ShallowParser } from '../../html/shallow-parser.ts'
import { type Block, BlockBuilder, isSilent } from './blocks.ts'

const AROUND = new Set(['nav', 'aside', 'footer', 'button', 'dialog', 'menu'])
const CHUNK_CHARS = 65_536

export type StreamOptions = { maxChars: number; noscript?: boolean; around?: boolean }
export type Streamed = { blocks: Block[]; cut: boolean }

export function streamBlocks(html: string, { maxChars, noscript = false, around = false }: StreamOptions): Streamed {
  const builder = new BlockBuilder()
  const open: (string | undefined)[] = []
  let skippedFrom = 0
  let chars = 0
  let cut = false
  const skips = (name: string, isShadow: boolean): boolean =>
    (isSilent(name) && !isShadow) || (!around && AROUND.has(name)) || (!noscript && name === 'noscript')
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
