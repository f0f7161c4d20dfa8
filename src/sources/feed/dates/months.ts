/**
 * Which month a word means. A beginning counts when it can only mean one month ("Sept", "Thurs" style abbreviations are
 * never exact).
 */
import { MONTH_NAMES } from './month-names.ts'

const ENGLISH = 'january february march april may june july august september october november december'.split(' ')

/** Forms that were seen in feeds and that no locale knows. */
const ODD = new Map(Object.entries({ mrz: 3, jui: 6, maujus: 5, μαω: 3, ιον: 6, ιολ: 7 }))

/** 1 to 12, or null when the word names no month, or more than one. The word is in lower case without accents. */
export function monthOf(word: string): number | null {
  if (word.length < 3) return null
  const english = ENGLISH.findIndex((name) => name.startsWith(word))
  if (english >= 0) return english + 1
  return ODD.get(word) ?? names().get(word) ?? onlyMonthBeginningWith(word)
}

/** Lower case, no accents: the form in which words are compared. */
export function plainWords(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
  return /[ςł]/.test(plain) ? plain.replaceAll('ς', 'σ').replaceAll('ł', 'l') : plain
}

let known: Map<string, number> | null = null

/** Put into a table when the first word is met that is not English. */
function names(): Map<string, number> {
  known ??= new Map(
    MONTH_NAMES.flatMap((words, index) =>
      words
        .trim()
        .split(/\s+/)
        .map((word) => [word, index + 1] as const),
    ),
  )
  return known
}

const beginnings = new Map<string, number | null>()
const REMEMBERED = 1000

function onlyMonthBeginningWith(word: string): number | null {
  const remembered = beginnings.get(word)
  if (remembered !== undefined) return remembered
  const months = new Set<number>()
  for (const [name, month] of names()) if (name.startsWith(word)) months.add(month)
  const [month] = months
  const only = months.size === 1 && month !== undefined ? month : null
  if (beginnings.size < REMEMBERED) beginnings.set(word, only)
  return only
}
