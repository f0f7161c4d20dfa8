/**
 * Reads any date that real feeds use, as epoch milliseconds; null for anything else. It never uses the current time or
 * the local zone: a date without a zone is taken as UTC, or as Korean time if it is written in Korean.
 */

import { readCommon } from './common-forms.ts'
import { readFreeForm } from './free-form.ts'
import { readIso } from './iso.ts'
import { plainText } from './plain-text.ts'
import { mayBeDate } from './plausible.ts'
import { withOrdinarySpelling } from './spellings.ts'

export function readDate(written: string): number | null {
  return readCommon(written) ?? readRare(written)
}

/** Reads all forms but the two common ones. */
export function readRare(written: string): number | null {
  if (!mayBeDate(written)) return null
  const text = plainText(written)
  if (!/\d/.test(text)) return null
  const known = mayBeginWithYear(text) ? readDigits(text) : undefined
  const instant = known === undefined ? readFreeForm(withOrdinarySpelling(text)) : known
  return instant !== null && instant < FIRST_GREGORIAN && ARABIC.test(written) ? null : instant
}

/** Years about 1400 in Arabic script belong to an Islamic calendar. */
const ARABIC = /[\u0600-\u06ff]/
const FIRST_GREGORIAN = Date.UTC(1600, 0, 1)

const LOWER_A = 0x61

/** False for "5 May 2026", "05.05.2026" and everything that begins with a word. */
function mayBeginWithYear(text: string): boolean {
  if (!isDigit(text.charCodeAt(0))) return text.charCodeAt(0) < LOWER_A
  return isDigit(text.charCodeAt(1)) && (isDigit(text.charCodeAt(2)) || text[2] === '-')
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function readDigits(text: string): number | null | undefined {
  const timestamp = readTimestamp(text)
  return timestamp === undefined ? readIso(text) : timestamp
}

/** Seconds, milliseconds or microseconds since 1970, for the years 1973 to 2286; also as .NET wraps them. */
function readTimestamp(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined
  const wrapped = /^\\?\/date\((\d{12,13})(?:[+-]\d{4})?\)\\?\/$/.exec(text)
  if (wrapped) return Number(wrapped[1])
  const [, whole = '', fraction = ''] = /^@?(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole.length === 9 || whole.length === 10) return Math.floor(Number(whole + fraction) * 1000)
  if (fraction !== '' || whole === '') return undefined
  return whole.length === 13 ? Number(whole) : whole.length === 16 ? Math.floor(Number(whole) / 1000) : undefined
}

const TIMESTAMP = /^(?:@?\d{9,16}(?:\.\d+)?$|\\?\/date)/
