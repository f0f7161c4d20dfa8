/** JSON that may have been cut off: everything up to the last complete value in an array is kept. */

export function parseCutJson(text: string): unknown {
  const clean = text.replace(/^\ufeff/, '')
  return tryParse(clean) ?? tryParse(withoutControls(clean)) ?? tryParse(closedAfterLastItem(clean)) ?? null
}

function tryParse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Raw line breaks and other control characters inside strings, which some templates leave in. */
function withoutControls(text: string): string | null {
  return /[\x00-\x1f]/.test(text) ? text.replace(/[\x00-\x1f]/g, ' ') : null
}

const DEEPEST = 1000
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Each is closed by the character two behind it. */
const BRACE = 0x7b
const BRACKET = 0x5b

/** Cuts behind the last element that ended directly in a top-level array, and closes what is open there. */
function closedAfterLastItem(text: string): string | null {
  const open: number[] = []
  let cutAt = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACE || code === BRACKET) {
      if (open.push(code) > DEEPEST) return null
    } else if (code === BRACE + 2 || code === BRACKET + 2) {
      open.pop()
      if (open.length === 2 && open[1] === BRACKET) cutAt = at + 1
    }
  }
  return cutAt < 0 ? null : `${text.slice(0, cutAt)}]}`
}

function endOfString(text: string, open: number): number {
  let at = open + 1
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1
  }
  return at
}
