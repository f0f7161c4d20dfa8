// Runs a benchmark in a process of its own, and reads the line of JSON that it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Figure, figureOf } from '../figures.ts'

export interface ChildBenchmark {
  /** A file of bench/, without its ending. */
  readonly name: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
}

/** What it was asked for, and everything that it printed. */
export interface Ran extends ChildBenchmark {
  readonly printed: { readonly figures: readonly Figure[] } & Readonly<Record<string, unknown>>
}

export async function runBenchmark(benchmark: ChildBenchmark): Promise<Ran> {
  const { name, args = [], env = {}, flags = [] } = benchmark
  const file = fileURLToPath(new URL(`../${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [...flags, file, ...args, '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code ?? signal}`)
  return { ...benchmark, printed: readPrinted(out) }
}

function readPrinted(out: string): Ran['printed'] {
  const printed = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  return { ...printed, figures: printed.figures.map(readFigure) }
}

interface FigureInMs {
  readonly name: string
  readonly medianMs: number
  readonly leastMs: number
  readonly mostMs: number
  readonly valuesMs?: readonly number[]
}

/** poll-cost.ts has the unit in the names. */
function readFigure(printed: Figure | FigureInMs): Figure {
  if (!('medianMs' in printed)) return printed
  const { name, medianMs: median, leastMs: least, mostMs: most, valuesMs: values = [] } = printed
  return { name, unit: 'ms', median, least, most, values }
}

export function figureNamed({ name, printed }: Ran, wanted: string): Figure {
  const found = printed.figures.find((figure) => figure.name === wanted)
  if (!found) throw new Error(`${name} printed no figure named ${wanted}`)
  return found
}

/** Of rounds that had a process each. */
export function figureOfRounds(rounds: readonly Ran[], wanted: string): Figure {
  const figures = rounds.map((ran) => figureNamed(ran, wanted))
  return figureOf(
    wanted,
    figures[0]?.unit ?? '',
    figures.flatMap(({ values }) => values),
  )
}
