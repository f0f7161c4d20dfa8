// Dates in HTTP headers, in the three forms RFC 9110 asks a recipient to read. Always GMT; anything else is no date.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT */
const WITH_COMMA =
  /^(?:[a-z]+,\s*)?(\d{1,2})[ -]([a-z]{3})[ -](\d{4}|\d{2})\s+(\d{2}):(\d{2}):(\d{2})\s*(?:gmt|utc|z)?$/i
/** Sun Nov  6 08:49:37 1994 */
const ASCTIME = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d{2}):(\d{2}):(\d{2})\s+(\d{4})$/i

/** `now` decides the century of a two-digit year: one that seems more than 50 years ahead is past. */
export function parseHttpDate(text: string, now: number): number | null {
  const trimmed = text.trim()
  const comma = WITH_COMMA.exec(trimmed)
  if (comma) {
    const [, day = '', month = '', year = '', hour, minute, second] = comma
    return instant(year.length === 2 ? fullYear(Number(year), now) : Number(year), month, day, hour, minute, second)
  }
  const [, month, day, hour, minute, second, year] = ASCTIME.exec(trimmed) ?? []
  return month && day ? instant(Number(year), month, day, hour, minute, second) : null
}

function instant(year: number, month: string, day: string, hour = '', minute = '', second = ''): number | null {
  const monthIndex = MONTHS.indexOf(month.toLowerCase())
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  // 60 is a leap second.
  if (monthIndex < 0 || d < 1 || d > 31 || h > 23 || m > 59 || s > 60) return null
  const date = new Date(0)
  date.setUTCFullYear(year, monthIndex, d)
  date.setUTCHours(h, m, s)
  return date.getUTCDate() === d || s === 60 ? date.getTime() : null
}

function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const sameCentury = thisYear - (thisYear % 100) + twoDigits
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury
}
