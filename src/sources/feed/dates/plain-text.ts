/**
 * What was written as a date, in the form in which dates are read: lower case, no accents, plain digits and spaces, no
 * quotes around it, dates of East Asia in the shape of the others.
 */
import { ownCopy } from '../../text/own-copy.ts'
import { isEastAsian, withoutEastAsian } from './east-asian.ts'
import { plainWords } from './months.ts'

const BEYOND_ASCII = /[^\x20-\x7e]/

export function plainText(written: string): string {
  if (!BEYOND_ASCII.test(written)) return bare(written.toLowerCase())
  return bare(EAST.test(written) ? withoutEast(written) : withPlainRuns(written))
}

/** Letters of Korean, and all from the signs of Chinese on: what they mean is told by what stands beside them. */
const EAST = /[\u1100-\u11ff\u2e80-\uffff]/

function withoutEast(written: string): string {
  const text = withPlainSigns(written.normalize('NFKC'))
  const plain = isEastAsian(text) ? withoutEastAsian(text.trim()) : text
  return BEYOND_ASCII.test(plain) ? plainWords(plain) : plain.toLowerCase()
}

/** What is not ASCII, run by run: names of months and days come again and again, and normal forms take their time. */
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

const MOST_RUNS = 1000
const plainRuns = new Map<string, string>()

function plainRun(run: string): string {
  const known = plainRuns.get(run)
  if (known !== undefined) return known
  const own = ownCopy(run)
  const plain = plainWords(withPlainSigns(own.normalize('NFKC')))
  if (plainRuns.size === MOST_RUNS) plainRuns.clear()
  plainRuns.set(own, plain)
  return plain
}

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
