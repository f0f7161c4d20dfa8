/**
 * Lines that change while the article stays: moments ("5 minutes ago", "Updated 10:32"), counters ("1,204 views"), bare numbers.
 * A hash over them would report a new article at every visit. Only whole lines count: a date inside a sentence is the author's.
 */
import { monthOf, plainWords } from '../../feed/dates/months.ts'
import { bearsCount, isCounter, isTally, withoutCounts } from './counters.ts'
import { BETWEEN, MONTHS, WEEKDAYS, ZONES } from './date-words.ts'
import { bearsMoment, isMoment, withoutMoments } from './relative-times.ts'
import { STAMP_LABELS } from './timestamp-labels.ts'

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'iu')

const DATE_WORD = whole(`${MONTHS}|${WEEKDAYS}|${ZONES}|${BETWEEN}|${STAMP_LABELS.replaceAll(' ', '|')}`)
const MONTH_WORD = whole(MONTHS)
const DATE_NUMBER = /^\d[\d.:]*(?:st|nd|rd|th|h|hrs|am|pm|º|ª|年|月|日)?\d*$/i
const LABELLED = new RegExp(`^(?:${STAMP_LABELS})(?!\\p{L})`, 'iu')
const CLOCK = /\b\d{1,2}[:.h]\d{2}\b|\d\s?(?:am|pm|uhr)\b/i
const NUMERIC_DATE = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s?年/
const MONTH_AND_DAY = new RegExp(
  `(?<!\\p{L})(?:${MONTHS})\\.?\\s+\\d{1,2}\\b|\\b\\d{1,2}\\.?\\s+(?:de\\s+)?(?:${MONTHS})(?!\\p{L})`,
  'iu',
)

const MAX_LINE_CHARS = 90

/** Nothing but a date or a time, with or without a label in front. */
export function isDateLine(line: string): boolean {
  if (line.length > MAX_LINE_CHARS || !/\d/.test(line)) return false
  const words = line.split(/[\s,;:|·•()[\]/–—-]+/).map((word) => word.replace(/^\.+|\.+$/g, ''))
  const isDatePart = (word: string): boolean =>
    word === '' || (/^\d/.test(word) ? DATE_NUMBER.test(word) : DATE_WORD.test(word))
  if (!words.every(isDatePart)) return false
  return CLOCK.test(line) || NUMERIC_DATE.test(line) || words.some((word) => MONTH_WORD.test(word))
}

/** A number, a result, a date or a time and nothing else: a counter or a stamp, or what the text is about. The place decides. */
export const isFigure = (line: string): boolean =>
  line.length <= MAX_LINE_CHARS && (isTally(line) || (isDateLine(line) && !isStampLabel(line)))

/** A day of the calendar, with a time or without, and no label: not "today", which is another day tomorrow. */
export const isDay = (line: string): boolean =>
  isDateLine(line.replaceAll('@', ' ')) &&
  !LABELLED.test(line) &&
  !RELATIVE_DAY.test(line) &&
  (NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line))
const RELATIVE_DAY = /today|yesterday|heute|gestern|aujourd|hier|hoy|ayer|oggi|ieri|hoje|ontem|сегодня|вчера/iu

/** "Monday 9:00 – 17:00": a stamp tells one moment. */
export const isSpan = (line: string): boolean =>
  isDateLine(line) &&
  !LABELLED.test(line) &&
  /\d{1,2}[:.h]\d{2}\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:[–—/-]|to|bis|à|until)\s?\d{1,2}[:.h]\d{2}/iu.test(line) &&
  !NUMERIC_DATE.test(line) &&
  !MONTH_AND_DAY.test(line)

/** "Updated", "Published: ..."; not "Date" or "Time", which head what an event is about as well. */
export const isStampLabel = (line: string): boolean =>
  LABELLED.test(line) && !/^(?:date|time|datum)(?!\p{L})/iu.test(line)

/** A line that can differ between two visits to the same article. */
export function isVolatile(line: string): boolean {
  if (line.length > MAX_LINE_CHARS) return false
  if (isMoment(line) || isCounter(line) || isEditStamp(line) || isMomentOfSomebody(line)) return true
  if (isDateLine(line)) return LABELLED.test(line) || (CLOCK.test(line) && !isSpan(line))
  if (LABELLED.test(line) && bearsDate(line) && !/[.!?]$/.test(line)) return true
  const parts = line.split(/\s*[|•·]\s*|\s+[–—-]\s+/).filter(Boolean)
  return (
    parts.length > 1 &&
    !isRange(line) &&
    parts.some(isVolatile) &&
    parts.every((part) => isVolatile(part) || isDateLine(part) || isNames(part) || isControl(part))
  )
}

/** "1931 – 2026", "2 - 1": a life, a result. */
const isRange = (line: string): boolean => /^\d{1,4}\s*[–—-]\s*\d{1,4}$/.test(line)

/** "Jane Roe 3 hours ago", "120 points by bob 3 hours ago", "4.1K views 10:05": a time, and nothing else but who and how many. */
function isMomentOfSomebody(line: string): boolean {
  const isAgo = bearsMoment(line)
  if (!isAgo && !bearsCount(line)) return false
  const rest = withoutCounts(withoutMoments(line)).replace(BETWEEN_PARTS, ' ').trim()
  return isAgo ? rest === '' || isNames(rest) || SOMEBODY.test(rest) : isDateLine(rest)
}
const BETWEEN_PARTS = /[\s,;|·•]+|:(?!\d)/g
const SOMEBODY =
  /^(?:(?:posted|submitted|published|written|asked|answered|shared|uploaded|added) )?(?:by|von|par|por) \S+$|^@?\p{L}[\p{L}\d._-]{0,24}$/iu

/** How wikis sign a page. */
const isEditStamp = (line: string): boolean => EDIT_STAMP.test(line) && bearsDate(line)
const EDIT_STAMP =
  /^(?:this (?:page|article|document|entry) was (?:last|most recently) (?:edited|modified|updated|changed|revised)|diese seite wurde zuletzt|(?:cette page a été|dernière) modifi|esta página (?:se editó|foi editada|foi modificada) por última vez|questa pagina è stata modificata|deze pagina is voor het laatst)/iu

const isControl = (part: string): boolean =>
  /^(?:hide|save|reply|report|flag|share|permalink|edit|link|parent|context|next|prev|root)(?: \[[–+-]\])?$/i.test(part)

/** Words that all begin with a capital: names, a rubric. */
const isNames = (part: string): boolean =>
  part.length <= 40 && /^(?:by |von |par |por )?(?:\p{Lu}[\p{L}.'’-]*\s?){1,4}$/u.test(part)

/** A date or a clock time somewhere in the line: between title and first paragraph that is the line of byline and date. */
export const bearsDate = (line: string): boolean =>
  CLOCK.test(line) || NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line) || bearsOtherMonth(line)

/** A day beside a month in a language that the words above do not have, and a year: "3. marts 2026". */
const bearsOtherMonth = (line: string): boolean =>
  [...line.matchAll(DAY_AND_WORD)].some(([, word = '']) => word.length > 3 && monthOf(plainWords(word)) !== null)
const DAY_AND_WORD = /(?<!\d)\d{1,2}\.?\s([\p{L}\p{M}]+)\.?,?\s\d{4}(?!\d)/gu
