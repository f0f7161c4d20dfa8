/**
 * What trails after the last paragraph: headings with nothing under them, dates, bylines, links, lone words of the site.
 * A last short line is the author's where it shows: it is signed, broken off a longer one, an address, a file, or words of a sentence.
 */

import { isDateLine } from '../changing-lines/changing-lines.ts'
import { endsWithEntries } from '../lists/listing.ts'
import { BYLINE, CREW, FILE_LINK, IS_URL } from '../page-furniture/phrases.ts'
import { type Block, isGiven } from './blocks.ts'
import { endsSentence } from './paragraphs.ts'

export function trimEnd(blocks: readonly Block[]): Block[] {
  if (endsWithEntries(blocks)) return [...blocks]
  let end = blocks.length
  const isOneOfMany = recurring(blocks)
  while (end > 0 && isTrailer(blocks[end - 1], blocks[end - 2]) && !isOneOfMany(blocks[end - 1])) end--
  return end === 0 ? [...blocks] : blocks.slice(0, end)
}

/** Tells of a short line whether others say the same with other figures: "Room 4", "Room 5", "Room 7". */
function recurring(blocks: readonly Block[]): (block: Block | undefined) => boolean {
  const shapeOf = ({ text, kind, linkShare }: Block): string | null =>
    kind === 'text' && linkShare === 0 && text.length < 30 && /\p{L}.*\d/u.test(text) && !isDateLine(text)
      ? text.replace(/\d+/g, '0')
      : null
  const counts = new Map<string | null, number>()
  for (const block of blocks) counts.set(shapeOf(block), (counts.get(shapeOf(block)) ?? 0) + 1)
  return (block) => block !== undefined && shapeOf(block) !== null && (counts.get(shapeOf(block)) ?? 0) >= SEVERAL
}
const SEVERAL = 3

export const isByline = (text: string): boolean => text.length <= 150 && BYLINE.test(text)

function isTrailer(block: Block | undefined, before: Block | undefined): boolean {
  if (!block || isGiven(block)) return false
  const { text, kind, linkShare } = block
  if (kind === 'heading' || isDateLine(text) || isByline(text) || (text.length <= 250 && CREW.test(text))) return true
  if (linkShare > 0.5) return text.length < 200 && !IS_URL.test(text) && !FILE_LINK.test(text)
  return text.length < 30 && kind === 'text' && !endsSentence(text) && !isLastWord(block, before)
}

/** A signature, an address, a line of a verse, words in a sentence's order and case. */
const isLastWord = ({ text, gap, linkShare }: Block, before: Block | undefined): boolean =>
  linkShare === 0 &&
  (/^[—–-]\s?\p{L}/u.test(text) ||
    /\S@\S+\.\p{L}/u.test(text) ||
    (gap === '\n' && before?.kind === 'text' && !isDateLine(before.text)) ||
    /^\p{Lu}\p{Ll}*(?: \p{Ll}+){2,}$/u.test(text))
