/**
 * Reads dates in words, or in numbers of any order: variants of RFC 822, asctime, what people and templates write.
 *
 * The time is cut out first, then the zone behind it. What is left must be a day, a month and a year, with at most a
 * weekday and a few words without meaning. Anything else makes the date unreadable: no date is better than a wrong one.
 */

import { croatianMonth, isCroatian } from './croatian.ts'
import { partsOf } from './date-parts.ts'
import { isWeekday, mayBeWeekday } from './day-words.ts'
import { type DateFields, fullYear, hourOf, instantOf, isDay, MIDNIGHT, type TimeFields } from './instant.ts'
import { monthOf } from './months.ts'
import { dateOfNumbers, type Hint } from './number-dates.ts'
import { abbreviatedZone, readZone, UTC, type Zone } from './zones.ts'

const CLOCK =
  /(?:\b([ap])\.?m\.?\s*)?(?<![\d.:])(\d{1,2})(?::|\s?h\s?)(\d{1,2})(?:(?::|\s?min\s?)(\d{1,2})(?:[.,](\d+))?)?(?!\d)(?:\s?(?:min|s)\b)?\s*(?:([ap])\.?\s?m\b\.?)?/
/** An hour without minutes. It stands behind the year, with "am", "pm", a word for hour or a zone behind it. */
const HOUR_ALONE =
  /(\d{4},?\s+(?:-\s+)?(?:(?:at|a|as|um|om)\s+)?)(\d{1,2})\s*(?:([ap])\.?\s?m\b\.?|(?:h|uhr)\b\.?|(?=\s[+-]\d{4}$))/
