// Counters, gauges and histograms. A figure without labels is there from the beginning, one with labels from its first
// value on.
import { type Figure, type Labels, labelText, lineOf } from './text-format.ts'

type Given<L extends string> = [value: number] | [labels: Labels<L>, value: number]

interface Told {
  readonly name: string
  readonly help: string
}

abstract class Single<L extends string> {
  readonly name: string
  readonly help: string
  readonly #labelNames: readonly L[]
  /** By the text of the labels. */
  readonly #values = new Map<string, number>()

  constructor({ name, help }: Told, labelNames: readonly L[]) {
    this.name = name
    this.help = help
    this.#labelNames = labelNames
    this.reset()
  }

  /** Forgets every series with labels. */
  reset(): void {
    this.#values.clear()
    if (this.#labelNames.length === 0) this.#values.set('', 0)
  }

  lines(): string[] {
    return [...this.#values].map(([labels, value]) => lineOf(this.name, labels, value))
  }

  protected change(labels: Labels<L>, next: (value: number) => number): void {
    const written = labelText(this.#labelNames, labels)
    this.#values.set(written, next(this.#values.get(written) ?? 0))
  }
}

export class Counter<L extends string> extends Single<L> implements Figure {
  readonly type = 'counter'

  inc(...given: [] | [labels: Labels<L>] | Given<L>): void {
    const [labels, by = 1] = split<L>(given)
    this.change(labels, (value) => value + by)
  }
}

export class Gauge<L extends string> extends Single<L> implements Figure {
  readonly type = 'gauge'

  set(...given: Given<L>): void {
    const [labels, value = 0] = split<L>(given)
    this.change(labels, () => value)
  }
}

interface Observed {
  /** By bound: values that are at most as large, and too large for the bound before. */
  readonly counts: number[]
  sum: number
  count: number
}

export class Histogram<L extends string> implements Figure {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #labelNames: readonly L[]
  readonly #bounds: readonly number[]
  readonly #observed = new Map<string, Observed>()

  constructor({ name, help }: Told, labelNames: readonly L[], bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#labelNames = labelNames
    this.#bounds = bounds
    if (labelNames.length === 0) this.#seriesOf('')
  }

  observe(...given: Given<L>): void {
    const [labels, value = 0] = split<L>(given)
    const series = this.#seriesOf(labelText(this.#labelNames, labels))
    const index = this.#bounds.findIndex((bound) => value <= bound)
    if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += value
    series.count += 1
  }

  lines(): string[] {
    return [...this.#observed].flatMap(([labels, { counts, sum, count }]) => {
      const bucket = (bound: number | string, value: number) =>
        lineOf(`${this.name}_bucket`, [`le="${bound}"`, labels].filter(Boolean).join(','), value)
      let upToHere = 0
      const buckets = this.#bounds.map((bound, index) => {
        upToHere += counts[index] ?? 0
        return bucket(bound, upToHere)
      })
      const ends = [
        bucket('+Inf', count),
        lineOf(`${this.name}_sum`, labels, sum),
        lineOf(`${this.name}_count`, labels, count),
      ]
      return [...buckets, ...ends]
    })
  }

  #seriesOf(labels: string): Observed {
    const known = this.#observed.get(labels)
    if (known) return known
    const made = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 }
    this.#observed.set(labels, made)
    return made
  }
}

function split<L extends string>(given: readonly (number | Labels<L>)[]): [Labels<L>, number | undefined] {
  const [first, second] = given
  // No label is named by the empty object, so it fits any set of names.
  return typeof first === 'object' ? [first, second as number | undefined] : [{} as Labels<L>, first]
}
