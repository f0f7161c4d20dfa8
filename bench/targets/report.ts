// Everything that a run measured, and what it was measured on, so that two runs can be compared.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Ran } from './child-benchmark.ts'
import type { Row } from './row.ts'

export interface PartReport {
  readonly name: string
  readonly startedAt: string
  readonly seconds: number
  readonly loadBefore: readonly number[]
  readonly loadAfter: readonly number[]
  readonly failed: string | null
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
  /** With all that they printed, also what no row shows. */
  readonly benchmarks: readonly Ran[]
}

export interface Report {
  readonly quick: boolean
  readonly startedAt: string
  readonly node: string
  readonly cores: number
  readonly processor: string
  readonly commit: string | null
  /** Files differ from those of the commit. */
  readonly hasChanges: boolean
  readonly parts: readonly PartReport[]
}

export function emptyReport(quick: boolean): Report {
  const commit = git('rev-parse', 'HEAD')
  return {
    quick,
    startedAt: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? '',
    commit,
    hasChanges: commit !== null && git('status', '--porcelain') !== '',
    parts: [],
  }
}

export function load(): readonly number[] {
  return loadavg().map((value) => Math.round(value * 100) / 100)
}

export function writeReport(file: string, report: Report): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}

/** null: this is no checkout. */
function git(...args: readonly string[]): string | null {
  try {
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
