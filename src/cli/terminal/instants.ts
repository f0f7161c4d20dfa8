// Instants on the command line: a date, an instant with its zone, or how long ago (`2h`, `3 days`).
import { InvalidArgumentError } from 'commander'

const SECOND = 1000
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?)$/, SECOND],
  [/^(m|mins?|minutes?)$/, 60 * SECOND],
  [/^(h|hours?)$/, 3600 * SECOND],
  [/^(d|days?)$/, 86_400 * SECOND],
  [/^(w|weeks?)$/, 7 * 86_400 * SECOND],
]

const EXPECTED = 'expected an instant such as 2026-01-31T08:00:00Z, or how long ago: 30m, 2h, 3d or 1w.'

/** As the API reads it. */
export function sinceOption(now: () => number): (typed: string) => string {
  return (typed) => {
    const text = typed.trim().toLowerCase()
    const ago = /^(\d{1,6}(?:\.\d+)?)\s*([a-z]+)$/.exec(text)
    if (!ago && !Number.isNaN(Date.parse(typed))) return typed
    const size = UNITS.find(([unit]) => unit.test(ago?.[2] ?? ''))?.[1]
    if (!ago || size === undefined) throw new InvalidArgumentError(EXPECTED)
    return new Date(now() - Number(ago[1]) * size).toISOString()
  }
}
