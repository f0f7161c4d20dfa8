/**
 * Recognises headings of a list: linked headlines of a blog, versions of a changelog, dates of release notes.
 * The first one looks like the title or the date of an article. More headings of the same shape show that it is not.
 */
import type { Block } from '../blocks/block.ts'
import { containsDate } from '../changing-lines/changing-lines.ts'

/** Returns a test for headings that repeat in the same shape. Level 1 must occur three times: site and article may have one each. */
export function listHeadings(blocks: readonly Block[]): (block: Block) => boolean {
  const counts = new Map<string, number>()
  for (const block of blocks) {
    const shape = shapeOf(block)
    if (shape) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  }
  return (block) => (counts.get(shapeOf(block) ?? '') ?? 0) >= (block.level === 1 ? 3 : 2)
}

function shapeOf({ kind, level, text, linkShare }: Block): string | null {
  if (kind !== 'heading') return null
  return `${level} ${linkShare > 0.5 ? 'linked' : ''} ${containsDate(text) ? 'dated' : ''}`
}
