/**
 * JSON that may have been cut off, or written by a template: everything up to the last complete value in an array is
 * kept, commas behind the last value are not wanted, control characters in texts are spaces, and a backslash that
 * escapes nothing is one.
 */

export function parseCutJson(text: string): unknown {
  const clean = text.replace(/^\ufeff/, '')
  const whole = tryParse(clean)
  if (whole !== undefined) return whole
  const mended = withoutSpareCommas(withWholeEscapes(clean.replace(/[\x00-\x1f]/g, ' ')))
  return tryParse(mended) ?? tryParse(closedWhereCut(mended)) ?? null
}

/** Nobody has written more of them by mistake. */
const MOST_MENDED = 100_000

/** A backslash before what cannot be escaped is meant as one; before an apostrophe it is not meant at all. */
function withWholeEscapes(text: string): string {
  const parts: string[] = []
  let from = 0
  let at = text.indexOf('\\')
  while (at >= 0 && parts.length < MOST_MENDED) {
    const length = escapeLength(text, at)
    if (length === 0) {
      const isApostrophe = text.charAt(at + 1) === "'"
      parts.push(text.slice(from, at) + (isApostrophe ? '' : '\\'))
      from = isApostrophe ? at + 1 : at
    }
    at = text.indexOf('\\', at + (length || 1))
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from)
}

const ESCAPED = '"\\/bfnrt'
const HEX = /^[\da-f]{4}$/i

/** Of the one that begins here; 0 if it is none. */
function escapeLength(text: string, at: number): number {
  const escaped = text.charAt(at + 1)
  if (escaped === 'u') return HEX.test(text.slice(at + 2, at + 6)) ? 6 : 0
  return escaped !== '' && ESCAPED.includes(escaped) ? 2 : 0
}

function tryParse(text: string | null): unknown {
  // Where it does not end as it must, trying would make all of its values before that is found.
  if (text === null || !text.trimEnd().endsWith('}') || isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DEEPEST = 1000
const MANY_BRACKETS = '['.repeat(DEEPEST)

/** The runtime takes longest for lists in lists, of which no feed has thousands. They may stand in a text, though. */
function isTooDeep(text: string): boolean {
  if (!text.includes(MANY_BRACKETS)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACKET && ++depth > DEEPEST) return true
    else if (code === BRACKET + 2) depth--
  }
  return false
}

/** In a text or not. */
const MAY_BE_SPARE = /, *[}\]]/

/** Without those that stand before a closing bracket. */
function withoutSpareCommas(text: string): string {
  if (!MAY_BE_SPARE.test(text)) return text
  const parts: string[] = []
  let from = 0
  let comma = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === SPACE) continue
    if (comma >= 0 && (code === BRACE + 2 || code === BRACKET + 2)) {
      parts.push(text.slice(from, comma))
      from = at
    }
    comma = code === COMMA ? at : -1
    if (code === QUOTE) at = endOfString(text, at)
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

const SPACE = 0x20
const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Each is closed by the character two behind it. */
const BRACE = 0x7b
const BRACKET = 0x5b

/**
 * Cuts behind the last value that ended directly in the document or in an array of it, and closes what is open there.
 */
function closedWhereCut(text: string): string | null {
  const open: number[] = []
  let cutAt = -1
  let closing = ''
  const cut = (at: number, close: string) => {
    cutAt = at
    closing = close
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA && open.length === 1) cut(at, '}')
    else if (code === BRACE || code === BRACKET) {
      if (open.push(code) > DEEPEST) return null
      if (code === BRACKET && open.length === 2) cut(at + 1, ']}')
    } else if (code === BRACE + 2 || code === BRACKET + 2) {
      open.pop()
      if (open.length === 2 && open[1] === BRACKET) cut(at + 1, ']}')
    }
  }
  return cutAt < 0 ? null : text.slice(0, cutAt) + closing
}

function endOfString(text: string, open: number): number {
  let at = open + 1
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1
  }
  return at
}
