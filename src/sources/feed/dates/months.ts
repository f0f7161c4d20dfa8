/**
 * Names of months in the languages that feeds are written in, long and short, with and without accents.
 *
 * The names come from the runtime's own locale data; they are gathered the first time a word is met that is not
 * English. A beginning counts when it can only mean one month ("Sept", "Thurs" style abbreviations are never exact).
 */
const ENGLISH = 'january february march april may june july august september october november december'.split(' ')

const LOCALES = [
  'fr',
  'de',
  'de-AT',
  'es',
  'it',
  'pt',
  'ca',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'sk',
  'hu',
  'ro',
  'tr',
]
const OTHER_SCRIPTS = ['el', 'ru', 'uk', 'bg', 'sr', 'ar', 'he', 'hi']
const MORE_LOCALES = ['id', 'sl', 'et', 'lv', 'lt']

/** Forms that were seen in feeds and that no locale knows. */
const ODD = new Map(Object.entries({ mrz: 3, jui: 6, maujus: 5, μαω: 3, ιον: 6, ιολ: 7 }))

/** 1 to 12, or null when the word names no month, or more than one. The word is in lower case without accents. */
export function monthOf(word: string): number | null {
  if (word.length < 3) return null
  const english = ENGLISH.findIndex((name) => name.startsWith(word))
  if (english >= 0) return english + 1
  return ODD.get(word) ?? names().get(word) ?? onlyMonthBeginningWith(word)
}

/** Lower case, no accents, no dots: the form in which words are compared. */
export function plainWord(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .replaceAll('ς', 'σ')
    .replaceAll('ł', 'l')
}

let gathered: Map<string, number> | null = null

function names(): Map<string, number> {
  gathered ??= gather()
  return gathered
}

function gather(): Map<string, number> {
  const found = new Map<string, number>()
  for (const locale of [...LOCALES, ...OTHER_SCRIPTS, ...MORE_LOCALES]) {
    for (const style of ['long', 'short'] as const) {
      // With a day beside it, many languages put the month in the genitive.
      for (const day of [undefined, 'numeric'] as const) gatherFrom(locale, { month: style, day }, found)
    }
  }
  return found
}

function gatherFrom(
  locale: string,
  shape: { month: 'long' | 'short'; day: 'numeric' | undefined },
  found: Map<string, number>,
) {
  const format = new Intl.DateTimeFormat(locale, {
    month: shape.month,
    ...(shape.day && { day: shape.day }),
    timeZone: 'UTC',
  })
  for (let month = 1; month <= 12; month++) {
    const part = format.formatToParts(Date.UTC(2001, month - 1, 15)).find(({ type }) => type === 'month')
    const name = plainWord(part?.value ?? '')
    if (name.length >= 3 && !/\d/.test(name) && !found.has(name)) found.set(name, month)
  }
}

const beginnings = new Map<string, number | null>()
const REMEMBERED = 1000

function onlyMonthBeginningWith(word: string): number | null {
  const known = beginnings.get(word)
  if (known !== undefined) return known
  const months = new Set<number>()
  for (const [name, month] of names()) if (name.startsWith(word)) months.add(month)
  const [month] = months
  const only = months.size === 1 && month !== undefined ? month : null
  if (beginnings.size < REMEMBERED) beginnings.set(word, only)
  return only
}
