// Tables that fit the terminal. Text from outside is escaped, and the widest columns are shortened first. Without a terminal
// nothing is shortened.
import { escapeForTerminal } from '../../log.ts'

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** Never shortened. */
  readonly fixed?: true
}

const GAP = 2
const MIN_WIDTH = 8

export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const cells = rows.map((row) => row.map(escapeForTerminal))
  const natural = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  )
  const widths = width === undefined ? natural : fit(natural, columns, width)
  const line = (texts: readonly string[]) =>
    columns
      .map(({ align }, index) => pad(cut(texts[index] ?? '', widths[index] ?? 0), widths[index] ?? 0, align))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].map((text) => `${text}\n`).join('')
}

function fit(natural: readonly number[], columns: readonly Column[], width: number): number[] {
  const widths = [...natural]
  const room = width - GAP * (columns.length - 1)
  while (sum(widths) > room) {
    const shrinkable = widths.map((each, index) => (columns[index]?.fixed ? 0 : each))
    const widest = Math.max(...shrinkable)
    if (widest <= MIN_WIDTH) break
    const second = Math.max(MIN_WIDTH, ...shrinkable.filter((each) => each < widest))
    const index = shrinkable.indexOf(widest)
    widths[index] = Math.max(second - 1, MIN_WIDTH, widest - (sum(widths) - room))
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
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

function pad(text: string, width: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'right' ? space + text : text + space
}

// East Asian wide characters and emoji take two cells, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

function displayWidth(text: string): number {
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
