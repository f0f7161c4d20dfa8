/**
 * Reads the two forms that nearly all feeds use, by the position of their parts: `Tue, 01 Sep 2026 08:30:00 +0200` and
 * `2026-09-01T08:30:00+02:00`, also with Z, GMT or EST. Null means that the text has another form or is wrong. The
 * slower readers for all other forms are tried then.
 */
import { fromWall, utcInstant } from './instant.ts'
import { abbreviatedZone, type Zone } from './zones.ts'

const T = 0x54
const COMMA = 0x2c
const SPACE = 0x20
const DASH = 0x2d
const PLUS = 0x2b
const COLON = 0x3a
const LOWER_A = 0x61
const LONGEST_ABBREVIATION = 4
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'

export function readCommon(text: string): number | null {
  if (text.charCodeAt(10) === T) return readIso(text)
  return text.charCodeAt(3) === COMMA && text.charCodeAt(4) === SPACE ? readRfc822(text) : null
}

function readIso(text: string): number | null {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null
  const offset = text.charCodeAt(22) === COLON ? offsetAt(text, 19, 23, 25) : text.endsWith('Z') ? endAt(text, 20) : NaN
  return instantAt(text, 11, digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2), offset)
}

function readRfc822(text: string): number | null {
  // The day has one digit, two digits, or a space and one digit.
  const day = text.charCodeAt(5) === SPACE ? 6 : 5
  const month = text.charCodeAt(day + 1) === SPACE ? day + 2 : day + 3
  // The first three letters name the month. The rest of the word does not matter.
  let end = month + 3
  while (text.charCodeAt(end) >= LOWER_A) end++
  if (text.charCodeAt(end + 14) !== SPACE || text.charCodeAt(end + 5) !== SPACE) return null
  if (text.charCodeAt(end) !== SPACE || text.charCodeAt(month - 1) !== SPACE) return null
  const name = MONTHS.indexOf(text.slice(month, month + 3))
  if (name % 3 !== 0) return null
  const zone = end + 15
  const written = text.startsWith('GMT', zone) ? endAt(text, zone + 3) : offsetAt(text, zone, zone + 3, zone + 5)
  const abbreviated = Number.isNaN(written) ? zoneAt(text, zone) : null
  const offset = abbreviated === null ? written : 'minutes' in abbreviated ? abbreviated.minutes : 0
  const at = instantAt(
    text,
    end + 6,
    digitsAt(text, end + 1, 4),
    name / 3 + 1,
    digitsAt(text, day, month - day - 1),
    offset,
  )
  // A zone such as ET has two offsets, so the time was read as UTC and is corrected here.
  return at === null || abbreviated === null || 'minutes' in abbreviated ? at : fromWall(at, abbreviated)
}

function zoneAt(text: string, at: number): Zone | null {
  return text.length > at + LONGEST_ABBREVIATION ? null : abbreviatedZone(text.slice(at).toLowerCase())
}

/** `at`: the position of the time, which is written as 00:00:00. */
function instantAt(
  text: string,
  at: number,
  year: number,
  month: number,
  day: number,
  offsetMinutes: number,
): number | null {
  if (Number.isNaN(offsetMinutes)) return null
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return null
  const hour = digitsAt(text, at, 2)
  const minute = digitsAt(text, at + 3, 2)
  const second = digitsAt(text, at + 6, 2)
  if (!(hour < 24 && minute < 60 && second < 60)) return null
  return utcInstant(year, month, day, ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000)
}

/** An offset in minutes: a sign, two digits for hours and, at `minutes`, two for minutes. NaN unless the text ends at `end`. */
function offsetAt(text: string, sign: number, minutes: number, end: number): number {
  const code = text.charCodeAt(sign)
  if (code !== PLUS && code !== DASH) return NaN
  const rest = digitsAt(text, minutes, 2)
  const value = digitsAt(text, sign + 1, 2) * 60 + rest + endAt(text, end)
  if (!(rest < 60 && value <= 15 * 60)) return NaN
  return code === PLUS ? value : -value
}

/** An offset of 0 if the text ends there, else NaN. */
function endAt(text: string, end: number): number {
  return text.length === end ? 0 : NaN
}

/** NaN if these characters are not all digits. Every number calculated from it is NaN too. */
function digitsAt(text: string, at: number, count: number): number {
  let value = 0
  for (let next = at; next < at + count; next++) {
    const digit = text.charCodeAt(next) - 0x30
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN
  }
  return value
}
