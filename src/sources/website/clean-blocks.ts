/**
 * The cleaning pass over an article's blocks, in this order: lines that are furniture wherever they stand; boxes under a
 * heading of their own; the lead-in (title again, byline, date) before the first paragraph; what trails after the last one.
 * If that leaves too little, the page is a list rather than an article, and only volatile lines are taken out.
 */
import { type Block, sizeOf, weightOf } from './blocks.ts'
import {
  APPEAL,
  BOX_HEADING,
  BYLINE,
  CLOSING_HEADING,
  COPYRIGHT,
  CREDIT,
  CREW,
  LABEL_LINE,
  POINTER,
} from './phrases.ts'
import { bearsDate, isDateLine, isVolatile } from './stamps.ts'

const PARAGRAPH_CHARS = 80
const LEFT_AT_LEAST = 0.3

const IS_URL = /^(?:https?:\/\/|www\.)\S+$/i
const endsSentence = (text: string): boolean => /[.!?…。！？"”’»)\]:]\s*$/u.test(text)
/** Rows and code are the author's whatever they look like: a number there is data. */
const isGiven = (block: Block): boolean => block.kind === 'row' || block.kind === 'code'
const isParagraph = (block: Block): boolean =>
  block.kind !== 'heading' &&
  block.linkShare < 0.5 &&
  weightOf(block.text) >= PARAGRAPH_CHARS &&
  /[.!?…。！？]/u.test(block.text)

export function cleanBlocks(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const steady = withoutVolatile(blocks)
  const cleaned = trimEnd(trimStart(dropBoxes(dropFurniture(steady)), titles))
  return sizeOf(cleaned) >= sizeOf(steady) * LEFT_AT_LEAST ? cleaned : steady
}

export const withoutVolatile = (blocks: readonly Block[]): Block[] =>
  blocks.filter((block) => isGiven(block) || !isVolatile(block.text))

/** Links that a line of the article announces with a colon are the author's list. */
function dropFurniture(blocks: readonly Block[]): Block[] {
  const kept: Block[] = []
  let announced = false
  for (const block of blocks) {
    const isListedLink = block.kind === 'item' && block.linkShare > 0.9
    if ((isListedLink && announced) || !isFurnitureLine(block)) kept.push(block)
    if (!isListedLink)
      announced = /[:：]$/.test(block.text) && !BOX_HEADING.test(block.text) && !POINTER.test(block.text)
  }
  return kept
}

function isFurnitureLine(block: Block): boolean {
  const { text, kind, linkShare } = block
  if (isGiven(block)) return false
  if (LABEL_LINE.test(text)) return true
  if (text.length <= 300 && (COPYRIGHT.test(text) || (CREDIT.test(text) && text.length <= 200))) return true
  if (linkShare > 0.9 && kind !== 'heading' && !IS_URL.test(text) && (text.length < 25 || !endsSentence(text)))
    return true
  if (POINTER.test(text) && (linkShare > 0.3 || text.length < 120)) return true
  return APPEAL.test(text) && text.length <= 250
}

/** A box heading takes with it the short and linked lines up to the next paragraph; a closing heading takes all that follows. */
function dropBoxes(blocks: readonly Block[]): Block[] {
  const total = sizeOf(blocks)
  const kept: Block[] = []
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!block) break
    const short = !isGiven(block) && (block.kind === 'heading' || block.text.length <= 60)
    if (short && CLOSING_HEADING.test(block.text) && sizeOf(kept) > total * 0.5) return kept
    if (short && BOX_HEADING.test(block.text)) {
      let next = at + 1
      for (let other = blocks[next]; other && isTeaser(other); other = blocks[next]) next++
      at = next - 1
    } else kept.push(block)
  }
  return kept
}

const isTeaser = (block: Block): boolean =>
  !isGiven(block) &&
  !(block.kind === 'heading' && block.linkShare < 0.5) &&
  !isParagraph(block) &&
  (block.linkShare > 0.5 || block.kind === 'item' || !endsSentence(block.text))

function trimStart(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const first = blocks.findIndex(isParagraph)
  if (first <= 0) return [...blocks]
  const same = new Set(titles.map(fold))
  const lead = blocks.slice(0, first).filter((block) => !same.has(fold(block.text)) && !isLeadIn(block))
  return [...lead, ...blocks.slice(first)]
}

const isLeadIn = (block: Block): boolean =>
  isDateLine(block.text) ||
  BYLINE.test(block.text) ||
  (!endsSentence(block.text) &&
    (block.linkShare > 0.5 ||
      (block.text.length <= 120 && (bearsDate(block.text) || /^(?:by|von|par|por)\s\p{Lu}/iu.test(block.text)))))

const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function trimEnd(blocks: readonly Block[]): Block[] {
  let end = blocks.length
  while (end > 0 && isTrailer(blocks[end - 1])) end--
  return end === 0 ? [...blocks] : blocks.slice(0, end)
}

function isTrailer(block: Block | undefined): boolean {
  if (!block || isGiven(block)) return false
  const { text, kind, linkShare } = block
  if (kind === 'heading' || isDateLine(text) || BYLINE.test(text) || CREW.test(text)) return true
  return (linkShare > 0.5 && text.length < 200) || (text.length < 30 && kind === 'text' && !endsSentence(text))
}
