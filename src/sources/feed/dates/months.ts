/**
 * Finds the month that a word means. The beginning of a name is enough if only one month begins like that, because
 * abbreviations such as "Sept" differ from feed to feed.
 */
import { MONTH_NAMES } from './month-names.ts'
import { RARER_MONTH_NAMES } from './rarer-month-names.ts'

const ENGLISH = 'january february march april may june july august september october november december'.split(' ')
const MIN_CHARS = 3

/** Every English name and each of its beginnings of at least three letters. */
const ENGLISH_MONTHS = new Map(
  ENGLISH.flatMap((name, index) =>
    Array.from({ length: name.length - MIN_CHARS + 1 }, (_, more) => [name.slice(0, MIN_CHARS + more), index + 1]),
  ),
)

/** Forms that occur in feeds but in no locale. */
const UNLISTED_FORMS = new Map(Object.entries({ mrz: 3, jui: 6, maujus: 5, μαω: 3, ιον: 6, ιολ: 7 }))

/** 1 to 12, or null if the word names no month or more than one. `word` must be in the form of `plainWords`. */
export function monthOf(word: string): number | null {
  // May has two letters in many scripts, but no month has in Latin letters.
  if (word === '' || (word.length < MIN_CHARS && word.charCodeAt(0) < 0x80)) return null
  return ENGLISH_MONTHS.get(word) ?? UNLISTED_FORMS.get(word) ?? namedMonth(word)
}

/** Accents, Hebrew and Arabic points, Indic dots below letters. Indic vowel signs stay, because words differ by them. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c]+/g
const ODD_LETTERS = new Map(Object.entries({ ς: 'σ', ł: 'l', ı: 'i', đ: 'd', ی: 'ي', ک: 'ك', ہ: 'ه' }))

/** Lower case without accents: the form in which words are compared. */
export function plainWords(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(ACCENTS, '')
  return plain.replace(/[ςłıđیکہ]/g, (letter) => ODD_LETTERS.get(letter) ?? letter)
}

type Name = { name: string; month: number }
type Tables = { whole: ReadonlyMap<string, number>; byBeginning: ReadonlyMap<string, readonly Name[]> }
let tables: Tables | null = null

/** Built when the first word is met that is not English. `byBeginning` groups the names by their first letters. */
function makeTables(): Tables {
  const names = namesIn(MONTH_NAMES)
  const whole = new Map([...namesIn(RARER_MONTH_NAMES), ...names].map(({ name, month }) => [name, month]))
  return { whole, byBeginning: Map.groupBy(names, ({ name }) => name.slice(0, MIN_CHARS)) }
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
  if (word.length < MIN_CHARS) return whole ?? null
  return whole ?? onlyMonthBeginningWith(word, tables.byBeginning.get(word.slice(0, MIN_CHARS)) ?? NO_NAMES)
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
