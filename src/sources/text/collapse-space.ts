/**
 * Collapses every run of white space to one space and trims the ends. Soft hyphens and zero width spaces are dropped;
 * no-break spaces count as spaces.
 *
 * Most texts need no change. Searching for one character at a time is about fifty times faster than a pattern for all of
 * them, so each character is searched for alone and replaced only if it is there.
 */

/** Flags for rare characters that a text may contain. */
export type Rare = number
/** Soft hyphens and zero width spaces. */
export const INVISIBLE: Rare = 1
/** White space other than plain spaces and line feeds. */
export const ODD_SPACES: Rare = 2
export const ANYTHING: Rare = INVISIBLE | ODD_SPACES

const SOFT_HYPHEN = '\u00ad'
/** With its neighbour, because a class of two characters is found twice as fast as one. */
const ZERO_WIDTH = /[\u200b\u200c]/
/** The last byte of a zero width space. It is rarer than the first, and one byte is found much faster than three. */
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
const MANY_SPACES = / {2,}/g
/** All of these in one pattern, for long texts, so that they are not copied once for each character. */
const UNEVEN_SPACES = /[\t\n\v\f\r\u00a0][\t\n\v\f\r\u00a0 ]*| [\t\n\v\f\r\u00a0 ]+/g
const LONG_CHARS = 200_000

/** Up to this length a loop over all characters is faster than the searches. */
const SHORT_CHARS = 200
const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d
const NO_BREAK_SPACE = 0xa0

export function collapseSpace(text: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  return collapseMade(text, text, limitChars, ANYTHING)
}

/**
 * The same for a text made of pieces of a source. Rare characters are searched for in the source, because that is often
 * plain ASCII and faster to search. `rare` names the ones that may be there; the others are not searched for.
 */
export function collapseMade(text: string, source: string, limitChars: number, rare: Rare): string {
  if (text.length <= SHORT_CHARS && isRegular(text)) return cut(text, limitChars)
  const visible = (rare & INVISIBLE) !== 0 && hasInvisible(source) ? text.replace(ALL_INVISIBLE, '') : text
  return cut(trimmed(withSingleSpaces(visible, source, rare)), limitChars)
}

/** Whether a text needs no change. */
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

/** Collapses white space without trimming the ends. A rare character that is not in the source is not in the text. */
export function withSingleSpaces(text: string, source: string, rare: Rare): string {
  if (text.length > LONG_CHARS) return text.replace(UNEVEN_SPACES, ' ')
  const lines = text.includes('\n') ? text.replace(LINE_ENDS, ' ') : text
  const spaced = (rare & ODD_SPACES) !== 0 ? withPlainSpaces(lines, source) : lines
  return spaced.replace(MANY_SPACES, ' ')
}

function hasInvisible(text: string): boolean {
  return text.includes(SOFT_HYPHEN) || ZERO_WIDTH.test(text)
}

/** Finds the rare characters in UTF-8 bytes, which is much faster than in text. The bytes have no control characters. */
export function rareInUtf8(bytes: Uint8Array, isAscii: boolean): Rare {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // 0xc2 is the first byte of both the soft hyphen and the no-break space.
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

/** At most so many UTF-16 units, never half a character. */
function cut(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text
  const last = text.charCodeAt(limitChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars).trimEnd()
}
