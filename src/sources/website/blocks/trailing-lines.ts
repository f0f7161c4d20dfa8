/**
 * Removes trailing lines after the last paragraph: headings without text, dates, bylines, links, single words of the site.
 * A short last line is kept if it looks like the author's: a signature, the end of a broken line, an email address,
 * a file link, or words of a sentence.
 */

import { BYLINE, CREW, FILE_LINK, IS_URL } from '../boilerplate/phrases.ts'
import { isDateLine } from '../changing-lines/changing-lines.ts'
import { endsWithEntries } from '../lists/list-page.ts'
import { type Block, isAuthorData } from './block.ts'
import { endsSentence } from './paragraphs.ts'

export function dropTrailingLines(blocks: readonly Block[]): Block[] {
  if (endsWithEntries(blocks)) return [...blocks]
  let end = blocks.length
  const isRepeated = repeatedLines(blocks)
  while (end > 0 && isTrailingLine(blocks[end - 1], blocks[end - 2]) && !isRepeated(blocks[end - 1])) end--
  return end === 0 ? [...blocks] : blocks.slice(0, end)
}

/** Returns a test for short lines that repeat with other numbers: "Room 4", "Room 5", "Room 7". */
function repeatedLines(blocks: readonly Block[]): (block: Block | undefined) => boolean {
  const shapeOf = ({ text, kind, linkShare }: Block): string | null =>
    kind === 'text' && linkShare === 0 && text.length < 30 && /\p{L}.*\d/u.test(text) && !isDateLine(text)
      ? text.replace(/\d+/g, '0')
      : null
  const counts = new Map<string | null, number>()
  for (const block of blocks) counts.set(shapeOf(block), (counts.get(shapeOf(block)) ?? 0) + 1)
  return (block) => block !== undefined && shapeOf(block) !== null && (counts.get(shapeOf(block)) ?? 0) >= MIN_REPEATS
}
const MIN_REPEATS = 3

export const isByline = (text: string): boolean => text.length <= 150 && BYLINE.test(text)

function isTrailingLine(block: Block | undefined, before: Block | undefined): boolean {
  if (!block || isAuthorData(block)) return false
  const { text, kind, linkShare } = block
  if (kind === 'heading' || isDateLine(text) || isByline(text) || (text.length <= 250 && CREW.test(text))) return true
  if (linkShare > 0.5) return text.length < 200 && !IS_URL.test(text) && !FILE_LINK.test(text)
  return text.length < 30 && kind === 'text' && !endsSentence(text) && !isAuthorsLastLine(block, before)
}

/** A signature, an email address, a line of a verse, or words in the order and case of a sentence. */
const isAuthorsLastLine = ({ text, gap, linkShare }: Block, before: Block | undefined): boolean =>
  linkShare === 0 &&
  (/^[—–-]\s?\p{L}/u.test(text) ||
    /\S@[^\s@]+\.\p{L}/u.test(text) ||
    (gap === '\n' && before?.kind === 'text' && !isDateLine(before.text)) ||
    /^\p{Lu}\p{Ll}*(?: \p{Ll}+){2,}$/u.test(text))
