/**
 * Decides whether a text is UTF-8 that was taken for windows-1252. Real text can look the same: an accented capital and
 * a sign (`CAFÉ™`, `Spaß…`) are two bytes of UTF-8, a small letter and two signs (`é——`) are three. So every non-ASCII
 * character must be part of a valid sequence, and at least one sequence must be one that nobody writes on purpose:
 * - a letter of a Latin alphabet (`Ã©`) by its sign or by the word around it, see `latin-mojibake.ts`;
 * - `â` and a sign that cannot follow it (`â€™`, `â‚¬`, `â†’`), or the beginning of an emoji (`ðŸ`);
 * - three letters of two bytes each in a row (Greek, Cyrillic, Hebrew, Arabic), two of three bytes (Chinese, Hindi),
 *   with at least one sign among them that does not stand behind a letter.
 * And no sequence may decode to a letter that no common language uses (`É’` would be `ɒ`).
 */
import { isSureLatin, isSureVietnamese, isUnusedTwoByteLetter } from './latin-mojibake.ts'
import { windows1252ByteAt as byteAt, positionAfterLetter } from './windows-1252-bytes.ts'

export function isSurelyMojibake(text: string): boolean {
  let isSure = false
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) < 0x80) {
      at++
      continue
    }
    const length = sequenceLength(text, at)
    if (length === 0 || isUnusedLetter(text, at)) return false
    isSure ||= isSureAt(text, at)
    at += length
  }
  return isSure
}

/** How many characters from here on form one UTF-8 sequence; 0 if they form none. */
function sequenceLength(text: string, at: number): number {
  const lead = text.charCodeAt(at)
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  for (let next = at + 1; next < at + length; next++) if ((byteAt(text, next) & 0xc0) !== 0x80) return 0
  return length
}

/** Whether a sequence decodes to phonetics, a script that is hardly used, private use or an empty plane. */
function isUnusedLetter(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  if (lead < 0xe0) return isUnusedTwoByteLetter(text, at)
  // Beyond emoji and rare ideographs there are only the tag characters of some flags.
  return lead === 0xee || (lead > 0xf0 && !(lead === 0xf3 && byteAt(text, at + 1) === 0xa0))
}

function isSureAt(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  if (lead < 0xce) return isSureLatin(text, at)
  if (lead <= 0xdb) return isRow(text, at, 3, isGreekToArabic)
  if (lead === 0xe2) return isSureSign(text, at)
  if (lead >= 0xe0 && lead <= 0xed) return isSureVietnamese(text, at) || isRow(text, at, 2, isIndianToKorean)
  return lead === 0xf0 && byteAt(text, at + 1) === 0x9f
}

const isGreekToArabic = (lead: number) => lead >= 0xce && lead <= 0xdb
const isIndianToKorean = (lead: number) => lead >= 0xe0 && lead <= 0xed && lead !== 0xe2

/** Whether `count` letters of this kind follow each other, one of them with an odd sign. */
function isRow(text: string, from: number, count: number, isOne: (lead: number) => boolean): boolean {
  let hasOdd = false
  let at = from
  for (let letter = 0; letter < count; letter++) {
    const length = isOne(text.charCodeAt(at)) ? sequenceLength(text, at) : 0
    if (length === 0) return false
    for (let sign = at + 1; sign < at + length; sign++) hasOdd ||= positionAfterLetter(byteAt(text, sign)) === 'odd'
    at += length
  }
  return hasOdd
}

/** Quotes, dashes, currencies, arrows, stars, hearts: all begin with `â`. */
function isSureSign(text: string, at: number): boolean {
  const second = byteAt(text, at + 1)
  if (second === 0x99) return positionAfterLetter(byteAt(text, at + 2)) === 'odd'
  return second === 0x82 || second === 0x86 || second === 0x87 || positionAfterLetter(second) === 'odd'
}
