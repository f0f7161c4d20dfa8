/**
 * Reads dates that begin with the year in digits: ISO 8601 and all its variants in feeds.
 *
 * `undefined` means that the text is not of this kind and another reader may try it. Null means that it is of this kind
 * but not a valid date.
 */
import { type DateFields, fullYear, instantOf, isLeap, MIDNIGHT, type TimeFields } from './instant.ts'
import { readZone } from './zones.ts'

const DATE = /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?(?!\d)/
/** Years of the Iranian calendar, which are written with slashes. No feed means the Middle Ages. */
const OTHER_CALENDAR = /^1[34]\d\d/
const CLOCK = /^(?:\s*t\s*|\s+at\s+|,?\s+|_|\s+[-|]\s+)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?(?::00(?!\d))?/
/** Times without separators, and with points. */
const RUN_TOGETHER = /^t(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?(?=$|z|\s?[+-])/
const POINTED = /^\s(\d\d)\.(\d\d)(?:\.(\d\d))?(?=$|\s)/
/** An hour alone, if a zone follows. */
const HOUR = /^t(\d{2})(?=z$|[+-]\d\d:?\d\d$)/
/** "am" and "pm" in English and other languages. Such dates are left to the other readers. */
const HALF_OF_DAY = /^\s*(?:[ap]\.?\s?m|[pm]\.d|ptg|pg|sa|ch|[πμ]\.?\s?μ|[صم])(?![a-z\u0370-\u06ff])/
/** In XML Schema a date without a time may have a zone. */
const OFFSET_ALONE = /^\s?[+-]\d\d:\d\d$/

export function readIso(text: string): number | null | undefined {
  const date = DATE.exec(text)
  if (!date) return readCompact(text)
  if (date[2] === '/' && OTHER_CALENDAR.test(text)) return null
  const rest = text.slice(date[0].length)
  const fields = { year: Number(date[1]), month: Number(date[3] ?? 1), day: Number(date[4] ?? 1) }
  if (rest.trim() === '' || rest === 'z' || rest === 't') return instantOf(fields, MIDNIGHT, { minutes: 0 })
  return date[4] === undefined ? readCompact(text) : withClock(fields, rest)
}

function withClock(date: DateFields, rest: string): number | null | undefined {
  const clock = CLOCK.exec(rest) ?? HOUR.exec(rest) ?? RUN_TOGETHER.exec(rest) ?? POINTED.exec(rest)
  if (!clock && OFFSET_ALONE.test(rest)) return instantOf(date, MIDNIGHT, readZone(rest) ?? { minutes: 0 })
  // What looks like a time or a zone and is neither makes the date invalid. Words are left to the other readers.
  if (!clock) return /^\s*[t+-]|^-/.test(rest) ? null : undefined
  const after = rest.slice(clock[0].length)
  if (HALF_OF_DAY.test(after)) return undefined
  const zone = readZone(after)
  return zone === null ? null : instantOf(date, timeOf(clock), zone)
}

function timeOf([, hour, minute, second, fraction]: RegExpExecArray | RegExpMatchArray): TimeFields {
  const millisecond = Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
  return { hour: Number(hour), minute: Number(minute ?? 0), second: Number(second ?? 0), millisecond }
}

/** Dates without separators, with a week or a day of the year, or with a year of two digits. A time may follow. */
const COMPACT: [RegExp, (parts: string[]) => DateFields][] = [
  [
    /^(\d{4})(\d\d)(\d\d)(?=$|t|\s|(?<=^(?:19|20)\d*)\d{4}(?:\d\d)?(?:\.\d+)?(?:z|$|[+-]\d\d:?\d\d$))/,
    ([y = '', m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [/^(\d{4})-?w(\d\d)(?:-?([1-7]))?(?=$|t|\s)/, ([y, w, d = '1']) => ofWeek(Number(y), Number(w), Number(d))],
  [/^(\d{4})-?(\d{3})(?=$|t)/, ([y = '', n]) => ofDayInYear(Number(y), Number(n))],
  [/^(\d\d)-?(\d\d)-?(\d\d)(?=$|t)/, ([y = '', m, d]) => ({ year: fullYear(y), month: Number(m), day: Number(d) })],
  [/^(\d\d)-?(\d{3})(?=$|t)/, ([y = '', n]) => ofDayInYear(fullYear(y), Number(n))],
  [/^-(\d\d)-?(\d\d)(?=$|t)/, ([y = '', m]) => ({ year: fullYear(y), month: Number(m), day: 1 })],
  [/^-(\d\d)(?=$|t)/, ([y = '']) => ({ year: fullYear(y), month: 1, day: 1 })],
]
const COMPACT_CLOCK = /^(?:t|\s+)?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?/

/** All of them in one pattern, because most texts match none. */
const ANY_COMPACT = new RegExp(COMPACT.map(([shape]) => shape.source).join('|'))

function readCompact(text: string): number | null | undefined {
  if (!ANY_COMPACT.test(text)) return undefined
  for (const [shape, fieldsOf] of COMPACT) {
    const found = shape.exec(text)
    if (!found) continue
    const fields = fieldsOf(found.slice(1))
    const rest = text.slice(found[0].length)
    // 03335 is a day of 2003. 22013 is 2013 with one digit too many, so it is no date.
    if (/^\d(?:19|20)\d\d$/.test(found[0])) return null
    if (rest === '') return instantOf(fields, MIDNIGHT, { minutes: 0 })
    const clock = COMPACT_CLOCK.exec(rest)
    const zone = clock ? readZone(rest.slice(clock[0].length)) : null
    return clock && zone ? instantOf(fields, timeOf(clock), zone) : null
  }
  return undefined
}

function ofDayInYear(year: number, dayInYear: number): DateFields {
  const leap = isLeap(year)
  if (dayInYear < 1 || dayInYear > (leap ? 366 : 365)) return { year, month: 0, day: dayInYear }
  const day = new Date(Date.UTC(leap ? 2000 : 2001, 0, dayInYear))
  return { year, month: day.getUTCMonth() + 1, day: day.getUTCDate() }
}

/** The first week is the one with the fourth of January in it, and weeks begin on Monday. */
function ofWeek(year: number, week: number, weekday: number): DateFields {
  const monday = weekStart(year) + (week - 1) * 7
  const next = weekStart(year + 1)
  const date = new Date((monday + weekday - 1) * DAY_MS)
  // Month 0 makes the date invalid if the year has no such week.
  const month = week < 1 || monday >= next ? 0 : date.getUTCMonth() + 1
  return { year: date.getUTCFullYear(), month, day: date.getUTCDate() }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The Monday of the first week, in days since 1970, which began on a Thursday. */
function weekStart(year: number): number {
  const fourth = Date.UTC(year, 0, 4) / DAY_MS
  return fourth - ((((fourth + 3) % 7) + 7) % 7)
}
