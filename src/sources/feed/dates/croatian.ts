/**
 * Some month names of Croatian mean another month in Polish or Czech: listopada is October in Croatia and November in
 * Poland. Croatian dates are recognised by their weekday names and by the point behind the day, which Polish does not
 * use. Where Czech uses that point as well, a second point behind the year decides.
 */
import { type DateFields, weekdayOf } from './instant.ts'

const MONTHS = new Map(Object.entries({ lip: 6, srp: 7, lis: 10, listopad: 10, listopada: 10 }))
const WEEKDAY = /^(?:ned(?:jelja)?|ponedjeljak|uto(?:rak)?|sri(?:jeda)?|cet(?:vrtak)?|pet(?:ak)?|sub(?:ota)?)\b/
const POINT_AFTER_DAY = /(?:^|\s)\d\d?\.\s*li[ps]/
const POINTS_AFTER_DAY_AND_YEAR = /(?:^|\s)\d\d?\.\s*srp\s\d{4}\./
/** "Monday" begins like this in all three languages. */
const MONDAY = /^pon\b/

/** The month that the word means in Croatian, if it means another one elsewhere. */
export function croatianMonth(word: string): number | null {
  return MONTHS.get(word) ?? null
}

/** Whether a date with two possible meanings is Croatian. */
export function isCroatian(date: string, usual: DateFields | null, croatian: DateFields): boolean {
  if (WEEKDAY.test(date) || POINT_AFTER_DAY.test(date) || POINTS_AFTER_DAY_AND_YEAR.test(date)) return true
  return MONDAY.test(date) && weekdayOf(croatian) === 1 && usual !== null && weekdayOf(usual) !== 1
}
