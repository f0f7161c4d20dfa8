import type { ChildBenchmark, Ran } from './child-benchmark.ts'
import type { Row } from './row.ts'

export interface Measuring {
  /** Small sizes, to try whether everything runs. */
  readonly isQuick: boolean
  /** One at a time: whatever else runs would count. */
  run(benchmark: ChildBenchmark): Promise<Ran>
  /** A line below the table. */
  note(line: string): void
}

export interface Part {
  readonly name: string
  readonly about: string
  /** On a quiet machine with two cores. */
  readonly minutes: number
  /** Rows as they are measured: those before a benchmark that fails are kept. */
  measure(measuring: Measuring): AsyncIterable<Row>
}
