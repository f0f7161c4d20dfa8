/** Fields of a date that were read somewhere, put together or refused. No field is ever rolled over or guessed. */
import { type Zone, zoneOffsetMinutes } from './zones.ts'

export type DateFields = { year: number; month: number; day: number }
export type TimeFields = { hour: number; minute: number; second: number; millisecond: number }

/** Of earlier years there is no feed: 1 is what several languages print for no date at all, 26 has lost two digits. */
const FIRST_YEAR = 100

export const MIDNIGHT: TimeFields = { hour: 0, minute: 0, second: 0, millisecond: 0 }

/** Epoch milliseconds, or null when there is no such day or time, or it lies outside the years 100 to 9999. */
export function instantOf(date: DateFields, time: TimeFields, zone: Zone): number | null {
  if (!isDay(date) || !isTime(time)) return null
  const wall = utc(date) + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + time.millisecond
  const instant = fromWall(wall, zone)
  return instant < BEYOND ? instant : null
}

/** Of the time that clocks show there, as if it were UTC. */
export function fromWall(wall: number, zone: Zone): number {
  return wall - zoneOffsetMinutes(zone, wall) * 60_000
}

/** So many milliseconds after the start of a day, for the years that need no care; null for what may be no day. */
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

/** None in what is no month. */
function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0)
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Years of two digits are of 1990 to 2089; of three, a year counted from 1900 that was printed as it was. */
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

/** Of years from 100 on: those below are 19xx to Date.UTC. */
function utc({ year, month, day }: DateFields): number {
  return Date.UTC(year, month - 1, day)
}

const BEYOND = utc({ year: 10_000, month: 1, day: 1 })

/** Of the half of the day that is named, if one is. "13:30 PM" says the same thing twice. */
export function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12 || (hour === 0 && half === 'a')) return hour
  return (hour % 12) + (half === 'p' ? 12 : 0)
}
