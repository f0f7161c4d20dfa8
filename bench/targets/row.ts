// One line of the table: what was measured, beside which contender, and whether the aim is met.
import type { Figure } from '../figures.ts'

export interface Row {
  /** Names the row in comparisons of two runs, so it has nothing that was measured. */
  readonly target: string
  /** Such as which of several was the slowest. */
  readonly detail?: string
  readonly measured: Figure
  readonly contender: Figure | null
  /** How many times what the contender takes, or how many times as fast: the aim says which. */
  readonly ratio: number | null
  /** null: shown only to compare. */
  readonly aim: string | null
  readonly isMet: boolean | null
}

export type Bound = readonly [kind: 'under' | 'at most' | 'at least', limit: number]

function holds([kind, limit]: Bound, value: number): boolean {
  switch (kind) {
    case 'under':
      return value < limit
    case 'at most':
      return value <= limit
    case 'at least':
      return value >= limit
    default:
      return kind satisfies never
  }
}

/** Judged by the median. */
export function valueRow(target: string, measured: Figure, bound: Bound, contender: Figure | null = null): Row {
  const aim = `${bound.join(' ')} ${measured.unit}`
  return { ...rowWithoutAim(target, measured, contender), aim, isMet: holds(bound, measured.median) }
}

/** Judged by how many times what the contender takes. */
export function ratioRow(target: string, measured: Figure, contender: Figure, bound: Bound): Row {
  const ratio = measured.median / contender.median
  return { target, measured, contender, ratio, aim: `${bound.join(' ')} times`, isMet: holds(bound, ratio) }
}

/** Judged by how many times as fast as the contender. */
export function speedRow(target: string, measured: Figure, contender: Figure, bound: Bound): Row {
  const ratio = contender.median / measured.median
  return { target, measured, contender, ratio, aim: `${bound.join(' ')} times as fast`, isMet: holds(bound, ratio) }
}

export function rowWithoutAim(target: string, measured: Figure, contender: Figure | null = null): Row {
  const ratio = contender && measured.median / contender.median
  return { target, measured, contender, ratio, aim: null, isMet: null }
}
