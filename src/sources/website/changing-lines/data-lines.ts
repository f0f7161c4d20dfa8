/**
 * Marks numbers, scores, dates and times that are part of the text: opening hours, results, a date under "When".
 * Alone on a line they look like counters and timestamps. Their position decides:
 * in a list, after a term, under a heading of the text, or among several short lines.
 * Sites put timestamps before the first paragraph, so the rules for lists are stricter there.
 */
import type { Block } from '../blocks/block.ts'
import { isParagraph } from '../blocks/paragraphs.ts'
import { LABEL_LINE } from '../boilerplate/phrases.ts'
import {
  containsDate,
  isCalendarDay,
  isChangingLine,
  isNumberOrDate,
  isTimeRange,
  isTimestampLabel,
} from './changing-lines.ts'
import { isCounter, isCounterLabel } from './counters.ts'

const MIN_SIMILAR_LINES = 3
const MAX_HEADING_CHARS = 60

/** Returns the same blocks; those that are the author's numbers and dates have the kind `data`. */
export function markAuthorData(blocks: readonly Block[]): Block[] {
  const first = blocks.findIndex(isParagraph)
  const last = blocks.findLastIndex(isParagraph)
  const marked = [...blocks]
  const dated = datesOfEntries(blocks)
  for (let at = 0; at < blocks.length; ) {
    const end = runEnd(blocks, at)
    const run = blocks.slice(at, end)
    const before = blocks[at - 1]
    const isData =
      isDataRun(run, before, { isLead: at < first && !isBetweenHeadings(before, blocks[end]), isTail: at > last }) ||
      (at >= first && isNumberCard(blocks, at))
    const isDated = isSchedule(run)
    for (const [index, block] of run.entries()) {
      const { text } = block
      const isAuthors =
        isTimeRange(text) ||
        (isData && isNumberOrDate(text)) ||
        (isDated && containsDate(text)) ||
        dated.has(at + index)
      if (isAuthors) marked[at + index] = { ...block, kind: 'data' }
    }
    at = end
  }
  return marked
}

/** The end of a run: items of one list, lines of one paragraph, or one block alone. */
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

/** Between two headings of the same level below the title: "When", then "Where". */
const isBetweenHeadings = (before: Block | undefined, after: Block | undefined): boolean =>
  before?.kind === 'heading' && after?.kind === 'heading' && before.level === after.level && (before.level ?? 1) > 1

/** `isLead`: before the first paragraph. `isTail`: after the last one. */
type RunPosition = { isLead: boolean; isTail: boolean }

function isDataRun(run: readonly Block[], before: Block | undefined, { isLead, isTail }: RunPosition): boolean {
  const [{ kind, text } = { kind: 'row', text: '' }] = run
  const numbersAndDates = run.filter((block) => isNumberOrDate(block.text)).length
  if (numbersAndDates === 0 || kind === 'row' || kind === 'code' || kind === 'heading' || run.some(isControl))
    return false
  const isIntroduced = before !== undefined && introduces(before)
  const plainNumbers = run.filter((block) => isPlainNumber(block.text)).length
  if (kind === 'definition') return isIntroduced && !(isLead && !isPlainNumber(text))
  if (isLead)
    return (
      kind === 'item' &&
      numbersAndDates >= (plainNumbers > 0 ? MIN_SIMILAR_LINES : 2) &&
      numbersAndDates >= run.length / 2
    )
  if (before?.kind === 'heading' && isIntroduced) return true
  if (kind === 'text') return run.length >= MIN_SIMILAR_LINES && numbersAndDates >= 2
  return isIntroduced || plainNumbers === 0 || (!isTail && numbersAndDates >= 2)
}

/** Indexes of dates next to headings, if at least three headings of the same level have one: the dates of events or entries. */
function datesOfEntries(blocks: readonly Block[]): ReadonlySet<number> {
  const byLevel = new Map<number, number[]>()
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind !== 'text' || !isCalendarDay(text)) continue
    const heading = [blocks[at - 1], blocks[at + 1]].find((block) => block?.kind === 'heading')
    const level = heading?.level ?? 1
    if (level > 1) byLevel.set(level, [...(byLevel.get(level) ?? []), at])
  }
  return new Set([...byLevel.values()].filter((lines) => lines.length >= MIN_SIMILAR_LINES).flat())
}

/** Several lines with a date each. A timestamp stands alone. */
function isSchedule(run: readonly Block[]): boolean {
  if (run.length < MIN_SIMILAR_LINES) return false
  const dated = run.filter(
    ({ text, linkShare }) => linkShare < 0.5 && containsDate(text) && !isTimestampLabel(text),
  ).length
  return dated >= MIN_SIMILAR_LINES && dated >= run.length / 2 && !run.some(isControl)
}

const isPlainNumber = (text: string): boolean => /^[+#]?[\d.,\s]+[km]?$/iu.test(text)

/** One of several numbers that each have a label above them. */
function isNumberCard(blocks: readonly Block[], at: number): boolean {
  const isPair = (number: number): boolean => {
    const [label, block] = [blocks[number - 1], blocks[number]]
    return block?.kind === 'text' && isPlainNumber(block.text) && label !== undefined && isNumberCardLabel(label)
  }
  return isPair(at) && (isPair(at - 2) || isPair(at + 2))
}

const isNumberCardLabel = (block: Block): boolean =>
  introduces(block) && block.text.length <= 40 && /\p{L}/u.test(block.text) && !isChangingLine(block.text)

/** Whether the block introduces data: a term, a heading or a line of the text, but not a label of the site. */
function introduces({ kind, text, linkShare }: Block): boolean {
  if (linkShare > 0.5 || isTimestampLabel(text) || isCounterLabel(text) || LABEL_LINE.test(text)) return false
  if (kind === 'heading' && text.length <= MAX_HEADING_CHARS && isCounter(text)) return false
  return kind === 'heading' || kind === 'data' || kind === 'definition' || kind === 'text'
}

/** A button, a link or a counter. A list with one of them is a list of controls. */
const isControl = ({ text, linkShare }: Block): boolean =>
  linkShare > 0.5 || LABEL_LINE.test(text) || isCounterLabel(text) || (isChangingLine(text) && !isNumberOrDate(text))
