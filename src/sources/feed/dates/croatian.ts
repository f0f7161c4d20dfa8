/**
 * Croatian calls other months by names that Polish and Czech have too: listopada is October there and November in Poland.
 * It is told from them by the names of its weekdays, and by the point behind the day, which Polish never has; for what
 * Czech has as well, by another one behind the year.
 */
import { type DateFields, weekdayOf } from './instant.ts'

const MONTHS = new Map(Object.entries({ lip: 6, srp: 7, lis: 10, listopad: 10, listopada: 10 }))
const WEEKDAY = /^(?:ned(?:jelja)?|ponedjeljak|uto(?:rak)?|sri(?:jeda)?|cet(?:vrtak)?|pet(?:ak)?|sub(?:ota)?)\b/
const POINT_BEHIND_DAY = /(?:^|\s)\d\d?\.\s*li[ps]/
const POINTS = /(?:^|\s)\d\d?\.\s*srp\s\d{4}\./
/** Monday in all three. */
const MONDAY = /^pon\b/

/** What the word means in Croatian, if others mean another month by it. */
export function croatianMonth(word: string): number | null {
  return MONTHS.get(word) ?? null
}

/** Whether a date that may mean one day or another, which is Croatian, means that. */
export function isCroatian(date: string, usual: DateFields | null, croatian: DateFields): boolean {
  if (WEEKDAY.test(date) || POINT_BEHIND_DAY.test(date) || POINTS.test(date)) return true
  return MONDAY.test(date) && weekdayOf(croatian) === 1 && usual !== null && weekdayOf(usual) !== 1
}
