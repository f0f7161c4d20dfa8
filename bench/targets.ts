/**
 * Measures everything that has an aim, and says at the end which aims are met. Benchmarks run one after another, each in a
 * process of its own. Exits with 1 if one of them failed; an aim that is missed is no failure.
 *
 *   npm run bench -- targets                        all parts
 *   npm run bench -- targets polls start            those parts
 *   npm run bench -- targets --json FILE            also writes everything that was measured
 *   npm run bench -- targets --quick                small sizes, to try whether all of it runs: says nothing about aims
 *   npm run bench -- targets --compare BEFORE AFTER     two such files side by side
 *
 * Pages need PAGE_CORPUS=folder (see page-reader.ts).
 */
import { parseArgs } from 'node:util'
import { compare } from './targets/compare.ts'
import { ingest } from './targets/ingest.ts'
import { measurePart } from './targets/measure-part.ts'
import { memory } from './targets/memory.ts'
import { million, millionPostgres } from './targets/million.ts'
import type { Part } from './targets/part.ts'
import { polls } from './targets/polls.ts'
import { readers } from './targets/readers.ts'
import { emptyReport, type PartReport, type Report, writeReport } from './targets/report.ts'
import { start } from './targets/start.ts'
import { tableOf } from './targets/table.ts'

const PARTS: readonly Part[] = [polls, memory, ingest, start, readers, million, millionPostgres]

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, compare: { type: 'boolean' } },
})
const [first = '', second = ''] = positionals
const unknown = positionals.filter((word) => !PARTS.some(({ name }) => name === word))

if (options.compare) compare(first, second)
else if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are: ${PARTS.map(({ name }) => name).join(', ')}`)
  process.exitCode = 2
} else {
  const wanted = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  await measureAll(wanted, options.quick)
}

async function measureAll(wanted: readonly Part[], quick: boolean): Promise<void> {
  announce(wanted, quick)
  let report = emptyReport(quick)
  for (const part of wanted) {
    console.log(`\n${part.name} ...`)
    const measured = await measurePart(part, quick)
    console.log(`${part.name}: ${measured.failed ?? `${measured.seconds} s, load ${measured.loadAfter.join(' ')}`}`)
    report = { ...report, parts: [...report.parts, measured] }
    // After each part: whoever ends the run early has what was measured by then.
    if (options.json) writeReport(options.json, report)
  }
  print(report)
  if (report.parts.some(({ failed }) => failed !== null)) process.exitCode = 1
}

function announce(wanted: readonly Part[], quick: boolean): void {
  const minutes = wanted.reduce((sum, part) => sum + part.minutes, 0)
  if (quick) console.log('Quick: small sizes, which say nothing about aims.')
  else console.log(`This takes about ${Math.ceil(minutes)} minutes on two quiet cores:`)
  for (const { name, about, minutes } of wanted) {
    console.log(`  ${name.padEnd(18)} ${quick ? '' : `${minutes} min  `.padStart(10)}${about}`)
  }
}

function print(report: Report): void {
  const { node, cores, processor, quick } = report
  const rows = report.parts.flatMap((part) => part.rows)
  console.log(`\nNode ${node}, ${cores} cores, ${processor}${quick ? '; quick: aims are not judged' : ''}\n`)
  for (const line of tableOf(rows, quick)) console.log(line)
  for (const part of report.parts) printPart(part)
  const judged = rows.filter(({ isMet }) => isMet !== null)
  if (!quick) console.log(`\n${judged.filter(({ isMet }) => isMet).length} of ${judged.length} aims are met`)
}

function printPart({ name, notes, failed }: PartReport): void {
  for (const note of notes) console.log(`\n${name}: ${note}`)
  if (failed !== null) console.error(`\n${name} failed: ${failed}`)
}
