/**
 * Letters of Latin alphabets that were encoded once too often: `Ã©`, `Å‚`, `Â°`. What tells them from a capital that
 * ends a word, and the sign behind it, is either the sign, or the word: capitals do not follow small letters, and no
 * small letter follows a `®`.
 */
import { windows1252ByteAt as byteAt, standingOf } from './windows-1252-bytes.ts'

/** For two characters from here on that begin with one of `Â` to `Í`. */
export function isSureLatin(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  const sign = byteAt(text, at + 1)
  const standing = standingOf(sign)
  if (lead === 0xc2) return isSureLatin1Sign(text, at, sign)
  if (lead === 0xcc) return standing === 'odd' && isLetter(text, at - 1)
  if (lead > 0xc5) return isCommaOrSchwa(lead, sign) && isSmall(text, at - 1) && isSmall(text, at + 2)
  if (standing === 'odd' || (isInSmallLetters(text, at) && isSmallLetter(lead, sign))) return true
  return lead === 0xc3 && (standing === 'closing' ? beginsWord(text, at) : isUmlautFirst(text, at, sign))
}

/** `ș` and `ț` of Romanian, `ə` of Azerbaijani. */
function isCommaOrSchwa(lead: number, sign: number): boolean {
  return lead === 0xc8 ? sign === 0x99 || sign === 0x9b : lead === 0xc9 && sign === 0x99
}

/** The accident with the most faces: `Â°`, `Â®`, `Â£`; `Â’` where the text went astray once more before. */
function isSureLatin1Sign(text: string, at: number, sign: number): boolean {
  if (sign < 0xa0 || sign === ACUTE) return isInSmallLetters(text, at)
  // A formula may have an operator `Â²`, a word in capitals a blank behind it.
  if (BEHIND_A_SYMBOL.has(sign)) return at > 0 && !isBetweenWords(text, at - 1) && !isCapital(text, at - 1)
  return true
}

const ACUTE = 0xb4
const BEHIND_A_SYMBOL = new Set([0xa0, 0xb1, 0xb2, 0xb3, 0xb7, 0xb9])

/** Behind a small letter: `cafÃ©`, `oÃ¹`. A unit like that of `0.3 eÅ³` may be a capital behind one. */
function isInSmallLetters(text: string, at: number): boolean {
  if (!isSmall(text, at - 1)) return false
  return text.charCodeAt(at) === 0xc3 || isLetter(text, at - 2) || isSmall(text, at + 2)
}

function isSmallLetter(lead: number, sign: number): boolean {
  const letter = String.fromCharCode(((lead & 0x1f) << 6) | (sign & 0x3f))
  return letter !== letter.toUpperCase()
}

/** `Ã©tat`, `RÃ©union`, but not `LÃ® Portugal` nor `IRMÃ®s`; with a dagger for the sign also `FRANÃ‡AIS`. */
function beginsWord(text: string, at: number): boolean {
  const sign = byteAt(text, at + 1)
  if (sign === 0x86 || sign === 0x87) return isLetter(text, at + 2)
  return isSmall(text, at + 2) && !(isCapital(text, at - 1) && isCapital(text, at - 2))
}

/** `Ã–sterreich`, `Ã…rhus`. */
function isUmlautFirst(text: string, at: number, sign: number): boolean {
  if (sign !== 0x96 && sign !== 0x85) return false
  return (at === 0 || isBetweenWords(text, at - 1)) && isSmall(text, at + 2) && isSmall(text, at + 3)
}

/** Letters of Vietnamese that have two accents: `Viá»‡t`. */
export function isSureVietnamese(text: string, at: number): boolean {
  const isOfBlock = text.charCodeAt(at) === 0xe1 && (byteAt(text, at + 1) & 0xfe) === 0xba
  return isOfBlock && standingOf(byteAt(text, at + 2)) !== 'joining' && isSmall(text, at + 3)
}

/**
 * Whether two characters would be a letter of phonetics, or of a script that hardly anybody writes. Romanian and
 * Vietnamese have some of that kind, and there are accents that follow their letter; behind a small letter it is meant.
 */
export function isNoLatinLanguages(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  if (lead <= 0xc5 || (lead >= 0xce && lead <= 0xdb)) return false
  const sign = byteAt(text, at + 1)
  if (lead === 0xc8 && sign >= 0x98 && sign <= 0x9b) return false
  if (lead === 0xc6 && VIETNAMESE_HORNS.has(sign)) return false
  if (lead === 0xcc && isSureLatin(text, at)) return false
  return lead === 0xdf || !isSmall(text, at - 1)
}

const VIETNAMESE_HORNS = new Set([0xa0, 0xa1, 0xaf, 0xb0])

/** Of no alphabet but the plain one: what has an accent is part of a sequence here. */
function isSmall(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x61 && code <= 0x7a
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x41 && code <= 0x5a
}

function isLetter(text: string, at: number): boolean {
  return isSmall(text, at) || isCapital(text, at)
}

function isBetweenWords(text: string, at: number): boolean {
  return ' \n("\''.includes(text.charAt(at))
}
