// What a command prints: its answer to stdout, as text or as JSON; notes and progress to stderr.
import { escapeForTerminal, escapeInJson } from '../../log.ts'
import type { CommandContext } from '../command-context.ts'
import type { CommonOptions } from '../options.ts'
import { isColourful, type Paint, painter } from './colour.ts'
import { needsPager, showPaged } from './pager.ts'
import { type Column, table } from './table.ts'

export interface Output {
  readonly isJson: boolean
  /** Prints `json` with --json, and `words` otherwise. */
  answer(json: unknown, words: () => string): void
  /** Text only: a part of the answer that is known before the rest. */
  line(text: string): void
  /** With --json a list as the REST API answers it, otherwise a table. */
  list<T>(items: readonly T[], columns: readonly Column[], row: (item: T) => readonly string[], none: string): void
  /** Text only, to stderr: not part of the answer. */
  note(text: string): void
  /** Colours text of the answer. */
  readonly paint: Paint
  /** An instant in text: relative for a person at a terminal, and as it is for a program. */
  time(iso: string | null): string
  /** A sentence with instants in it: in local time for a person at a terminal, and as it is for a program. */
  sentence(text: string): string
  /** Shows what is longer than the screen. Called once, at the end. */
  finish(): Promise<void>
}

export function createOutput(context: CommandContext, options: CommonOptions): Output {
  const isJson = options.json === true
  const { stdout, env } = context
  const width = stdout.isTTY ? stdout.columns : undefined
  const paint = painter(!isJson && isColourful(options.color, { env, stream: stdout }))
  let paged = ''
  const print = (text: string) => {
    const whole = text.endsWith('\n') ? text : `${text}\n`
    if (paged !== '' || (!isJson && needsPager(context, whole))) paged += whole
    else stdout.write(whole)
  }
  return {
    isJson,
    paint,
    answer: (json, words) => print(isJson ? jsonText(json) : words()),
    line: (text) => {
      if (!isJson) print(text)
    },
    list(items, columns, row, none) {
      if (isJson) print(jsonText({ items, nextCursor: null }))
      else print(items.length === 0 ? none : table(columns, items.map(row), width, paint))
    },
    note: (text) => {
      if (!isJson) context.stderr.write(`${text}\n`)
    },
    time: (iso) => (stdout.isTTY ? relativeTime(iso, context.now()) : (iso ?? '-')),
    sentence: (text) => (stdout.isTTY ? inLocalTime(text) : text),
    async finish() {
      if (paged !== '') await showPaged(context, paged)
    },
  }
}

/** Characters that could change the terminal are written as JSON escapes, so the data is unchanged. */
function jsonText(json: unknown): string {
  return JSON.stringify(json, null, 2).split('\n').map(escapeInJson).join('\n')
}

/** Escapes control characters of text from outside, so that it cannot change the terminal. */
export function printable(text: string | null | undefined): string {
  return escapeForTerminal(text ?? '')
}

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** A text with the instants in it in local time. */
export function inLocalTime(text: string): string {
  return text.replaceAll(INSTANT, localTime)
}

/** As `2026-11-16 22:30:00` in the zone of this machine: Swedish writes instants that way. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE')
}

/** `3 h ago`, `in 5 min`. */
export function relativeTime(iso: string | null, now: number): string {
  if (iso === null) return '-'
  const ms = Date.parse(iso) - now
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? ['s', 1000]
  const count = Math.round(Math.abs(ms) / size)
  if (count === 0) return 'now'
  return ms > 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`
}
