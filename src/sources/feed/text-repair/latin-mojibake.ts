/**
 * Recognises letters of Latin alphabets that were encoded twice: `Ã©`, `Å‚`, `Â°`. The same characters may also be a
 * capital at the end of a word and a sign behind it. Either the sign or the word decides: capitals do not follow small
 * letters, and no small letter follows a `®`.
 */
import { windows1252ByteAt as byteAt, positionAfterLetter } from './windows-1252-bytes.ts'

/** Whether the two characters at this position, the first one of `Â` to `Í`, are certainly mojibake. */
export function isSureLatin(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  const sign = byteAt(text, at + 1)
  const position = positionAfterLetter(sign)
  if (lead === 0xc2) return isSureLatin1Sign(text, at, sign)
  if (lead === 0xcc) return position === 'odd' && isLetter(text, at - 1)
  if (lead > 0xc5) return isCommaOrSchwa(lead, sign) && isSmall(text, at - 1) && isSmall(text, at + 2)
  if (position === 'odd' || (isInSmallLetters(text, at) && isSmallLetter(lead, sign))) return true
  return lead === 0xc3 && (position === 'closing' ? beginsWord(text, at) : isUmlautFirst(text, at, sign))
}

/** `ș` and `ț` of Romanian, `ə` of Azerbaijani. */
function isCommaOrSchwa(lead: number, sign: number): boolean {
  return lead === 0xc8 ? sign === 0x99 || sign === 0x9b : lead === 0xc9 && sign === 0x99
}

/** The most frequent cases: `Â°`, `Â®`, `Â£`, and `Â’` in text that had been damaged before. */
function isSureLatin1Sign(text: string, at: number, sign: number): boolean {
  if (sign < 0xa0 || sign === ACUTE) return isInSmallLetters(text, at)
  // A formula may have an operator `Â²`, and a word in capitals may have a space behind it.
  if (BEHIND_A_SYMBOL.has(sign)) return at > 0 && !isBetweenWords(text, at - 1) && !isCapital(text, at - 1)
  return true
}

const ACUTE = 0xb4
const BEHIND_A_SYMBOL = new Set([0xa0, 0xb1, 0xb2, 0xb3, 0xb7, 0xb9])

/** Behind a small letter, as in `cafÃ©` or `oÃ¹`. In a unit such as `0.3 eÅ³` a real capital may follow one. */
function isInSmallLetters(text: string, at: number): boolean {
  if (!isSmall(text, at - 1)) return false
  return text.charCodeAt(at) === 0xc3 || isLetter(text, at - 2) || isSmall(text, at + 2)
}

function isSmallLetter(lead: number, sign: number): boolean {
  const letter = String.fromCharCode(((lead & 0x1f) << 6) | (sign & 0x3f))
  return letter !== letter.toUpperCase()
}

/** True in `Ã©tat` and `RÃ©union`, not in `LÃ® Portugal` or `IRMÃ®s`. If the sign is a dagger, true in `FRANÃ‡AIS` too. */
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

/** Vietnamese letters with two accents: `Viá»‡t`. */
export function isSureVietnamese(text: string, at: number): boolean {
  const isOfBlock = text.charCodeAt(at) === 0xe1 && (byteAt(text, at + 1) & 0xfe) === 0xba
  return isOfBlock && positionAfterLetter(byteAt(text, at + 2)) !== 'joining' && isSmall(text, at + 3)
}

/**
 * Whether two characters would decode to a phonetic letter or to a script that is hardly used. Exceptions are letters of
 * Romanian and Vietnamese, combining accents, and anything behind a small letter.
 */
export function isUnusedTwoByteLetter(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  if (lead <= 0xc5 || (lead >= 0xce && lead <= 0xdb)) return false
  const sign = byteAt(text, at + 1)
  if (lead === 0xc8 && sign >= 0x98 && sign <= 0x9b) return false
  if (lead === 0xc6 && VIETNAMESE_HORNS.has(sign)) return false
  if (lead === 0xcc && isSureLatin(text, at)) return false
  return lead === 0xdf || !isSmall(text, at - 1)
}

const VIETNAMESE_HORNS = new Set([0xa0, 0xa1, 0xaf, 0xb0])

/** Only a to z: a letter with an accent is part of a sequence here. */
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
