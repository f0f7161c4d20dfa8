/**
 * The cleaning pass over an article's blocks, in this order: boxes under a heading of their own, while the headings are there;
 * lines that are furniture wherever they stand; the lead-in (title again, byline, date) before the first paragraph; what trails after the last one.
 * If that leaves too little, the page is a list rather than an article, and only volatile lines are taken out.
 */

import { bearsDate, isDateLine, isFigure, isVolatile } from '../changing-lines/changing-lines.ts'
import { markData } from '../changing-lines/data-lines.ts'
import { bearsMoment } from '../changing-lines/relative-times.ts'
import { listHeadings } from '../lists/list-headings.ts'
import { isListing } from '../lists/listing.ts'
import { fold } from '../page-furniture/fold.ts'
import { dropFurniture } from '../page-furniture/furniture-lines.ts'
import { BOX_HEADING, CLOSING_HEADING } from '../page-furniture/phrases.ts'
import { type Block, isGiven, sizeOf, weightOf } from './blocks.ts'
import { endsSentence, isParagraph } from './paragraphs.ts'
import { isByline, trimEnd } from './trailing-lines.ts'

const LEFT_AT_LEAST = 0.3
const LINE_CHARS = 120

export function cleanBlocks(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const steady = withoutVolatile(blocks)
  const cleaned = isListing(steady)
    ? dropFurniture(steady, { links: 'entries' })
    : trimEnd(trimStart(dropFurniture(withoutVolatile(dropBoxes(blocks))), titles))
  return sizeOf(cleaned) >= sizeOf(steady) * LEFT_AT_LEAST ? cleaned : steady
}

/** What a page says besides its headings is never nothing but volatile: then its figures are what it is about. */
export function withoutVolatile(blocks: readonly Block[]): Block[] {
  const steady = markData(blocks).filter((block) => (isGiven(block) ? !isPassing(block) : !isMoving(block)))
  if (steady.some(({ kind }) => kind !== 'heading')) return steady
  const figures = blocks.filter((block) => isGiven(block) || isFigure(block.text) || !isMoving(block))
  return figures.length > 0 ? figures : [...blocks]
}

/** A row that is nothing but how long ago, who and how many; no table is about that. */
const isPassing = ({ kind, text }: Block): boolean => kind === 'row' && isVolatile(text) && bearsMoment(text)

const isMoving = ({ text, hasMoment }: Block): boolean =>
  isVolatile(text) || (hasMoment === true && text.length <= LINE_CHARS && !endsSentence(text))

/**
 * A box heading takes with it the short and linked lines up to the next paragraph; a closing heading takes all that follows,
 * unless headings of the article follow: comments come last, a chapter about comments does not.
 */
function dropBoxes(blocks: readonly Block[]): Block[] {
  const total = sizeOf(blocks)
  const lastHeading = blocks.findLastIndex(({ kind, text }) => kind === 'heading' && !isBoxTitle(text))
  const kept: Block[] = []
  let keptSize = 0
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!block) break
    const short = !isGiven(block) && (block.kind === 'heading' || block.text.length <= 60)
    if (short && at > lastHeading && keptSize > total * 0.5 && CLOSING_HEADING.test(block.text)) return kept
    if (short && BOX_HEADING.test(block.text)) {
      for (let next = blocks[at + 1]; next && isTeaser(next); next = blocks[at + 1]) at++
    } else {
      kept.push(block)
      keptSize += weightOf(block.text)
    }
  }
  return kept
}

const isBoxTitle = (text: string): boolean => CLOSING_HEADING.test(text) || BOX_HEADING.test(text)

const isTeaser = (block: Block): boolean =>
  !isGiven(block) &&
  !(block.kind === 'heading' && block.linkShare < 0.5) &&
  !isParagraph(block) &&
  (block.linkShare > 0.5 || block.kind === 'item' || !endsSentence(block.text))

function trimStart(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const first = blocks.findIndex(isParagraph)
  if (first <= 0) return [...blocks]
  const same = new Set(titles.map(fold))
  const isOneOfMany = listHeadings(blocks)
  const lead = blocks
    .slice(0, first)
    .filter(
      (block) => block.kind === 'data' || (!same.has(fold(block.text)) && (!isLeadIn(block) || isOneOfMany(block))),
    )
  return [...lead, ...blocks.slice(first)]
}

const isLeadIn = (block: Block): boolean =>
  isDateLine(block.text) ||
  isByline(block.text) ||
  (!endsSentence(block.text) &&
    (block.linkShare > 0.5 ||
      (block.text.length <= LINE_CHARS &&
        (bearsDate(block.text) ||
          bearsMoment(block.text) ||
          (block.kind === 'text' && NAME_AND_AGE.test(block.text)) ||
          /^(?:by|von|par|por)\s\p{Lu}/iu.test(block.text)))))

/** "bob 3h", "bob3h": how forums head a post. */
const NAME_AND_AGE = /^\p{L}\S{0,20}?\s?(?<!\d)\d{1,2}(?:m|min|h|d|mo|y)$/u
