/**
 * Reads dates written as three numbers. Which of them is the day is decided, in this order, by size, by the weekday
 * beside them, by the separator (Americans never use dots), and by other American habits in the same text.
 */

import { isWeekday } from './day-words.ts'
import { type DateFields, fullYear, isDay, weekdayOf } from './instant.ts'

export type Hint = { american: boolean }

const NUMBERS = /(\d{1,4})\s*([./\s-])\s*(\d{1,2})\s*\2\s*(\d{1,4})(?!\d)/
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** `numbers`: all numbers in the text. */
export function dateOfNumbers(
  text: string,
  numbers: readonly string[],
  weekday: string | undefined,
  hint: () => Hint,
): DateFields | null {
  const found = numbers.length === 3 ? NUMBERS.exec(text) : null
  if (!found) return null
  // An unknown word is taken for a weekday, but only in front of the numbers.
  if (weekday !== undefined && found.index < text.indexOf(weekday) && !isWeekday(weekday)) return null
  const [, a = '', separator, b = '', c = ''] = found
  // The first number is too long for a part of a date.
  if (a !== numbers[0]) return null
  if (a.length > 2 || (c.length === 1 && a.length === 2 && separator !== '.'))
    return checked({ year: fullYear(a), month: Number(b), day: Number(c) })
  if (c.length !== 2 && c.length !== 4) return null
  const year = fullYear(c)
  const dayFirst = { year, month: Number(b), day: Number(a) }
  const monthFirst = { year, month: Number(a), day: Number(b) }
  if (!isDay(dayFirst) || !isDay(monthFirst)) return checked(dayFirst) ?? checked(monthFirst)
  const named = WEEKDAYS.indexOf(weekday?.slice(0, 3) ?? '')
  if (named >= 0 && weekdayOf(dayFirst) !== weekdayOf(monthFirst)) {
    if (weekdayOf(dayFirst) === named) return dayFirst
    if (weekdayOf(monthFirst) === named) return monthFirst
  }
  return separator === '/' && (hint().american || c.length === 2) ? monthFirst : dayFirst
}

function checked(fields: DateFields): DateFields | null {
  return isDay(fields) ? fields : null
}
