/**
 * Cleans the blocks of an article, in this order:
 * 1. boxes with their own heading ("Related stories"), while their headings are still there;
 * 2. changing lines, then boilerplate lines anywhere in the text;
 * 3. the lead-in before the first paragraph (repeated title, byline, date);
 * 4. trailing lines after the last paragraph.
 * If too little is left, the page is not an article, and only changing lines are removed.
 */

import { dropBoilerplateLines } from '../boilerplate/boilerplate-lines.ts'
import { comparableText, titleParts } from '../boilerplate/comparable-text.ts'
import { BOX_HEADING, CLOSING_HEADING } from '../boilerplate/phrases.ts'
import { containsDate, isChangingLine, isDateLine, isNumberOrDate } from '../changing-lines/changing-lines.ts'
import { markAuthorData } from '../changing-lines/data-lines.ts'
import { containsRelativeTime } from '../changing-lines/relative-times.ts'
import { listHeadings } from '../lists/list-headings.ts'
import { isListPage } from '../lists/list-page.ts'
import { type Block, isAuthorData, textWeight, totalWeight } from './block.ts'
import { endsSentence, isParagraph } from './paragraphs.ts'
import { dropTrailingLines, isByline } from './trailing-lines.ts'

const MIN_SHARE_LEFT = 0.3
const LINE_CHARS = 120

export function cleanBlocks(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const stable = withoutChangingLines(blocks)
  const cleaned = isListPage(stable)
    ? dropBoilerplateLines(stable, { links: 'entries' })
    : dropTrailingLines(dropLeadIn(dropBoilerplateLines(withoutChangingLines(dropBoxes(blocks))), titles))
  return totalWeight(cleaned) >= totalWeight(stable) * MIN_SHARE_LEFT ? cleaned : stable
}

/** If only headings would be left, the page is about its numbers and dates, so they are kept. */
export function withoutChangingLines(blocks: readonly Block[]): Block[] {
  const stable = markAuthorData(blocks).filter((block) =>
    isAuthorData(block) ? !isChangingRow(block) : !isChangingBlock(block),
  )
  if (stable.some(({ kind }) => kind !== 'heading')) return stable
  const withNumbers = blocks.filter(
    (block) => isAuthorData(block) || isNumberOrDate(block.text) || !isChangingBlock(block),
  )
  return withNumbers.length > 0 ? withNumbers : [...blocks]
}

/** A row that contains only a relative time, names and counts. No table is about that. */
const isChangingRow = ({ kind, text }: Block): boolean =>
  kind === 'row' && isChangingLine(text) && containsRelativeTime(text)

const isChangingBlock = ({ text, hasRelativeTime }: Block): boolean =>
  isChangingLine(text) || (hasRelativeTime === true && text.length <= LINE_CHARS && !endsSentence(text))

/**
 * A box heading is removed together with the short and linked lines up to the next paragraph.
 * A closing heading ("Comments") ends the article, unless more headings of the article follow.
 */
function dropBoxes(blocks: readonly Block[]): Block[] {
  const total = totalWeight(blocks)
  const lastHeading = blocks.findLastIndex(({ kind, text }) => kind === 'heading' && !isBoxTitle(text))
  const kept: Block[] = []
  let keptSize = 0
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!block) break
    const short = !isAuthorData(block) && (block.kind === 'heading' || block.text.length <= 60)
    if (short && at > lastHeading && keptSize > total * 0.5 && CLOSING_HEADING.test(block.text)) return kept
    if (short && BOX_HEADING.test(block.text)) {
      for (let next = blocks[at + 1]; next && isTeaser(next); next = blocks[at + 1]) at++
    } else {
      kept.push(block)
      keptSize += textWeight(block.text)
    }
  }
  return kept
}

const isBoxTitle = (text: string): boolean => CLOSING_HEADING.test(text) || BOX_HEADING.test(text)

const isTeaser = (block: Block): boolean =>
  (!isAuthorData(block) || (block.kind === 'row' && block.linkShare > 0.9)) &&
  !(block.kind === 'heading' && block.linkShare < 0.5) &&
  !isParagraph(block) &&
  (block.linkShare > 0.5 || block.kind === 'item' || !endsSentence(block.text))

function dropLeadIn(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const first = blocks.findIndex(isParagraph)
  if (first <= 0) return [...blocks]
  const same = new Set(titles.flatMap(titleParts).map(comparableText))
  const isRepeated = listHeadings(blocks)
  const lead = blocks
    .slice(0, first)
    .filter(
      (block) =>
        block.kind === 'data' || (!same.has(comparableText(block.text)) && (!isLeadIn(block) || isRepeated(block))),
    )
  return [...lead, ...blocks.slice(first)]
}

const isLeadIn = (block: Block): boolean =>
  isDateLine(block.text) ||
  isByline(block.text) ||
  (!endsSentence(block.text) &&
    (block.linkShare > 0.5 ||
      (block.text.length <= LINE_CHARS &&
        (containsDate(block.text) ||
          containsRelativeTime(block.text) ||
          (block.kind === 'text' && NAME_AND_AGE.test(block.text)) ||
          /^(?:by|von|par|por)\s\p{Lu}/iu.test(block.text)))))

/** The first line of a forum post: "bob 3h", "bob3h". */
const NAME_AND_AGE = /^\p{L}\S{0,20}?\s?(?<!\d)\d{1,2}(?:m|min|h|d|mo|y)$/u
