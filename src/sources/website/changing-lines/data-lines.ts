/**
 * Numbers, results, dates and times that are what the text is about: opening hours, a draw, an election, a date under "When".
 * By themselves they look like counters and stamps; told by their place: in a list or after a term, under a heading of the text,
 * among several broken lines. Before the first paragraph, where sites put their stamps, more is asked of a list.
 */
import type { Block } from '../blocks/blocks.ts'
import { isParagraph } from '../blocks/paragraphs.ts'
import { LABEL_LINE } from '../page-furniture/phrases.ts'
import { bearsDate, isDay, isFigure, isSpan, isStampLabel, isVolatile } from './changing-lines.ts'
import { isCounter, isCounterLabel } from './counters.ts'

const SEVERAL = 3
const HEADING_CHARS = 60

/** The same blocks, those of the author's figures as `data`. */
export function markData(blocks: readonly Block[]): Block[] {
  const first = blocks.findIndex(isParagraph)
  const last = blocks.findLastIndex(isParagraph)
  const marked = [...blocks]
  const dated = datesOfEntries(blocks)
  for (let at = 0; at < blocks.length; ) {
    const end = runEnd(blocks, at)
    const run = blocks.slice(at, end)
    const before = blocks[at - 1]
    const isData =
      isAuthors(run, before, { isLead: at < first && !isChapter(before, blocks[end]), isTail: at > last }) ||
      (at >= first && isCard(blocks, at))
    const isDated = isSchedule(run)
    for (const [index, block] of run.entries()) {
      const { text } = block
      const isOwn = isSpan(text) || (isData && isFigure(text)) || (isDated && bearsDate(text)) || dated.has(at + index)
      if (isOwn) marked[at + index] = { ...block, kind: 'data' }
    }
    at = end
  }
  return marked
}

/** Items of one list, lines of one paragraph; else the block alone. */
function runEnd(blocks: readonly Block[], start: number): number {
  const kind = blocks[start]?.kind
  let end = start + 1
  while (
    (kind === 'item' || kind === 'text') &&
    blocks[end]?.kind === kind &&
    (kind === 'item' || blocks[end]?.gap === '\n')
  )
    end++
  return end
}

/** Between two headings of one level, below the title: "When", then "Where". */
const isChapter = (before: Block | undefined, after: Block | undefined): boolean =>
  before?.kind === 'heading' && after?.kind === 'heading' && before.level === after.level && (before.level ?? 1) > 1

type Place = { isLead: boolean; isTail: boolean }

function isAuthors(run: readonly Block[], before: Block | undefined, { isLead, isTail }: Place): boolean {
  const [{ kind, text } = { kind: 'row', text: '' }] = run
  const figures = run.filter((block) => isFigure(block.text)).length
  if (figures === 0 || kind === 'row' || kind === 'code' || kind === 'heading' || run.some(isControl)) return false
  const heads = before !== undefined && announces(before)
  const bare = run.filter((block) => isBare(block.text)).length
  if (kind === 'definition') return heads && !(isLead && !isBare(text))
  if (isLead) return kind === 'item' && figures >= (bare > 0 ? SEVERAL : 2) && figures >= run.length / 2
  if (before?.kind === 'heading' && heads) return true
  if (kind === 'text') return run.length >= SEVERAL && figures >= 2
  return heads || bare === 0 || (!isTail && figures >= 2)
}

/** Days under or over several headings of one level: when each of these things takes place, or was written. */
function datesOfEntries(blocks: readonly Block[]): ReadonlySet<number> {
  const byLevel = new Map<number, number[]>()
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind !== 'text' || !isDay(text)) continue
    const heading = [blocks[at - 1], blocks[at + 1]].find((block) => block?.kind === 'heading')
    const level = heading?.level ?? 1
    if (level > 1) byLevel.set(level, [...(byLevel.get(level) ?? []), at])
  }
  return new Set([...byLevel.values()].filter((lines) => lines.length >= SEVERAL).flat())
}

/** Several lines that each tell when: a stamp stands alone. */
function isSchedule(run: readonly Block[]): boolean {
  if (run.length < SEVERAL) return false
  const dated = run.filter(({ text, linkShare }) => linkShare < 0.5 && bearsDate(text) && !isStampLabel(text)).length
  return dated >= SEVERAL && dated >= run.length / 2 && !run.some(isControl)
}

const isBare = (text: string): boolean => /^[+#]?[\d.,\s]+[km]?$/iu.test(text)

/** One of several numbers that each stand under a label of their own. */
function isCard(blocks: readonly Block[], at: number): boolean {
  const isPair = (number: number): boolean => {
    const [label, block] = [blocks[number - 1], blocks[number]]
    return block?.kind === 'text' && isBare(block.text) && label !== undefined && isCardLabel(label)
  }
  return isPair(at) && (isPair(at - 2) || isPair(at + 2))
}

const isCardLabel = (block: Block): boolean =>
  announces(block) && block.text.length <= 40 && /\p{L}/u.test(block.text) && !isVolatile(block.text)

/** A term, a heading of the text, a line that ends in a colon. */
function announces({ kind, text, linkShare }: Block): boolean {
  if (linkShare > 0.5 || isStampLabel(text) || isCounterLabel(text) || LABEL_LINE.test(text)) return false
  if (kind === 'heading' && text.length <= HEADING_CHARS && isCounter(text)) return false
  return kind === 'heading' || kind === 'data' || kind === 'definition' || kind === 'text'
}

/** A button, a link, a counter: the list is one of controls. */
const isControl = ({ text, linkShare }: Block): boolean =>
  linkShare > 0.5 || LABEL_LINE.test(text) || isCounterLabel(text) || (isVolatile(text) && !isFigure(text))
