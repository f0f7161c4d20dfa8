// Tables that fit the terminal. Text from outside is escaped. Without a terminal nothing is shortened.
import { escapeForTerminal } from '../../log.ts'
import { type Paint, painter, type Tone } from './colour.ts'
import { fitTable, GAP, type LayoutColumn } from './layout.ts'

export interface Column extends LayoutColumn {
  /** Colours a cell by what it says. */
  tone?(text: string): Tone | null
}

export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  paint: Paint = painter(false),
): string {
  const plain = rows.map((row) => row.map(escapeForTerminal))
  const shortened = () => plain.map((row) => row.map((text, index) => columns[index]?.shorten?.(text) ?? text))
  const measure = (isShortened: boolean) => naturalWidths(columns, isShortened ? shortened() : plain)
  const { shown, widths, isShortened } = fitTable(columns, measure, width)
  const below = columns.flatMap((column, index) => (column.below && !shown.includes(index) ? [index] : []))

  const cell = (text: string, index: number, tone: Tone | null) => {
    const room = widths[index] ?? 0
    const kept = columns[index]?.key ? text : cut(text, room)
    return pad(paint(tone, kept), room - displayWidth(kept), columns[index]?.align)
  }
  const line = (cells: readonly string[]) => cells.join(' '.repeat(GAP)).trimEnd()
  const head = line(shown.map((index) => cell(columns[index]?.title ?? '', index, 'strong')))
  const body = (isShortened ? shortened() : plain).flatMap((row) => {
    const { above, lines, below: long } = rowLines(columns, shown, widths, row)
    const toneOf = (index: number) => columns[index]?.tone?.(row[index] ?? '') ?? null
    return [
      ...above.map((index) => paint(toneOf(index), row[index] ?? '')),
      ...lines.map((texts) => line(shown.map((index, at) => cell(texts[at] ?? '', index, toneOf(index))))),
      ...[...long, ...below].flatMap((index) => (row[index] ? [BELOW + paint('faint', row[index])] : [])),
    ]
  })
  return [head, ...body].map((text) => `${text}\n`).join('')
}

const BELOW = '  '

/** The lines of one row, each with a text for every column that is shown, and the columns whose text stands apart. */
function rowLines(
  columns: readonly Column[],
  shown: readonly number[],
  widths: readonly number[],
  row: readonly string[],
): { readonly above: number[]; readonly lines: string[][]; readonly below: number[] } {
  const isTooLong = (index: number, text: string) => displayWidth(text) > (widths[index] ?? 0)
  const textOf = (index: number) => row[index] ?? ''
  const above = shown.filter((index) => columns[index]?.key && isTooLong(index, textOf(index))).slice(0, 1)
  const below = shown.filter(
    (index) =>
      columns[index]?.wraps &&
      textOf(index)
        .split(' ')
        .some((word) => isTooLong(index, word)),
  )
  const cells = shown.map((index) => {
    if (above.includes(index) || below.includes(index)) return ['']
    return columns[index]?.wraps ? wrapped(textOf(index), widths[index] ?? 0) : [textOf(index)]
  })
  const height = Math.max(...cells.map((texts) => texts.length))
  const lines = Array.from({ length: height }, (_, at) => cells.map((texts) => texts[at] ?? ''))
  return { above, lines, below }
}

/** Between words. No word is longer than the width. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  return columns.map(({ title }, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(title)),
  )
}

export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += displayWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

function pad(text: string, missing: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, missing))
  return align === 'right' ? space + text : text + space
}

// East Asian wide characters and emoji take two cells, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const ASCII = /^[\x20-\x7e]*$/

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
