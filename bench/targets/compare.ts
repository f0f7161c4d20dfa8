// Two runs side by side.
import { readFileSync } from 'node:fs'
import { spreadText } from '../figures.ts'
import type { PartReport, Report } from './report.ts'
import type { Row } from './row.ts'
import { aligned } from './table.ts'

const HEAD = ['target', 'before: median (least to most)', 'after', 'after / before']

export function compare(beforeFile: string, afterFile: string): void {
  const [before, after] = [beforeFile, afterFile].map((file) => JSON.parse(readFileSync(file, 'utf8'))) as [
    Report,
    Report,
  ]
  for (const [name, report] of Object.entries({ before, after })) console.log(`${name.padEnd(6)} ${aboutOf(report)}`)
  if (before.quick || after.quick) console.log('A run with --quick says nothing: it used small sizes.')
  for (const part of after.parts) {
    const earlier = before.parts.find(({ name }) => name === part.name)
    console.log(`\n${part.name}: load ${loadOf(earlier)} before, ${loadOf(part)} after`)
    for (const line of aligned([HEAD, ...linesOf(earlier?.rows ?? [], part.rows)])) console.log(`  ${line}`)
  }
}

function aboutOf({ startedAt, node, cores, processor, commit, hasChanges }: Report): string {
  const version = commit === null ? 'no commit' : `${commit.slice(0, 10)}${hasChanges ? ' with changes' : ''}`
  return `${startedAt}, ${version}, Node ${node}, ${cores} cores, ${processor}`
}

function loadOf(part: PartReport | undefined): string {
  return part ? `${part.loadBefore[0]} to ${part.loadAfter[0]}` : 'unknown'
}

/** What only one of them measured is shown as well. */
function linesOf(before: readonly Row[], after: readonly Row[]): readonly (readonly string[])[] {
  const targets = [...new Set([...before, ...after].map(({ target }) => target))]
  return targets.map((target) => {
    const [earlier, later] = [before, after].map((rows) => rows.find((row) => row.target === target))
    const ratio = earlier && later ? `${(later.measured.median / earlier.measured.median).toFixed(2)}x` : ''
    return [target, textOf(earlier), textOf(later), ratio]
  })
}

function textOf(row: Row | undefined): string {
  return row ? spreadText(row.measured, row.measured.unit) : ''
}
