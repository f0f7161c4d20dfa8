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
import { withOrdinarySpelling } from './spellings.ts'

export function readDate(written: string): number | null {
  const common = readCommon(written)
  if (common !== null) return common
  if (!mayBeDate(written)) return null
  const text = normalise(written)
  if (!/\d/.test(text)) return null
  const timestamp = readTimestamp(text)
  if (timestamp !== undefined) return timestamp
  const iso = readIso(text)
  const instant = iso === undefined ? readFreeForm(withOrdinarySpelling(text)) : iso
  return instant !== null && instant < NO_OTHER_CALENDAR && ARABIC.test(written) ? null : instant
}

/** Years about 1400 in this script are counted from the Hijra, by the sun or by the moon. */
const ARABIC = /[\u0600-\u06ff]/
const NO_OTHER_CALENDAR = Date.UTC(1600, 0, 1)

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

/** Lower case, no accents, plain digits and spaces; dates of other languages in the shape of the others. */
function normalise(written: string): string {
  if (/^[\x20-\x7e]*$/.test(written)) return bare(written.toLowerCase())
  const text = withPlainSigns(written.normalize('NFKC'))
  return bare(plainWords(isEastAsian(text) ? withoutEastAsian(text.trim()) : text))
}

const TAG = /<[^<>]*>/g
/** Signs that only surround a date. A point behind a year belongs to it. */
const BEFORE = /^[\s"'`.,;|[(\u2018-\u201f\u00ab]+/
const BEHIND = /[\s"'`,;|\]\u2018-\u201f\u00bb]+$|(?<=[a-z])\.+$/

/** No tags, no quotes, single spaces. */
function bare(text: string): string {
  const plain = text.includes('<') ? text.replace(TAG, ' ') : text
  const single = withSingleSpaces(plain)
  if (isOfWord(single.charCodeAt(0)) && isOfWord(single.charCodeAt(single.length - 1))) return single
  return single.replace(BEFORE, '').replace(BEHIND, '')
}

/** Letters and digits in lower case, without accents. */
function isOfWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x370 && code < 0x2000)
}

function withSingleSpaces(text: string): string {
  return UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text
}

const UNEVEN_SPACE = /\s\s|[^\S ]/

/** Marks for the direction of writing, and characters of no width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** Arabic, Persian, those of India, Thai, Lao, Burmese, Khmer. */
const DIGITS =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9]/g
/** Where all of these are, and more: one look is enough for most dates. */
const MAY_HOLD_SIGNS = /[\u00ad\u0600-\u06ff\u0900-\u17ff\u2000-\u2fff\ufeff]/

function withPlainSigns(text: string): string {
  if (!MAY_HOLD_SIGNS.test(text)) return text
  const visible = text.replace(INVISIBLE, '').replace(DASHES, '-')
  return visible.replace(DIGITS, (digit) => {
    const code = digit.charCodeAt(0)
    // Rows of India begin with six other characters.
    return String((code >= 0x900 && code < 0xe00 ? code - 6 : code) & 15)
  })
}
