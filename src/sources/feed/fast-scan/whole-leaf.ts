/** A shortcut for the most frequent leaves: those that hold one text or one CDATA section and nothing else. */
// See docs/decisions/0094-simple-elements-read-in-one-step.md
import type { FeedDraft } from '../draft/feed-draft.ts'
import { CDATA, SECTION, SECTION_CLOSE, SECTION_OPEN } from '../elements/element-text.ts'
import type { OpenLeaf } from '../elements/open-leaf.ts'
import type { CdataSections } from './cdata-sections.ts'

/**
 * Finishes the leaf whose start tag was just read. Returns the position behind its end tag. Returns -1 and leaves it
 * open if it holds anything else.
 */
export function finishWholeLeaf(leaf: OpenLeaf, sections: CdataSections, feed: FeedDraft): number {
  const { source, start, name } = leaf
  const next = source.indexOf('<', start)
  const isSection = next === start && source.startsWith(SECTION_OPEN, start)
  const end = isSection ? sections.endOf(start, name) : next
  if (end < 0) return -1
  const tag = isSection ? end + SECTION_CLOSE.length : end
  if (!isEndTag(source, tag, name)) return -1
  if (isSection) {
    leaf.see(CDATA | SECTION)
    leaf.start += SECTION_OPEN.length
  }
  leaf.finish(end, feed)
  return tag + name.length + '</>'.length
}

const LESS_THAN = 0x3c
const SLASH = 0x2f
const GREATER_THAN = 0x3e

/** Whether exactly `</name>` stands here, without a space in it. */
function isEndTag(source: string, at: number, name: string): boolean {
  if (source.charCodeAt(at) !== LESS_THAN || source.charCodeAt(at + 1) !== SLASH) return false
  return source.charCodeAt(at + 2 + name.length) === GREATER_THAN && source.startsWith(name, at + 2)
}
