/** Makes an instant from the fields of a date, or refuses them. No field is ever rolled over or guessed. */
import { type Zone, zoneOffsetMinutes } from './zones.ts'

export type DateFields = { year: number; month: number; day: number }
export type TimeFields = { hour: number; minute: number; second: number; millisecond: number }

/** Earlier years are mistakes: several languages print year 1 for a missing date, and 26 has lost two digits. */
const FIRST_YEAR = 100

export const MIDNIGHT: TimeFields = { hour: 0, minute: 0, second: 0, millisecond: 0 }

/** Epoch milliseconds, or null when there is no such day or time, or it lies outside the years 100 to 9999. */
export function instantOf(date: DateFields, time: TimeFields, zone: Zone): number | null {
  if (!isDay(date) || !isTime(time)) return null
  const wall = utc(date) + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + time.millisecond
  const instant = fromWall(wall, zone)
  return instant < END_OF_YEAR_9999 ? instant : null
}

/** `wall`: the time that clocks in the zone show, as if it were UTC. */
export function fromWall(wall: number, zone: Zone): number {
  return wall - zoneOffsetMinutes(zone, wall) * 60_000
}

/** The instant `afterMs` milliseconds after the start of a day, for the years 1000 to 9998; null if there is no such day. */
export function utcInstant(year: number, month: number, day: number, afterMs: number): number | null {
  if (!(year >= 1000 && year < 9999 && day >= 1 && day <= daysIn(year, month))) return null
  const instant = Date.UTC(year, month - 1, day) + afterMs
  return Number.isNaN(instant) ? null : instant
}

/** 0 for Sunday, as in Date. */
export function weekdayOf(date: DateFields): number {
  return new Date(utc(date)).getUTCDay()
}

export function isDay({ year, month, day }: DateFields): boolean {
  return year >= FIRST_YEAR && year <= 9999 && day >= 1 && day <= daysIn(year, month)
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 0 if there is no such month. */
function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0)
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Two digits stand for 1990 to 2089. Three digits are years since 1900, as some programs print them. */
export function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length <= 2) return year < 90 ? 2000 + year : 1900 + year
  return digits.length === 3 ? 1900 + year : year
}

/** 24:00:00 is the end of the day, and a minute may have a leap second. */
function isTime({ hour, minute, second }: TimeFields): boolean {
  if (hour === 24) return minute === 0 && second === 0
  return hour < 24 && minute < 60 && second <= 60
}

/** Works from year 100 on: Date.UTC takes smaller years for 19xx. */
function utc({ year, month, day }: DateFields): number {
  return Date.UTC(year, month - 1, day)
}

const END_OF_YEAR_9999 = utc({ year: 10_000, month: 1, day: 1 })

/** The hour from 0 to 24. `half` is 'a' for am and 'p' for pm. "13:30 PM" says the same thing twice. */
export function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12 || (hour === 0 && half === 'a')) return hour
  return (hour % 12) + (half === 'p' ? 12 : 0)
}
