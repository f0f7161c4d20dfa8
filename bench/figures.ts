// What a benchmark measured: lines for people, or with --json one line of JSON, which `targets.ts` reads.
import { type Spread, spreadOf } from './spread.ts'

export interface Figure extends Spread {
  readonly name: string
  readonly unit: string
}

export const isJson = process.argv.includes('--json')

/** The words after the command, without flags. */
export const words: readonly string[] = process.argv.slice(2).filter((word) => !word.startsWith('--'))

export function figureOf(name: string, unit: string, values: readonly number[]): Figure {
  return { name, unit, ...spreadOf(values) }
}

/** For people only. */
export function say(line: string): void {
  if (!isJson) console.log(line)
}

/** `size`: what was measured, and how often. */
export function printJson(size: object, figures: readonly Figure[]): void {
  if (isJson) console.log(JSON.stringify({ ...size, node: process.version, figures }))
}

/** As many digits as say something. What has no unit lies between 0 and 1. */
export function digits(value: number, unit: string): string {
  if (unit === '') return value.toFixed(3)
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}

/** Its median, and the least and the most of its rounds. */
export function spreadText({ median, least, most }: Spread, unit: string): string {
  const [middle, from, to] = [median, least, most].map((value) => digits(value, unit))
  return `${`${middle} ${unit}`.trim()} (${from} to ${to})`
}

export function printFigure(figure: Figure): void {
  say(`  ${figure.name.padEnd(44)} ${spreadText(figure, figure.unit)}`)
}
