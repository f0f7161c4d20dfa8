/**
 * Which month a word means. A beginning counts when it can only mean one month ("Sept", "Thurs" style abbreviations are
 * never exact).
 */
import { MONTH_NAMES } from './month-names.ts'

const ENGLISH = 'january february march april may june july august september october november december'.split(' ')
const SHORTEST = 3

/** By every beginning that is long enough. */
const ENGLISH_MONTHS = new Map(
  ENGLISH.flatMap((name, index) =>
    Array.from({ length: name.length - SHORTEST + 1 }, (_, more) => [name.slice(0, SHORTEST + more), index + 1]),
  ),
)

/** Forms that were seen in feeds and that no locale knows. */
const ODD = new Map(Object.entries({ mrz: 3, jui: 6, maujus: 5, μαω: 3, ιον: 6, ιολ: 7 }))

/** 1 to 12, or null when the word names no month, or more than one. The word is in lower case without accents. */
export function monthOf(word: string): number | null {
  if (word.length < SHORTEST) return null
  return ENGLISH_MONTHS.get(word) ?? ODD.get(word) ?? namedMonth(word)
}

/** Lower case, no accents: the form in which words are compared. */
export function plainWords(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
  return /[ςł]/.test(plain) ? plain.replaceAll('ς', 'σ').replaceAll('ł', 'l') : plain
}

type Name = readonly [name: string, month: number]
type Tables = { whole: ReadonlyMap<string, number>; alike: ReadonlyMap<string, readonly Name[]> }
let tables: Tables | null = null

/** Names whole, and by their first letters: made when the first word is met that is not English. */
function makeTables(): Tables {
  const names = allNames()
  // Of two with one name the first counts.
  return { whole: new Map(names.toReversed()), alike: Map.groupBy(names, ([name]) => name.slice(0, SHORTEST)) }
}

const NO_NAMES: readonly Name[] = []

function allNames(): Name[] {
  return MONTH_NAMES.flatMap((words, index) =>
    words
      .trim()
      .split(/\s+/)
      .map((name) => [name, index + 1] as const),
  )
}

function namedMonth(word: string): number | null {
  tables ??= makeTables()
  const whole = tables.whole.get(word)
  return whole ?? onlyMonthBeginningWith(word, tables.alike.get(word.slice(0, SHORTEST)) ?? NO_NAMES)
}

function onlyMonthBeginningWith(word: string, names: readonly Name[]): number | null {
  let only: number | null = null
  for (const [name, month] of names) {
    if (!name.startsWith(word)) continue
    if (only !== null && only !== month) return null
    only = month
  }
  return only
}
