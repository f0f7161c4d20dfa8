// The kinds of values: numbers, choices, text, lists. A kind checks a value and says what it expects.
// Environment variables and ${placeholders} are text, so a kind also converts text.
// Values that are written literally are never converted: "5" is not 5.
import { redactText } from '../log/redact.ts'

export type Checked = { readonly value: unknown } | { readonly expected: string; readonly got?: string }

export interface Kind {
  /** For the table in the docs. */
  readonly label: string
  /** The allowed values, if there are only a few. Used for "did you mean". */
  readonly choices?: readonly string[]
  check(value: unknown): Checked
  fromText(text: string): unknown
}

interface Range {
  readonly min: number
  readonly max: number
}

export function wholeNumber(range: Range): Kind {
  return numeric('a whole number', range, Number.isSafeInteger)
}

export function anyNumber(range: Range): Kind {
  return numeric('a number', range, Number.isFinite)
}

function numeric(noun: string, { min, max }: Range, isOne: (value: unknown) => boolean): Kind {
  return {
    label: `${noun.replace('a ', '')}, ${min} to ${max}`,
    check(value) {
      if (!isOne(value) || (value as number) < min) return { expected: `${noun} of at least ${min}` }
      return (value as number) > max ? { expected: `${noun} of at most ${max}` } : { value }
    },
    fromText: (text) => (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text),
  }
}

export const trueOrFalse: Kind = {
  label: '`true`, `false`',
  choices: ['true', 'false'],
  check: (value) => (typeof value === 'boolean' ? { value } : { expected: 'true or false' }),
  fromText: (text) => (/^\s*(true|false)\s*$/i.test(text) ? /true/i.test(text) : text),
}

export function oneOf(...choices: string[]): Kind {
  return {
    label: choices.map((choice) => `\`${choice}\``).join(', '),
    choices,
    check: (value) => (choices.includes(value as string) ? { value } : { expected: `one of ${choices.join(', ')}` }),
    fromText: (text) => text.trim(),
  }
}

/** Text that `read` accepts. `read` returns the value to use, or null. */
export function text(expected: string, read: (text: string) => string | null): Kind {
  return {
    label: expected,
    check(value) {
      const found = typeof value === 'string' ? read(value) : null
      return found === null ? { expected } : { value: found }
    },
    fromText: (given) => given.trim(),
  }
}

export function orNull(kind: Kind): Kind {
  return {
    ...kind,
    label: `${kind.label}, or null`,
    check: (value) => (value === null ? { value: null } : kind.check(value)),
    fromText: (given) => (given.trim() === '' ? null : kind.fromText(given)),
  }
}

export function listOf(kind: Kind, noun: string): Kind {
  return {
    label: `list of ${noun}`,
    check(value) {
      if (!Array.isArray(value)) return { expected: `a list of ${noun}` }
      const checked = value.map((item) => kind.check(item))
      const bad = value.filter((_, index) => 'expected' in (checked[index] ?? {}))
      const [first] = checked.filter((item) => 'expected' in item)
      if (first) return { ...first, got: bad.map(show).join(', ') }
      return { value: checked.map((item) => (item as { value: unknown }).value) }
    },
    fromText: (given) => (given.trim() === '' ? [] : given.split(',').map((item) => kind.fromText(item))),
  }
}

/** A value as an error message shows it: short, and without credentials. */
export function show(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' || typeof value === 'function') return 'a mapping'
  if (typeof value !== 'string') return String(value)
  const shown = JSON.stringify(redactText(value))
  return shown.length > 80 ? `${shown.slice(0, 78)}…"` : shown
}
