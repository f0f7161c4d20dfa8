// How a command speaks: its answer on stdout, as words or as JSON; notes and progress on stderr.
import { escapeForTerminal } from '../../log.ts'
import type { World } from '../command-context.ts'
import { type Column, table } from './table.ts'

export interface Output {
  readonly isJson: boolean
  /** `json` as it is, or what `words` makes of it. */
  answer(json: unknown, words: () => string): void
  /** For people only: a part of the answer that is known before the rest. */
  line(text: string): void
  /** A list as REST answers it. */
  list<T>(items: readonly T[], columns: readonly Column[], row: (item: T) => readonly string[], none: string): void
  /** For people only: next to the answer, not part of it. */
  note(text: string): void
}

export function outputOf(world: World, isJson: boolean): Output {
  const width = world.stdout.isTTY ? world.stdout.columns : undefined
  const print = (text: string) => world.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return {
    isJson,
    answer: (json, words) => print(isJson ? JSON.stringify(json, null, 2) : words()),
    line: (text) => {
      if (!isJson) print(text)
    },
    list(items, columns, row, none) {
      if (isJson) print(JSON.stringify({ items, nextCursor: null }, null, 2))
      else print(items.length === 0 ? none : table(columns, items.map(row), width))
    },
    note: (text) => {
      if (!isJson) world.stderr.write(`${text}\n`)
    },
  }
}

/** Text from outside inside a sentence of ours. */
export function said(text: string | null | undefined): string {
  return escapeForTerminal(text ?? '')
}

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** `3 h ago`, `in 5 min`. */
export function ago(iso: string | null, now: number): string {
  if (iso === null) return '-'
  const ms = Date.parse(iso) - now
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? ['s', 1000]
  const count = Math.round(Math.abs(ms) / size)
  if (count === 0) return 'now'
  return ms > 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`
}
