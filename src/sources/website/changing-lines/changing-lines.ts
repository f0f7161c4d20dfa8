/**
 * Recognises lines that change while the article stays the same: relative times ("5 minutes ago"),
 * timestamps ("Updated 10:32"), counters ("1,204 views") and plain numbers.
 * With them in the text, every visit would report a new article.
 * Only whole lines count: a date inside a sentence is part of the text.
 * See docs/decisions/0031-changing-lines-dropped-whole.md
 */
import { monthOf, plainWords } from '../../feed/dates/months.ts'
import { wholeLine } from '../patterns.ts'
import { containsCount, isCounter, isNumberOrScore, withoutCounts } from './counters.ts'
import { BETWEEN, MONTHS, WEEKDAYS, ZONES } from './date-words.ts'
import { containsRelativeTime, isRelativeTime, withoutRelativeTimes } from './relative-times.ts'
import { TIMESTAMP_LABELS } from './timestamp-labels.ts'

const DATE_WORD = wholeLine(`${MONTHS}|${WEEKDAYS}|${ZONES}|${BETWEEN}|${TIMESTAMP_LABELS.replaceAll(' ', '|')}`)
const MONTH_WORD = wholeLine(MONTHS)
const DATE_NUMBER = /^\d[\d.:]*(?:(?:st|nd|rd|th|h|hrs|am|pm|º|ª|年|月|日)\d*)?$/i
const LABELLED = new RegExp(`^(?:${TIMESTAMP_LABELS})(?!\\p{L})`, 'iu')
const CLOCK_TIME = /\b\d{1,2}[:.h]\d{2}\b|\d\s?(?:am|pm|uhr)\b/i
const NUMERIC_DATE = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s?年/
const MONTH_AND_DAY = new RegExp(
  `(?<!\\p{L})(?:${MONTHS})\\.?\\s+\\d{1,2}\\b|\\b\\d{1,2}\\.?\\s+(?:de\\s+)?(?:${MONTHS})(?!\\p{L})`,
  'iu',
)

const MAX_LINE_CHARS = 90

/** The line is only a date or a time, with or without a label in front. */
export function isDateLine(line: string): boolean {
  if (line.length > MAX_LINE_CHARS || !/\d/.test(line)) return false
  const words = line.split(/[\s,;:|·•()[\]/–—-]+/).map((word) => word.replace(/^\.+|\.+$/g, ''))
  const isDatePart = (word: string): boolean =>
    word === '' || (/^\d/.test(word) ? DATE_NUMBER.test(word) : DATE_WORD.test(word))
  if (!words.every(isDatePart)) return false
  return CLOCK_TIME.test(line) || NUMERIC_DATE.test(line) || words.some((word) => MONTH_WORD.test(word))
}

/** The line is only a number, a score, a date or a time. data-lines.ts decides by position whether it is part of the text. */
export const isNumberOrDate = (line: string): boolean =>
  line.length <= MAX_LINE_CHARS && (isNumberOrScore(line) || (isDateLine(line) && !isTimestampLabel(line)))

/** A calendar date without a label, with or without a time. "Today" is not one, because it changes every day. */
export const isCalendarDay = (line: string): boolean =>
  isDateLine(line.replaceAll('@', ' ')) &&
  !LABELLED.test(line) &&
  !RELATIVE_DAY.test(line) &&
  (NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line))
const RELATIVE_DAY = /today|yesterday|heute|gestern|aujourd|hier|hoy|ayer|oggi|ieri|hoje|ontem|сегодня|вчера/iu

/** "Monday 9:00 – 17:00". A timestamp has only one time. */
export const isTimeRange = (line: string): boolean =>
  isDateLine(line) &&
  !LABELLED.test(line) &&
  /\d{1,2}[:.h]\d{2}\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:[–—/-]|to|bis|à|until)\s?\d{1,2}[:.h]\d{2}/iu.test(line) &&
  !NUMERIC_DATE.test(line) &&
  !MONTH_AND_DAY.test(line)

