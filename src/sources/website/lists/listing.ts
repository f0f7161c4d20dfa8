/**
 * Whether a page is a list: of jobs, of events, of headlines. What is a link in an article leads away from it; in a list the links are
 * the entries. A list opens with them, and running text is the smaller part of it.
 */
import { type Block, isGiven, sizeOf } from '../blocks/blocks.ts'
import { isParagraph } from '../blocks/paragraphs.ts'
import { LABEL_LINE } from '../page-furniture/phrases.ts'

const ENTRIES = 4
const ENTRY_CHARS = 8
const PROSE = 0.5

export function isListing(blocks: readonly Block[]): boolean {
  const entries = blocks.filter(isEntry)
  if (entries.length < ENTRIES) return false
  const first = blocks.findIndex(isParagraph)
  if (first < 0) return true
  const opens = blocks.slice(0, first).some(isEntry)
  return opens && sizeOf(blocks.filter(isParagraph)) < sizeOf(blocks) * PROSE
}

const isEntry = (block: Block): boolean =>
  block.linkShare > 0.5 && !isGiven(block) && block.text.length >= ENTRY_CHARS && !LABEL_LINE.test(block.text)

/** Whether the last headings, with no text below them, are entries like the one that the page opens with. */
export function endsWithEntries(blocks: readonly Block[]): boolean {
  const first = blocks.findIndex(isParagraph)
  const last = blocks.findLastIndex(isParagraph)
  const levels = new Set(
    blocks
      .slice(0, Math.max(0, first))
      .filter(isLinkedHeading)
      .map(({ level }) => level),
  )
  return blocks.slice(last + 1).some((block) => isLinkedHeading(block) && levels.has(block.level))
}

const isLinkedHeading = ({ kind, linkShare }: Block): boolean => kind === 'heading' && linkShare > 0.5
