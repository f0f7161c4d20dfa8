// The middle of several measurements, and how far they lie apart.

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
  /** One of each round, in their order. */
  readonly values: readonly number[]
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), least: Math.min(...values), most: Math.max(...values), values }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** The least value that this share of all does not exceed. */
export function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