/** A time without separators: four or six digits behind the year. */
const RUN_TOGETHER = /([^\s\d]\s\d{4}\s)([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(?=$|\s[a-z]{1,4}$|\s[+-]\d\d:?\d\d$)/
/** The colon between date and time in server logs: `05/Jan/2020:12:30`. */
const LOG_FORMAT_COLON = /(?<=[a-z]{3}\/\d{4}):(?=\d\d:\d\d)/
/** No part of such a date has five digits. */
const TOO_LONG = /\d{5}/
/** A weekday and a month, with one more word that may be either. */
const MAX_WORDS = 3

/** Before "am" or "pm", numbers with a point between them are hours and minutes. */
const POINTED_HALF = /(?<![\d.])(\d{1,2})\.(\d\d)(?=\s?[ap]\.?m\b)/
/** Italy and Finland write times with points. Only behind the year can they be told from the points of a date. */
const POINTED_CLOCK =
  /(?<=\b\d{4},?\s(?:-\s)?(?:(?:klo|kl\.?|alle(?: ore)?|ore|um|at|om|pukul)\s)?)(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?![\d.])/

export function readFreeForm(written: string): number | null {
  const text = withPlainTime(written)
  const clock = text.includes(':') || text.includes('h') ? CLOCK.exec(text) : null
  const time = clock ? timeOf(clock) : hourAlone(text)
  const before = time ? text.slice(0, time.start) : text
  if (TOO_LONG.test(before)) return null
  const { zone, fromDate, afterTime } = splitZone(time ? text.slice(time.end) : '', before)
  if (zone === null) return null
  const dateAlone = fromDate === null ? before : before.replace(fromDate, ' ')
  const date = readDateWords(afterTime === '' ? dateAlone : `${dateAlone} ${afterTime}`, () => hint(text, zone))
  return date ? instantOf(date, time?.fields ?? MIDNIGHT, zone) : null
}

/** Rewrites the time with colons and removes colons elsewhere. */
function withPlainTime(written: string): string {
  const pointed = written.includes('.') ? written.replace(POINTED_CLOCK, withColons) : written
  if (pointed.includes(':')) return pointed.includes('/') ? pointed.replace(LOG_FORMAT_COLON, ' ') : pointed
  const parted = written.includes('.') ? pointed.replace(POINTED_HALF, '$1:$2') : pointed
  return parted.replace(
    RUN_TOGETHER,
    (_, before, hour, minute, second = '00') => `${before}${hour}:${minute}:${second}`,
  )
}

function withColons(_: string, hour: string, minute: string, second = '00'): string {
  return `${hour}:${minute}:${second}`
}

type Clock = { fields: TimeFields; start: number; end: number }

function timeOf(found: RegExpExecArray): Clock {
  const millisecond = found[5] === undefined ? 0 : Math.floor(Number(`0.${found[5]}`) * 1000)
  const hour = hourOf(Number(found[2]), found[6] ?? found[1])
  return clockOf(found, { hour, minute: Number(found[3]), second: Number(found[4] ?? 0), millisecond })
}

function hourAlone(text: string): Clock | null {
  const found = HOUR_ALONE.exec(text)
  if (!found) return null
  const { fields, start, end } = clockOf(found, { ...MIDNIGHT, hour: hourOf(Number(found[2]), found[3]) })
  return { fields, start: start + (found[1]?.length ?? 0), end }
}

function clockOf(found: RegExpExecArray, fields: TimeFields): Clock {
  return { fields, start: found.index, end: found.index + found[0].length }
}

/** The zone, what else stands behind the time, and a pattern for the zone if it stands in the date instead. */
type ZoneSplit = { zone: Zone | null; afterTime: string; fromDate: RegExp | null }

/** Behind the time come the zone, the year (asctime), or both in either order. */
function splitZone(afterTime: string, before: string): ZoneSplit {
  if (afterTime.trim() === '' || !/[a-z+]|-\d|^\s*00(?:00)?\s*$/.test(afterTime)) {
    const onDate = afterTime.trim() === '' ? zoneBehind(before.trim()) : null
    return onDate === null
      ? { zone: UTC, afterTime, fromDate: null }
      : { zone: readZone(onDate), afterTime, fromDate: new RegExp(`${onDate.replace('+', '\\+')}\\s*$`) }
  }
  if (WHOLE_DATE.test(afterTime)) return timeFirst(afterTime)
  const year = /(?<![\d:+-]|[+-]\s)(?!0000)(\d{4})(?!\d)/.exec(afterTime)
  const zone = readZone(year ? afterTime.replace(year[0], ' ') : afterTime)
  return { zone, afterTime: year?.[1] ?? '', fromDate: null }
}

/** The zone at the end of a date without a time, if there is one. */
function zoneBehind(date: string): string | null {
  const written = /\d{4}\s([+-]\d{4}|[a-z]{3})$/.exec(date)?.[1] ?? null
  return written !== null && monthOf(written) === null ? written : null
}

/** "5/1/2026", "5 January", "January 5, 2026". Ranges stand for letters, because \p{L} takes 10 ms to compile. */
const WHOLE_DATE =
  /\d{1,2}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{2,4}|(?<![\d+:-])\d{1,2}\.?\s+[a-z\u00df-\u1fff\u2c00-\ud7ff]{3}|[a-z\u00df-\u1fff\u2c00-\ud7ff]{3}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}/

/** For a time in front of the whole date. A zone can only stand directly behind the time or at the very end. */
function timeFirst(afterTime: string): ZoneSplit {
  const next = /^\s*([a-z]{2,4})\b/.exec(afterTime)
  const known = next ? abbreviatedZone(next[1] ?? '') : null
  if (next && known) return { zone: known, afterTime: afterTime.slice(next[0].length), fromDate: null }
  const zone = /\s([+-]\d{4}|[a-z]{3,4})$/.exec(afterTime)
  const written = zone && monthOf(zone[1] ?? '') === null ? (zone[1] ?? '') : ''
  const rest = afterTime.slice(0, afterTime.length - written.length)
  return { zone: readZone(written), afterTime: rest, fromDate: null }
}

function hint(text: string, zone: Zone): Hint {
  const west = 'name' in zone || (zone.minutes <= -4 * 60 && /\b[ecmp][sd]?t\b/.test(text))
  return { american: west || /\d\s*[ap]\.?m\b/.test(text) }
}

function readDateWords(text: string, hinted: () => Hint): DateFields | null {
  // Some databases print a negative year for a missing date.
  if (text.includes('-') && /(?:^|\s)-\d/.test(text)) return null
  const { numbers, words } = partsOf(text)
  if (words.length > MAX_WORDS) return null
  if (words.length > 1) return ofSeveralWords(words, numbers, text)
  const month = monthOf(words[0] ?? '')
  // "mar 03/04/2026": the month is among the numbers, so "mar" is a weekday.
  if (month === null || numbers.length > 2) return dateOfNumbers(text, numbers, words[0], hinted)
  return ofContestedMonth(words[0] ?? '', month, numbers, text)
}

/** For a month with a weekday, or with another word that may be a month too. */
function ofSeveralWords(words: readonly string[], numbers: readonly string[], text: string): DateFields | null {
  const { last, month, named } = lastMonth(words)
  if (last < 0 || words.length > (named > 1 ? 3 : 2)) return null
  // One unknown word is allowed in front of all numbers. It is taken for a weekday in a language that is not listed.
  const unknown = text.search(/\d/) > text.indexOf(words[0] ?? '') ? 1 : 0
  for (let at = unknown; at < words.length; at++) {
    const word = words[at] ?? ''
    if (at !== last && !isWeekday(word) && !mayBeWeekday(word)) return null
  }
  return ofContestedMonth(words[last] ?? '', month, numbers, text)
}

/** Uses the month, or another one if the word means that in Croatian and the date is Croatian. */
function ofContestedMonth(word: string, month: number, numbers: readonly string[], text: string): DateFields | null {
  const usual = ofNamedMonth(month, numbers)
  const croatian = croatianMonth(word)
  const other = croatian === null ? null : ofNamedMonth(croatian, numbers)
  return other && isCroatian(text, usual, other) ? other : usual
}

/** Finds the word for the month and counts the words that may be one. A sure month is preferred to a possible weekday. */
function lastMonth(words: readonly string[]): { last: number; month: number; named: number } {
  const found = { last: -1, month: 0, named: 0 }
  let isSure = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const month = monthOf(word)
    if (month === null) continue
    found.named++
    const mayBeOther = mayBeWeekday(word)
    if (mayBeOther && isSure) continue
    isSure = !mayBeOther
    found.last = at
    found.month = month
  }
  return found
}

/** "2 Jan 2006", "Jan 2, 2006", "2006 Jan 2", "Jan 2006": the year is the number too long for a day, else the last. */
function ofNamedMonth(month: number, numbers: readonly string[]): DateFields | null {
  const first = numbers[0] ?? ''
  const second = numbers[1]
  if (numbers.length > 2 || first === '') return null
  if (second === undefined) return first.length === 4 ? { year: Number(first), month, day: 1 } : null
  const year = first.length > 2 ? first : second
  const day = first.length > 2 ? second : first
  const fields = { year: fullYear(year), month, day: Number(day) }
  return day.length <= 2 && year.length <= 4 && isDay(fields) ? fields : null
}
