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

/** Cuts behind the last element that ended directly in a top-level array, and closes what is open there. */
function closedAfterLastItem(text: string): string | null {
  const open: string[] = []
  let cutAt = -1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
    } else if (character === '{' || character === '[') open.push(character)
    else if (character === '}' || character === ']') {
      open.pop()
      if (open.length === 2 && open[1] === '[') cutAt = at + 1
    }
  }
  return cutAt < 0 ? null : `${text.slice(0, cutAt)}]}`
}

function endOfString(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
