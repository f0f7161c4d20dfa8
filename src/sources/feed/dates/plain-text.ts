/**
 * Brings a written date into the form in which dates are read: lower case, no accents, ASCII digits, single spaces, no
 * quotes around it, and East Asian dates rewritten.
 */
import { ownCopy } from '../../text/own-copy.ts'
import { isEastAsian, withoutEastAsian } from './east-asian.ts'
import { plainWords } from './months.ts'

const BEYOND_ASCII = /[^\x20-\x7e]/

export function plainText(written: string): string {
  if (!BEYOND_ASCII.test(written)) return bare(written.toLowerCase())
  return bare(EAST_ASIAN.test(written) ? withoutEastAsianForms(written) : withPlainRuns(written))
}

/** Korean letters and everything from the Chinese radicals on. Their meaning depends on what stands beside them. */
const EAST_ASIAN = /[\u1100-\u11ff\u2e80-\uffff]/

function withoutEastAsianForms(written: string): string {
  const text = withPlainSigns(written.normalize('NFKC'))
  const plain = isEastAsian(text) ? withoutEastAsian(text.trim()) : text
  return BEYOND_ASCII.test(plain) ? plainWords(plain) : plain.toLowerCase()
}

/** Converts each run of non-ASCII characters alone: normalising is slow, and the names of months and days repeat. */
function withPlainRuns(written: string): string {
  let plain = ''
  let done = 0
  for (let at = 0; at < written.length; at++) {
    if (written.charCodeAt(at) < 0x80) continue
    const start = at
    while (written.charCodeAt(at) >= 0x80) at++
    plain += written.slice(done, start) + plainRun(written.slice(start, at))
    done = at
  }
  return (plain + written.slice(done)).toLowerCase()
}

const MAX_RUNS = 1000
const plainRuns = new Map<string, string>()

function plainRun(run: string): string {
  const known = plainRuns.get(run)
  if (known !== undefined) return known
  const own = ownCopy(run)
  const plain = plainWords(withPlainSigns(own.normalize('NFKC')))
  if (plainRuns.size === MAX_RUNS) plainRuns.clear()
  plainRuns.set(own, plain)
  return plain
}

/** Marks for the writing direction, and characters without width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** Digits of Arabic, Persian, the Indic scripts, Thai, Lao, Burmese and Khmer. */
const DIGITS =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9]/g
/** Ranges that contain all of these and more, so that one test is enough for most dates. */
const MAY_HOLD_SIGNS = /[\u00ad\u0600-\u06ff\u0900-\u17ff\u2000-\u2fff\ufeff]/

function withPlainSigns(text: string): string {
  if (!MAY_HOLD_SIGNS.test(text)) return text
  const visible = text.replace(INVISIBLE, '').replace(DASHES, '-')
  return visible.replace(DIGITS, (digit) => {
    const code = digit.charCodeAt(0)
    // In Indic blocks the digits begin at 6 instead of 0.
    return String((code >= 0x900 && code < 0xe00 ? code - 6 : code) & 15)
  })
}

const TAG = /<[^<>]*>/g
/** Punctuation around a date. A point behind a year is kept. */
const BEFORE = /^[\s"'`.,;|[(\u2018-\u201f\u00ab]+/
const BEHIND = /(?<![\s"'`,;|\]\u2018-\u201f\u00bb])[\s"'`,;|\]\u2018-\u201f\u00bb]+$|(?<=[a-z])\.+$/

/** Removes tags and surrounding punctuation and makes spaces single. */
function bare(text: string): string {
  const plain = text.includes('<') ? text.replace(TAG, ' ') : text
  const single = withSingleSpaces(plain)
  if (isLetterOrDigit(single.charCodeAt(0)) && isLetterOrDigit(single.charCodeAt(single.length - 1))) return single
  return single.replace(BEFORE, '').replace(BEHIND, '')
}

/** Lower-case letters without accents, and digits. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x370 && code < 0x2000)
}

function withSingleSpaces(text: string): string {
  return UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text
}

const UNEVEN_SPACE = /\s\s|[^\S ]/
