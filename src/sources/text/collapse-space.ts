/**
 * Text with every run of white space made one space and none at either end. Soft hyphens and zero width spaces are
 * dropped, no-break spaces are spaces.
 *
 * Most texts have nothing of the kind, and looking for one character at a time is what the runtime is fastest at: some
 * fifty times faster than a pattern for all of them. So each is looked for alone, and replaced only where there is one.
 */

/** What is rare and may be in a text, as flags. */
export type Rare = number
/** Soft hyphens and zero width spaces. */
export const INVISIBLE: Rare = 1
/** White space beside plain spaces and line ends. */
export const ODD_SPACES: Rare = 2
export const ANYTHING: Rare = INVISIBLE | ODD_SPACES

const SOFT_HYPHEN = '\u00ad'
/** With its neighbour, since a class of two is found twice as fast as the one. */
const ZERO_WIDTH = /[\u200b\u200c]/
/** The last byte of a zero width space. Unlike its first it is in hardly any text, and one byte is found much faster. */
const ZERO_WIDTH_END = 0x8b
const ALL_INVISIBLE = /[\u00ad\u200b]/g
const LINE_ENDS = /\n/g
const ALL_ODD_SPACES: [mark: string, all: RegExp][] = [
  ['\t', /\t/g],
  ['\r', /\r/g],
  ['\f', /\f/g],
  ['\v', /\v/g],
  ['\u00a0', /\u00a0/g],
]
const TWO_SPACES = / {2}/
const MANY_SPACES = / {2,}/g
/** All of the above at once. A text of many megabytes that consists of little else is not made anew for each of them. */
const UNEVEN_SPACES = /[\t\n\v\f\r\u00a0][\t\n\v\f\r\u00a0 ]*| [\t\n\v\f\r\u00a0 ]+/g
const LONG_CHARS = 200_000

/** Up to here looking at every character is faster than any search. */
const SHORT_CHARS = 200
const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d
const NO_BREAK_SPACE = 0xa0

export function collapseSpace(text: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  return collapseMade(text, text, limitChars, ANYTHING)
}

/**
 * The same for a text made of pieces of a source. Rare characters are looked for in the source: that is often plain
 * ASCII where the text no longer is, and searched at half the cost or none. Whoever knows that there are none (`rare`)
 * saves the search for those.
 */
export function collapseMade(text: string, source: string, limitChars: number, rare: Rare): string {
  if (text.length <= SHORT_CHARS && isRegular(text)) return cut(text, limitChars)
  const visible = (rare & INVISIBLE) !== 0 && hasInvisible(source) ? text.replace(ALL_INVISIBLE, '') : text
  return cut(trimmed(withSingleSpaces(visible, source, rare)), limitChars)
}

/** Right as it is. */
function isRegular(text: string): boolean {
  let before = SPACE
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isOrdinary = code > SPACE && code < NO_BREAK_SPACE
    if (!isOrdinary && (code === SPACE ? before === SPACE : isIrregular(code))) return false
    before = code
  }
  return before !== SPACE || text === ''
}

function isIrregular(code: number): boolean {
  return (code >= TAB && code <= RETURN) || code === NO_BREAK_SPACE || code === 0xad || code === 0x200b
}

/** Every run of white space one space, at the ends too; what the source does not have, the text has not either. */
export function withSingleSpaces(text: string, source: string, rare: Rare): string {
  if (text.length > LONG_CHARS) return text.replace(UNEVEN_SPACES, ' ')
  const lines = text.includes('\n') ? text.replace(LINE_ENDS, ' ') : text
  const spaced = (rare & ODD_SPACES) !== 0 ? withPlainSpaces(lines, source) : lines
  return TWO_SPACES.test(spaced) ? spaced.replace(MANY_SPACES, ' ') : spaced
}

function hasInvisible(text: string): boolean {
  return text.includes(SOFT_HYPHEN) || ZERO_WIDTH.test(text)
}

/** What there is in these bytes of UTF-8, which is much faster to tell. They have no control characters. */
export function rareInUtf8(bytes: Uint8Array, isAscii: boolean): Rare {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // The first byte of both the soft hyphen and the no-break space.
  const high = !isAscii && buffer.includes(0xc2)
  const zeroWidth = !isAscii && buffer.includes(ZERO_WIDTH_END) && buffer.includes('\u200b')
  const invisible = zeroWidth || (high && buffer.includes(SOFT_HYPHEN))
  const odd = buffer.includes(TAB) || buffer.includes(RETURN) || (high && buffer.includes('\u00a0'))
  return (invisible ? INVISIBLE : 0) | (odd ? ODD_SPACES : 0)
}

function withPlainSpaces(text: string, source: string): string {
  let out = text
  for (const [mark, all] of ALL_ODD_SPACES) if (source.includes(mark)) out = out.replace(all, ' ')
  return out
}

function trimmed(text: string): string {
  const from = text.charCodeAt(0) === SPACE ? 1 : 0
  const to = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length
  return from > 0 || to < text.length ? text.slice(from, Math.max(from, to)) : text
}

/** At most so many characters, never half of one. */
function cut(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text
  const last = text.charCodeAt(limitChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars).trimEnd()
}
