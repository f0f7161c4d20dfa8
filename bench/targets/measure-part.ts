// One part: its benchmarks one after another, and what else the machine did.
import { type ChildBenchmark, type Ran, runBenchmark } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { load, type PartReport } from './report.ts'
import type { Row } from './row.ts'

/** A benchmark that fails ends its part, and not the others. */
export async function measurePart(part: Part, isQuick: boolean): Promise<PartReport> {
  const [startedAt, started, loadBefore] = [new Date().toISOString(), performance.now(), load()]
  const [benchmarks, notes]: [Ran[], string[]] = [[], []]
  const rows: Row[] = []
  const failed = await failureOf(async () => {
    const run = async (benchmark: ChildBenchmark) => {
      const ran = await runBenchmark(benchmark)
      benchmarks.push(ran)
      return ran
    }
    const measuring = { isQuick, run, note: (line: string) => void notes.push(line) }
    for await (const row of part.measure(measuring)) rows.push(isQuick ? { ...row, isMet: null } : row)
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  return { name: part.name, startedAt, seconds, loadBefore, loadAfter: load(), failed, rows, notes, benchmarks }
}

async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
