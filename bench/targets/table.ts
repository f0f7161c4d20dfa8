// The table of all rows, for people.
import { digits, type Figure, spreadText } from '../figures.ts'
import type { Row } from './row.ts'

const HEAD = ['target', 'median (least to most)', 'contender', 'ratio', 'aim', 'met']

/** Small sizes say nothing about aims. */
export function tableOf(rows: readonly Row[], isQuick: boolean): readonly string[] {
  return aligned([HEAD, ...rows.map((row) => cellsOf(row, isQuick))])
}

function cellsOf({ target, detail, measured, contender, ratio, aim, isMet }: Row, isQuick: boolean): readonly string[] {
  const verdict = isMet ? 'yes' : 'no'
  return [
    detail === undefined ? target : `${target} (${detail})`,
    spreadText(measured, measured.unit),
    contender ? contenderText(contender) : '',
    ratio === null ? '' : `${ratio.toFixed(2)}x`,
    aim ?? '',
    aim === null ? '' : isQuick ? 'not judged' : verdict,
  ]
}

/** Without the document, which stands in the first column. */
function contenderText({ name, median, unit }: Figure): string {
  return `${name.slice(name.indexOf(': ') + 1).trim()} ${digits(median, unit)} ${unit}`
}

/** Columns are as wide as what stands in them. */
export function aligned(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
