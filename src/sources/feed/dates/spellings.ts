/**
 * Rewrites dates of languages whose months are several words, or that use another calendar, into words that the readers
 * know: Vietnamese, Thai, Arabic, Irish, Mongolian. It also rewrites "am" and "pm" in some more languages. The text
 * must be in the form of `plainText`. One test tells whether there is anything to do, because most dates need nothing.
 */

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const BEYOND_ASCII = /[^\x20-\x7e]/
const THAI_OR_LAO = /[\u0e00-\u0eff]/
const IN_LATIN = /\bth(?:ang|g|\d|u? [2-7a-z])|nhat|ngay|fomhair|\d\s*(?:ptg|pg|sa|ch|[pm]\.d)\b/
const IN_OTHERS = /[\u0590-\u06ff\u0e00-\u0eff’]|μ\.?\s?μ|π\.?\s?μ|р сар|мск/

export function withOrdinarySpelling(text: string): string {
  if (!(BEYOND_ASCII.test(text) ? IN_OTHERS : IN_LATIN).test(text)) return text
  if (THAI_OR_LAO.test(text)) return withoutThai(text)
  return withEnglishHalvesOfDay(VIETNAMESE.test(text) ? withoutVietnamese(text) : withSingleMonth(text))
}

/** The Buddhist calendar is 543 years ahead. Some feeds write only the last two digits of the year. */
const BUDDHIST = /(?<!\d)2[4-6]\d\d(?!\d)|(?<=[\u0e00-\u0e7f] ?)[5-8]\d(?!\d)/

const POINT = /(?<=[\u0e00-\u0eff])\./g

/** Thai abbreviates months to letters with points between them. */
function withoutThai(text: string): string {
  const whole = text.includes('.') ? text.replace(POINT, '') : text
  const year = BUDDHIST.exec(whole)
  if (!year) return whole
  const count = Number(year[0]) + (year[0].length === 2 ? 2500 : 0) - 543
  return `${whole.slice(0, year.index)}${count}${whole.slice(year.index + year[0].length)}`
}

const VIETNAMESE = /\bth(?:ang|g)\b|\bth\d|^thu (?:hai|ba|tu|nam|sau|bay)\b|^thu [2-7], ?\d+[/.-]|^chu nhat\b|\bngay \d/
const VIETNAMESE_WEEKDAY = /^(?:th ?[2-7]|thu [2-7]|t[2-7]|cn)\s*,\s*|\b(?:thu (?:hai|ba|tu|nam|sau|bay)|chu nhat)\b,?/
const VIETNAMESE_MONTH =
  /\bth(?:ang|g)?[\s.]*(\d\d?|muoi mot|muoi hai|gieng|mot|hai|ba|tu|nam|sau|bay|tam|chin|muoi|chap)\b/
/** "day", "year" and "at". */
const VIETNAMESE_WORDS = /\b(?:ngay|nam|luc) (?=\d)/g
const VIETNAMESE_NUMBERS = '|mot|hai|ba|tu|nam|sau|bay|tam|chin|muoi|muoi mot|muoi hai'.split('|')

function withoutVietnamese(text: string): string {
  const days = text.replace(VIETNAMESE_WEEKDAY, '')
  const found = VIETNAMESE_MONTH.exec(days)
  if (!found) return days
  const month = MONTHS[vietnameseNumber(found[1] ?? '') - 1] ?? 'th'
  const behind = days.slice(found.index + found[0].length)
  return `${days.slice(0, found.index)} ${month} ${behind}`.replace(VIETNAMESE_WORDS, ' ')
}

function vietnameseNumber(written: string): number {
  if (/\d/.test(written)) return Number(written)
  return written === 'gieng' ? 1 : written === 'chap' ? 12 : VIETNAMESE_NUMBERS.indexOf(written)
}

const ONE_WORD = new Map([
  ['كانون الثاني', 'jan'],
  ['تشرين الاول', 'oct'],
  ['تشرين الثاني', 'nov'],
  ['كانون الاول', 'dec'],
  ['mean fomhair', 'sep'],
  ['deireadh fomhair', 'oct'],
  ['d’ag', 'aug'],
  ['мск', 'msk'],
  ...MONTHS.flatMap((month, at): [string, string][] => [
    [`${at + 1}-р сар`, month],
    [`${at + 1}-р сарын`, month],
  ]),
])
const SEVERAL_WORDS = /(?:كانون|تشرين) (?:الثاني|الاول)|(?:mean|deireadh) fomhair|d’ag(?=\.)|\b\d\d?-р сар(?:ын)?|мск/g
/** "In" as a prefix of a Hebrew month. */
const IN = /(?<=\d )ב(?=[\u05d0-\u05ea]{3})/

function withSingleMonth(text: string): string {
  return text.replace(SEVERAL_WORDS, (name) => ` ${ONE_WORD.get(name) ?? ''} `).replace(IN, '')
}

/** "am" and "pm" in Greek, Arabic, Malay, Vietnamese and Albanian. They become "a m" and "p m", which is not American. */
const MORNING = /(\d)\s*(?:π\.?\s?μ|ص|pg|sa|p\.d)(?![a-z\u0370-\u06ff])\.?/
const AFTERNOON = /(\d)\s*(?:μ\.?\s?μ|م|ptg|ch|m\.d)(?![a-z\u0370-\u06ff])\.?/

function withEnglishHalvesOfDay(text: string): string {
  return text.replace(MORNING, '$1 a m ').replace(AFTERNOON, '$1 p m ')
}
