/**
 * Headings of a list: the linked headlines of a blog's home, the versions of a changelog, the dates of release notes.
 * The first of them would pass for the title or the date of an article; headings of the same shape after it tell.
 */
import type { Block } from '../blocks/blocks.ts'
import { bearsDate } from '../changing-lines/changing-lines.ts'

/** Tells of a heading whether others of its level and make are on the page. Site and article may each have a level 1 of their own. */
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
  return `${level} ${linkShare > 0.5 ? 'linked' : ''} ${bearsDate(text) ? 'dated' : ''}`
}
