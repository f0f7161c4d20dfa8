/** The two forms that nearly all feeds use, read at once. Null when it is another, or looks right and is not. */
import { instantOf, type TimeFields } from './instant.ts'
import { readZone, type Zone } from './zones.ts'

const RFC_822 =
  /^\s*(?:[A-Za-z]{3,9},? +)?(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (\d{4}) (\d\d?):(\d\d)(?::(\d\d))? (?:GMT|UTC|(?![AP]M)([A-Z]{2,4})|([+-])(\d\d):?(\d\d))\s*$/
const ISO = /^\s*(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))\s*$/
const MONTHS = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, at) => [
    name,
    at + 1,
  ]),
)

export function readCommon(written: string): number | null {
  const rfc = RFC_822.exec(written)
  if (rfc) {
    const [, day, month = '', year, hour, minute, second, name, sign, hours, minutes] = rfc
    const zone = name === undefined ? offset(sign, hours, minutes) : readZone(name.toLowerCase())
    const date = { year: Number(year), month: MONTHS.get(month) ?? 0, day: Number(day) }
    return zone && instantOf(date, time(hour, minute, second, undefined), zone)
  }
  const iso = ISO.exec(written)
  if (!iso) return null
  const [, year, month, day, hour, minute, second, fraction, sign, hours, minutes] = iso
  const zone = offset(sign, hours, minutes)
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  return zone && instantOf(date, time(hour, minute, second, fraction), zone)
}

function time(hour = '0', minute = '0', second = '0', fraction = '0'): TimeFields {
  const millisecond = Math.floor(Number(`0.${fraction}`) * 1000)
  return { hour: Number(hour), minute: Number(minute), second: Number(second), millisecond }
}

function offset(sign: string | undefined, hours = '0', minutes = '0'): Zone | null {
  const value = Number(hours) * 60 + Number(minutes)
  if (value > 15 * 60 || Number(minutes) > 59) return null
  return { minutes: sign === '-' ? -value : value }
}
