/**
 * Dates in words and in numbers of any order: RFC 822 and its distortions, asctime, what people and templates write.
 *
 * The time is cut out first, then the zone behind it; what is left must be a day, a month and a year, with at most a
 * weekday and a few words that mean nothing. Anything else makes the whole unreadable: better no date than a wrong one.
 */

import { type DateFields, fullYear, instantOf, isDay, MIDNIGHT, type TimeFields } from './instant.ts'
import { monthOf } from './months.ts'
import { dateOfNumbers, type Hint } from './number-dates.ts'
import { abbreviatedZone, readZone, UTC, type Zone } from './zones.ts'

const CLOCK =
  /(?:\b([ap])\.?m\.?\s*)?(?<![\d.:])(\d{1,2})[:h](\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?(?!\d)\s*(?:([ap])\.?m\b\.?)?/
const HOUR_ALONE = /(?<=\d{4}\s+)(\d{1,2})\s*(?:([ap])\.?m\b\.?|(?=\s[+-]\d{4}$))/
const FILLERS = new Set(
  'at on the of de del den um uhr a as le las kl klo om alle ore o г v t feira r р st nd rd th er re e'.split(' '),
)
/** A weekday and a month, or a word that is both and a month. */
const MOST_WORDS = 3
/** No number is behind this, and every word is. */
const DIGITS_END = ':'

/** Points in the time, as in Italy and Finland, can be told from points in the date only behind the year. */
const POINTED_CLOCK = /(?<=\b\d{4},?\s(?:(?:klo|kl\.?|alle|ore|um)\s)?)(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?![\d.])/

export function readFreeForm(written: string): number | null {
  const text = written.replace(POINTED_CLOCK, (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`)
  const clock = CLOCK.exec(text)
  const time = clock ? timeOf(clock) : hourAlone(text)
  if (time === null) return null
  const before = time ? text.slice(0, time.start) : text
  const { zone, rest } = splitZone(time ? text.slice(time.end) : '', before)
  if (zone === null) return null
  const date = readDateWords(`${before.replace(rest.fromDate, ' ')} ${rest.afterTime}`, hint(text, zone))
  return date ? instantOf(date, time?.fields ?? MIDNIGHT, zone) : null
}

type Clock = { fields: TimeFields; start: number; end: number }

function timeOf(found: RegExpExecArray): Clock | null {
  const [all, leading, hour = '0', minute = '0', second = '0', fraction = '0', trailing] = found
  const millisecond = Math.floor(Number(`0.${fraction}`) * 1000)
  return clockOf(found.index, all.length, Number(hour), trailing ?? leading, {
    minute: Number(minute),
    second: Number(second),
    millisecond,
  })
}

function hourAlone(text: string): Clock | null | undefined {
  const found = HOUR_ALONE.exec(text)
  if (!found) return undefined
  return clockOf(found.index, found[0].length, Number(found[1]), found[2], { minute: 0, second: 0, millisecond: 0 })
}

function clockOf(
  start: number,
  length: number,
  hour: number,
  half: string | undefined,
  rest: Omit<TimeFields, 'hour'>,
): Clock | null {
  const end = start + length
  // "13:30 PM" says the same thing twice.
  if (half === undefined || hour > 12) return { fields: { hour, ...rest }, start, end }
  return hour === 0 && half === 'a'
    ? { fields: { hour, ...rest }, start, end }
    : { fields: { hour: (hour % 12) + (half === 'p' ? 12 : 0), ...rest }, start, end }
}

/** Behind the time come the zone, the year (asctime), or both in either order. */
function splitZone(
  afterTime: string,
  before: string,
): { zone: Zone | null; rest: { afterTime: string; fromDate: string | RegExp } } {
  if (afterTime.trim() === '' || !/[a-z+]|-\d|^\s*00(?:00)?\s*$/.test(afterTime)) {
    const onDate = /\s([+-]\d{4}|[a-z]{3})$/.exec(before.trim())
    const isZone =
      onDate && afterTime.trim() === '' && monthOf(onDate[1] ?? '') === null && /\d{4}\s\S+$/.test(before.trim())
    return isZone
      ? {
          zone: readZone(onDate[1] ?? ''),
          rest: { afterTime, fromDate: new RegExp(`${onDate[1]?.replace('+', '\\+')}\\s*$`) },
        }
      : { zone: UTC, rest: { afterTime, fromDate: '' } }
  }
  const year = /(?<![\d:+-]|[+-]\s)(?!0000)(\d{4})(?!\d)/.exec(afterTime)
  if (WHOLE_DATE.test(afterTime)) return timeFirst(afterTime)
  const zone = readZone(year ? afterTime.replace(year[0], ' ') : afterTime)
  return { zone, rest: { afterTime: year ? ` ${year[1]}` : '', fromDate: '' } }
}

/** "5/1/2026", "5 January", "January 5, 2026". */
const WHOLE_DATE =
  /\d{1,2}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{2,4}|(?<![\d+:-])\d{1,2}\.?\s+\p{L}{3,}|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}/u

/** The time stands before the whole date; a zone can only be directly behind it, or at the very end. */
function timeFirst(afterTime: string): { zone: Zone | null; rest: { afterTime: string; fromDate: string } } {
  const next = /^\s*([a-z]{2,4})\b/.exec(afterTime)
  const known = next ? abbreviatedZone(next[1] ?? '') : null
  if (next && known) return { zone: known, rest: { afterTime: afterTime.slice(next[0].length), fromDate: '' } }
  const zone = /\s([+-]\d{4}|[a-z]{3,4})$/.exec(afterTime)
  const written = zone && monthOf(zone[1] ?? '') === null ? (zone[1] ?? '') : ''
  return {
    zone: readZone(written),
    rest: { afterTime: afterTime.slice(0, afterTime.length - written.length), fromDate: '' },
  }
}

function hint(text: string, zone: Zone): Hint {
  const west = 'name' in zone || (zone.minutes <= -4 * 60 && /\b[ecmp][sd]?t\b/.test(text))
  return { american: west || /\d\s*[ap]\.?m\b/.test(text) }
}

function readDateWords(text: string, hinted: Hint): DateFields | null {
  // A year below zero is what some databases make of no date at all.
  if (/(?:^|\s)-\d/.test(text)) return null
  const numbers: string[] = []
  const words: string[] = []
  for (const token of text.match(/\d+|[\p{L}\p{M}]+/gu) ?? []) {
    if (token <= DIGITS_END) numbers.push(token)
    else if (!FILLERS.has(token)) words.push(token)
  }
  if (words.length > MOST_WORDS) return null
  const months = words.map(monthOf)
  const last = months.findLastIndex((month) => month !== null)
  const month = months[last] ?? null
  // The one word that may be unknown is a weekday in a language nobody listed, and it comes first.
  const isStray = (word: string, at: number) => at !== last && !(at === 0 && words.length > 1) && !isWeekday(word)
  if (words.some(isStray) || words.length > 2 + Number(months.filter((known) => known !== null).length > 1))
    return month === null && words.length === 1 ? dateOfNumbers(text, words[0], hinted) : null
  if (month === null) return words.length > 1 ? null : dateOfNumbers(text, words[0], hinted)
  return ofNamedMonth(month, numbers)
}

function isWeekday(word: string): boolean {
  return /^(?:mon|tue|wed|thu|fri|sat|sun)/.test(word)
}

/** "2 Jan 2006", "Jan 2, 2006", "2006 Jan 2", "Jan 2006": the year is the one that cannot be a day, else the last. */
function ofNamedMonth(month: number, numbers: string[]): DateFields | null {
  const [first = '', second] = numbers
  if (numbers.length > 2 || first === '') return null
  if (second === undefined) return first.length === 4 ? { year: Number(first), month, day: 1 } : null
  const [year, day] = first.length > 2 ? [first, second] : [second, first]
  const fields = { year: fullYear(year), month, day: Number(day) }
  return day.length <= 2 && year.length <= 4 && isDay(fields) ? fields : null
}
