// Which columns of a table are shown, and how wide, so that it fits the terminal. First the schemes of addresses give way,
// then columns that can stand below their row, then long texts, then columns that matter less. The column that one looks
// for is never cut.
export interface LayoutColumn {
  readonly title: string
  readonly align?: 'right'
  /** Never shortened. */
  readonly fixed?: true
  /** What one looks for: never shortened and never left out. Texts that are too long get a line of their own. */
  readonly key?: true
  /** May be left out of a narrow table, lowest number first. */
  readonly drop?: number
  /** Continued on further lines instead of cut. A word that is too long for the column stands whole below the row. */
  readonly wraps?: true
  /** In a table that is too wide, whole on a line below its row. */
  readonly below?: true
  /** A shorter way to write a text, for a table that is too wide otherwise. */
  shorten?(text: string): string
}

export interface Layout {
  /** Indexes of the columns that are shown. */
  readonly shown: readonly number[]
  /** By index of the column. */
  readonly widths: readonly number[]
  readonly isShortened: boolean
}

export const GAP = 2
const READABLE = 16
const SMALLEST = 8
const SMALLEST_KEY = 20

export type Measure = (isShortened: boolean) => readonly number[]

export function fitTable(columns: readonly LayoutColumn[], measure: Measure, room: number | undefined): Layout {
  const all = columns.map((_, index) => index)
  const natural = measure(false)
  if (room === undefined || total(natural, all) <= room) return { shown: all, widths: natural, isShortened: false }
  const short = measure(true)
  if (total(short, all) <= room) return { shown: all, widths: short, isShortened: true }
  const inRow = all.filter((index) => !columns[index]?.below)
  const leavingOut = columns
    .flatMap(({ drop }, index) => (drop === undefined ? [] : [{ drop, index }]))
    .sort((a, b) => a.drop - b.drop)
  for (let left = 0; left <= leavingOut.length; left += 1) {
    const gone = new Set(leavingOut.slice(0, left).map(({ index }) => index))
    const shown = inRow.filter((index) => !gone.has(index))
    const isLast = left === leavingOut.length
    const widths = shrink(columns, short, shown, { room, smallest: isLast ? SMALLEST : READABLE })
    if (isLast || total(widths, shown) <= room)
      return { shown, widths: keyWithin(columns, widths, shown, room), isShortened: true }
  }
  throw new Error('unreachable')
}

interface Limits {
  readonly room: number
  readonly smallest: number
}

/** The widest text gives way first. */
function shrink(
  columns: readonly LayoutColumn[],
  natural: readonly number[],
  shown: readonly number[],
  { room, smallest }: Limits,
): number[] {
  const widths = [...natural]
  const flexible = shown.filter((index) => !columns[index]?.fixed && !columns[index]?.key)
  for (;;) {
    const over = total(widths, shown) - room
    const widest = flexible.reduce((best, index) => Math.max(best, widths[index] ?? 0), 0)
    if (over <= 0 || widest <= smallest) return widths
    const index = flexible.find((each) => widths[each] === widest) ?? 0
    const second = flexible.reduce(
      (best, each) => ((widths[each] ?? 0) < widest ? Math.max(best, widths[each] ?? 0) : best),
      0,
    )
    widths[index] = Math.max(second - 1, smallest, widest - over)
  }
}

/** If even that is not enough, the key column is as wide as the rest allows, and longer texts get a line of their own. */
function keyWithin(
  columns: readonly LayoutColumn[],
  widths: readonly number[],
  shown: readonly number[],
  room: number,
): number[] {
  const over = total(widths, shown) - room
  if (over <= 0) return [...widths]
  return widths.map((width, index) =>
    columns[index]?.key ? Math.min(width, Math.max(SMALLEST_KEY, width - over)) : width,
  )
}

function total(widths: readonly number[], shown: readonly number[]): number {
  return shown.reduce((sum, index) => sum + (widths[index] ?? 0), GAP * (shown.length - 1))
}

/** `https://example.org/feed` as `example.org/feed`, also inside a text. */
export function withoutScheme(text: string): string {
  return text.replace(/\bhttps?:\/\/(www\.)?/g, '')
}
