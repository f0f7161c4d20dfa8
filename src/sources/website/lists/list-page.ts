/**
 * Decides whether a page is a list: of jobs, events or headlines.
 * In an article a link leads away from the text; in a list the links are the entries and must be kept.
 * A list starts with entries, and less than half of it is running text.
 * See docs/decisions/0104-list-pages-keep-all-entries.md
 */
import { type Block, isAuthorData, totalWeight } from '../blocks/block.ts'
import { isParagraph } from '../blocks/paragraphs.ts'
import { LABEL_LINE } from '../boilerplate/phrases.ts'

const MIN_ENTRIES = 4
const MIN_ENTRY_CHARS = 8
const MAX_PROSE_SHARE = 0.5

export function isListPage(blocks: readonly Block[]): boolean {
  const entries = blocks.filter(isEntry)
  if (entries.length < MIN_ENTRIES) return false
  const first = blocks.findIndex(isParagraph)
  if (first < 0) return true
  const startsWithEntry = blocks.slice(0, first).some(isEntry)
  return startsWithEntry && totalWeight(blocks.filter(isParagraph)) < totalWeight(blocks) * MAX_PROSE_SHARE
}

const isEntry = (block: Block): boolean =>
  block.linkShare > 0.5 && !isAuthorData(block) && block.text.length >= MIN_ENTRY_CHARS && !LABEL_LINE.test(block.text)

/** Whether the page ends with linked headings of the same level as those it starts with. */
export function endsWithEntries(blocks: readonly Block[]): boolean {
  const last = blocks.findLastIndex(isParagraph)
  const levels = entryLevels(blocks)
  return blocks.slice(last + 1).some((block) => isLinkedHeading(block) && levels.has(block.level))
}

/** Levels of the linked headings before the first paragraph. On such a page they are entries, not teasers. */
export function entryLevels(blocks: readonly Block[]): Set<number | undefined> {
  const first = blocks.findIndex(isParagraph)
  const start = blocks.slice(0, Math.max(0, first)).filter(isLinkedHeading)
  return new Set(start.map(({ level }) => level))
}

const isLinkedHeading = ({ kind, linkShare }: Block): boolean => kind === 'heading' && linkShare > 0.5
