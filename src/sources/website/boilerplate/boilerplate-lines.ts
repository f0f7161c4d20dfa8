/**
 * Removes boilerplate lines anywhere in the text: labels, link lines, "read more" pointers, appeals, credits, notices.
 * These lines are kept as the author's even if they look like boilerplate:
 * - list items after a line that ends with a colon;
 * - a label such as "Search" in a list of other words;
 * - a heading above a text.
 */
import { type Block, isAuthorData } from '../blocks/block.ts'
import { endsSentence, isParagraph } from '../blocks/paragraphs.ts'
import { entryLevels } from '../lists/list-page.ts'
import {
  APPEAL,
  BOX_HEADING,
  CLOSING_HEADING,
  COOKIE_NOTICE,
  COOKIE_WORDS,
  COPYRIGHT,
  CREDIT,
  FILE_LINK,
  IS_URL,
  LABEL_LINE,
  POINTER,
  SHARE_LINE,
} from './phrases.ts'

/** `links`: what a line that is only a link means on this page. */
export function dropBoilerplateLines(
  blocks: readonly Block[],
  { links }: { links: 'boilerplate' | 'entries' } = { links: 'boilerplate' },
): Block[] {
  const kept: Block[] = []
  const lastHeading = blocks.findLastIndex(
    ({ kind, text }) => kind === 'heading' && !CLOSING_HEADING.test(text) && !BOX_HEADING.test(text),
  )
  const last = Math.max(lastHeading, blocks.findLastIndex(isParagraph))
  const listed = wordsInLists(blocks)
  const levels = entryLevels(blocks)
  let isIntroduced = false
  for (const [at, block] of blocks.entries()) {
    const isOwn =
      (block.kind === 'item' && (isIntroduced ? isShortItem(block) : listed.has(at))) ||
      headsText(block, blocks[at + 1], { chapters: at < lastHeading, text: at < last })
    const isEntry = links === 'entries' && isOnlyLink(block) && !isLabel(block.text)
    const isTeaser = links === 'boilerplate' && !levels.has(block.level) && isTeaserHeading(block, blocks[at + 1])
    if (isOwn || isEntry || !(isBoilerplateLine(block) || isTeaser)) kept.push(block)
    if (block.kind !== 'item' || !isShortItem(block)) isIntroduced = introduces(block)
  }
  return kept
}

const introduces = ({ text }: Block): boolean =>
  /[:：]$/.test(text) && ![BOX_HEADING, POINTER, LABEL_LINE, APPEAL].some((pattern) => pattern.test(text))

const isShortItem = ({ text, linkShare }: Block): boolean => linkShare > 0.9 || isLabel(text)

const isLabel = (text: string): boolean => text.length <= 60 && LABEL_LINE.test(text)

/** Whether "Comments", "Video" or "Search" is the heading of a chapter. A closing heading is one only if more chapters follow. */
function headsText(block: Block, next: Block | undefined, follow: { chapters: boolean; text: boolean }): boolean {
  if (block.kind !== 'heading' || !next || next.kind === 'heading') return false
  if (CLOSING_HEADING.test(block.text) && (!follow.chapters || /\d/.test(block.text))) return false
  return isParagraph(next) || (follow.text && next.kind === 'text' && isSentence(next) && !isBoilerplateLine(next))
}

const isSentence = ({ text, linkShare }: Block): boolean => linkShare < 0.3 && /\s\S+[.!?。！？]$/u.test(text)

/** Indexes of items without a link in lists where a few items look like labels but most do not. */
function wordsInLists(blocks: readonly Block[]): Set<number> {
  const words = new Set<number>()
  for (let from = 0; from < blocks.length; ) {
    let to = from
    while (blocks[to]?.kind === 'item') to++
    const plain = blocks.slice(from, to).filter(({ linkShare }) => linkShare === 0)
    const labels = plain.filter(({ text }) => isLabel(text)).length
    if (labels > 0 && plain.length - labels > (to - from) / 2)
      for (let at = from; at < to; at++) if (blocks[at]?.linkShare === 0) words.add(at)
    from = Math.max(to, from + 1)
  }
  return words
}

function isBoilerplateLine(block: Block): boolean {
  const { text, linkShare } = block
  if (isAuthorData(block)) return false
  if (isLabel(text) || (text.length <= 200 && SHARE_LINE.test(text))) return true
  if (text.length <= 300 && (COPYRIGHT.test(text) || (text.length <= 200 && CREDIT.test(text)))) return true
  if (isOnlyLink(block)) return true
  if (POINTER.test(text) && (linkShare > 0.3 || text.length < 120)) return true
  return (text.length <= 250 && APPEAL.test(text)) || (text.length <= 400 && isCookieNotice(text))
}

/** A linked heading with a text below it heads a chapter. Before other links or headings it leads to another story. */
const isTeaserHeading = ({ kind, linkShare }: Block, next: Block | undefined): boolean =>
  kind === 'heading' &&
  linkShare > 0.9 &&
  next !== undefined &&
  (next.linkShare > 0.9 || (next.kind === 'heading' && next.linkShare > 0.5))

const isOnlyLink = ({ text, kind, linkShare }: Block): boolean =>
  linkShare > 0.9 &&
  kind !== 'heading' &&
  !IS_URL.test(text) &&
  !FILE_LINK.test(text) &&
  (text.length < 25 || !endsSentence(text))

/** "We use cookies ..." may also come from a baker, so a longer text must mention a website's words as well. */
const isCookieNotice = (text: string): boolean =>
  COOKIE_NOTICE.test(text) && (!/^we\b/i.test(text) || text.length <= 60 || COOKIE_WORDS.test(text))
