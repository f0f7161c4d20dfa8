/**
 * Which month a word means. A beginning counts when it can only mean one month ("Sept", "Thurs" style abbreviations are
 * never exact).
 */
import { MONTH_NAMES } from './month-names.ts'
import { RARER_MONTH_NAMES } from './rarer-month-names.ts'

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
  // May has two letters in many scripts, and no month has in this one.
  if (word === '' || (word.length < SHORTEST && word.charCodeAt(0) < 0x80)) return null
  return ENGLISH_MONTHS.get(word) ?? ODD.get(word) ?? namedMonth(word)
}

/** Accents, points of Hebrew and Arabic, dots below letters of India; not the vowels of India, which tell words apart. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c]+/g
const ODD_LETTERS = new Map(Object.entries({ ς: 'σ', ł: 'l', ı: 'i', đ: 'd', ی: 'ي', ک: 'ك', ہ: 'ه' }))

/** Lower case, no accents: the form in which words are compared. */
export function plainWords(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(ACCENTS, '')
  return plain.replace(/[ςłıđیکہ]/g, (letter) => ODD_LETTERS.get(letter) ?? letter)
}

type Name = { name: string; month: number }
type Tables = { whole: ReadonlyMap<string, number>; alike: ReadonlyMap<string, readonly Name[]> }
let tables: Tables | null = null

/** Names whole, and by their first letters: made when the first word is met that is not English. */
function makeTables(): Tables {
  const names = namesIn(MONTH_NAMES)
  const whole = new Map([...namesIn(RARER_MONTH_NAMES), ...names].map(({ name, month }) => [name, month]))
  return { whole, alike: Map.groupBy(names, ({ name }) => name.slice(0, SHORTEST)) }
}

const NO_NAMES: readonly Name[] = []

function namesIn(table: readonly string[]): Name[] {
  return table.flatMap((words, index) =>
    words
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, month: index + 1 })),
  )
}

function namedMonth(word: string): number | null {
  tables ??= makeTables()
  const whole = tables.whole.get(word)
  if (word.length < SHORTEST) return whole ?? null
  return whole ?? onlyMonthBeginningWith(word, tables.alike.get(word.slice(0, SHORTEST)) ?? NO_NAMES)
}

function onlyMonthBeginningWith(word: string, names: readonly Name[]): number | null {
  let only: number | null = null
  for (let at = 0; at < names.length; at++) {
    const { name, month } = names[at] as Name
    if (!name.startsWith(word)) continue
    if (only !== null && only !== month) return null
    only = month
  }
  return only
}
