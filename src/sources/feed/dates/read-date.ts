/**
 * Any date a real feed uses, as epoch milliseconds; null for what is none. Never the current time, never the local
 * zone: a date without a zone is taken as UTC (as Korean time when it is written in Korean).
 */

import { readCommon } from './common-forms.ts'
import { isEastAsian, withoutEastAsian } from './east-asian.ts'
import { readFreeForm } from './free-form.ts'
import { readIso } from './iso.ts'
import { plainWords } from './months.ts'
import { mayBeDate } from './plausible.ts'

export function readDate(written: string): number | null {
  const common = readCommon(written)
  if (common !== null) return common
  if (!mayBeDate(written)) return null
  const text = normalise(written)
  if (!/\d/.test(text)) return null
  const timestamp = readTimestamp(text)
  if (timestamp !== undefined) return timestamp
  const iso = readIso(text)
  return iso === undefined ? readFreeForm(text) : iso
}

/** Seconds or milliseconds since 1970, for the years 1973 to 2286. */
function readTimestamp(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined
  if (text.length === 9 || text.length === 10) return Number(text) * 1000
  return text.length === 13 ? Number(text) : undefined
}

/** Lower case, no accents, plain digits and spaces; East Asian dates in the shape of the others. */
function normalise(written: string): string {
  if (/^[\x20-\x7e]*$/.test(written)) return withSingleSpaces(written.toLowerCase()).trim()
  const text = written.normalize('NFKC').trim()
  const ordinary = isEastAsian(text) ? withoutEastAsian(text) : text
  const plain = plainWords(withPlainSigns(ordinary))
  return withSingleSpaces(plain).trim()
}

function withSingleSpaces(text: string): string {
  return UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text
}

const UNEVEN_SPACE = /\s\s|[^\S ]/

const DASHES = /[\u2010-\u2015\u2212]/g
/** Arabic, Persian, Devanagari, Bengali, Thai. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g

function withPlainSigns(text: string): string {
  return text.replace(DASHES, '-').replace(DIGITS, (digit) => {
    const code = digit.charCodeAt(0)
    // Rows of India begin with six other characters.
    return String((code >= 0x900 && code < 0xe00 ? code - 6 : code) & 15)
  })
}