/** "Updated", "Published: ...". "Date" and "Time" do not count, because they also label the date of an event. */
export const isTimestampLabel = (line: string): boolean =>
  LABELLED.test(line) && !/^(?:date|time|datum)(?!\p{L})/iu.test(line)

/** A line that may differ between two visits to the same article. */
export function isChangingLine(line: string): boolean {
  if (line.length > MAX_LINE_CHARS) return false
  if (isRelativeTime(line) || isCounter(line) || isEditTimestamp(line) || isNameAndTime(line)) return true
  if (isDateLine(line)) return LABELLED.test(line) || (CLOCK_TIME.test(line) && !isTimeRange(line))
  if (LABELLED.test(line) && containsDate(line) && !/[.!?]$/.test(line)) return true
  const parts = line.split(/(?:(?<!\s)\s+)?[|•·]\s*|(?<!\s)\s+[–—-]\s+/).filter(Boolean)
  return (
    parts.length > 1 &&
    !isRange(line) &&
    parts.some(isChangingLine) &&
    parts.every((part) => isChangingLine(part) || isDateLine(part) || isNames(part) || isControl(part))
  )
}

/** "1931 – 2026", "2 - 1": years or a score. */
const isRange = (line: string): boolean => /^\d{1,4}\s*[–—-]\s*\d{1,4}$/.test(line)

/** "Jane Roe 3 hours ago", "120 points by bob 3 hours ago", "4.1K views 10:05": only a time, names and counts. */
function isNameAndTime(line: string): boolean {
  const hasRelativeTime = containsRelativeTime(line)
  if (!hasRelativeTime && !containsCount(line)) return false
  const rest = withoutCounts(withoutRelativeTimes(line)).replace(SEPARATORS, ' ').trim()
  return hasRelativeTime ? rest === '' || isNames(rest) || SOMEBODY.test(rest) : isDateLine(rest)
}
const SEPARATORS = /[\s,;|·•]+|:(?!\d)/g
const SOMEBODY =
  /^(?:(?:posted|submitted|published|written|asked|answered|shared|uploaded|added) )?(?:by|von|par|por) \S+$|^@?\p{L}[\p{L}\d._-]{0,24}$/iu

/** The last line of a wiki page: "This page was last edited on ...". */
const isEditTimestamp = (line: string): boolean => EDIT_TIMESTAMP.test(line) && containsDate(line)
const EDIT_TIMESTAMP =
  /^(?:this (?:page|article|document|entry) was (?:last|most recently) (?:edited|modified|updated|changed|revised)|diese seite wurde zuletzt|(?:cette page a été|dernière) modifi|esta página (?:se editó|foi editada|foi modificada) por última vez|questa pagina è stata modificata|deze pagina is voor het laatst)/iu

const isControl = (part: string): boolean =>
  /^(?:hide|save|reply|report|flag|share|permalink|edit|link|parent|context|next|prev|root)(?: \[[–+-]\])?$/i.test(part)

/** One to four capitalised words: names or a section title. */
const isNames = (part: string): boolean =>
  part.length <= 40 && /^(?:by |von |par |por )?(?:\p{Lu}[\p{L}.'’-]*\s?){1,4}$/u.test(part)

/** The line contains a date or a clock time anywhere. */
export const containsDate = (line: string): boolean =>
  CLOCK_TIME.test(line) || NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line) || containsOtherMonth(line)

/** A day, a month in a language that date-words.ts does not cover, and a year: "3. marts 2026". */
const containsOtherMonth = (line: string): boolean =>
  [...line.matchAll(DAY_AND_WORD)].some(([, word = '']) => word.length > 3 && monthOf(plainWords(word)) !== null)
const DAY_AND_WORD = /(?<!\d)\d{1,2}\.?\s([\p{L}\p{M}]+)\.?,?\s\d{4}(?!\d)/gu
