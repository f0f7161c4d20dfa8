// Questions that share an aim: all have to meet it, so the slowest is judged.
import type { Figure } from '../figures.ts'
import { type Row, valueRow } from './row.ts'

export interface Group {
  readonly target: string
  readonly underMs: number
  readonly figures: readonly Figure[]
}

export function slowestRow({ target, underMs, figures }: Group): Row {
  const slowest = figures.reduce((one, other) => (other.median > one.median ? other : one))
  return { ...valueRow(target, slowest, ['under', underMs]), detail: `slowest: ${questionOf(slowest)}` }
}

/** The names of all that miss the aim. */
export function tooSlow({ underMs, figures }: Group): readonly string[] {
  return figures.filter(({ median }) => median >= underMs).map(questionOf)
}

function questionOf({ name }: Figure): string {
  return name.replace(/, p99 of \d+, CPU$|, CPU$/, '')
}
