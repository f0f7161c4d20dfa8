// One part: its benchmarks one after another, and what else the machine did.
import { type Ran, runBenchmark } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { load, type PartReport } from './report.ts'
import type { Row } from './row.ts'

/** A benchmark that fails ends its part, and not the others. */
export async function measurePart(part: Part, isQuick: boolean): Promise<PartReport> {
  const [startedAt, started, loadBefore] = [new Date().toISOString(), performance.now(), load()]
  const [benchmarks, notes]: [Ran[], string[]] = [[], []]
  const outcome = await rowsOf(part, {
    isQuick,
    run: async (benchmark) => {
      const ran = await runBenchmark(benchmark)
      benchmarks.push(ran)
      return ran
    },
    note: (line) => notes.push(line),
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  return { name: part.name, startedAt, seconds, loadBefore, loadAfter: load(), ...outcome, notes, benchmarks }
}

type Outcome = Pick<PartReport, 'rows' | 'failed'>

async function rowsOf(part: Part, measuring: Parameters<Part['measure']>[0]): Promise<Outcome> {
  try {
    const rows = await part.measure(measuring)
    return { rows: measuring.isQuick ? rows.map(notJudged) : rows, failed: null }
  } catch (error) {
    return { rows: [], failed: error instanceof Error ? error.message : String(error) }
  }
}

function notJudged(row: Row): Row {
  return { ...row, isMet: null }
}
