/**
 * Parses JSON that may be cut off or was written by a careless template. Everything up to the last complete value in an
 * array is kept. Trailing commas are dropped, control characters in strings become spaces, and a backslash that escapes
 * nothing is taken literally.
 */

export function parseCutJson(text: string): unknown {
  const clean = text.replace(/^\ufeff/, '')
  const whole = tryParse(clean)
  if (whole !== undefined) return whole
  const mended = withoutTrailingCommas(withValidEscapes(clean.replace(/[\x00-\x1f]/g, ' ')))
  return tryParse(mended) ?? tryParse(closedWhereCut(mended)) ?? null
}

/** A bound for hostile documents. */
const MAX_MENDED_ESCAPES = 100_000

/** Doubles a backslash that escapes nothing, and drops one before an apostrophe. */
function withValidEscapes(text: string): string {
  const parts: string[] = []
  let from = 0
  let at = text.indexOf('\\')
  while (at >= 0 && parts.length < MAX_MENDED_ESCAPES) {
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

/** The length of the escape sequence at this backslash; 0 if it is none. */
function escapeLength(text: string, at: number): number {
  const escaped = text.charAt(at + 1)
  if (escaped === 'u') return HEX.test(text.slice(at + 2, at + 6)) ? 6 : 0
  return escaped !== '' && ESCAPED.includes(escaped) ? 2 : 0
}

function tryParse(text: string | null): unknown {
  // JSON.parse would create all values before it notices a missing end.
  if (text === null || !text.trimEnd().endsWith('}') || isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_NESTING = 1000
const MANY_BRACKETS = '['.repeat(MAX_NESTING)

/** JSON.parse is slowest with deeply nested arrays, which no feed has. Brackets inside strings do not count. */
function isTooDeep(text: string): boolean {
  if (!text.includes(MANY_BRACKETS)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACKET && ++depth > MAX_NESTING) return true
    else if (code === BRACKET + 2) depth--
  }
  return false
}

/** A comma before a closing bracket, perhaps inside a string. */
const TRAILING_COMMA = /, *[}\]]/

/** Removes commas before closing brackets. */
function withoutTrailingCommas(text: string): string {
  if (!TRAILING_COMMA.test(text)) return text
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
/** The closing character has the code of the opening one plus 2. */
const BRACE = 0x7b
const BRACKET = 0x5b

/**
 * Cuts behind the last complete value of the document, or of an array in it, and closes the open brackets.
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
      if (open.push(code) > MAX_NESTING) return null
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
