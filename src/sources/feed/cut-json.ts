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

const CLOSER = new Map([
  ['{', '}'],
  ['[', ']'],
])

/** Cuts behind the last element that ended directly in a top-level array, and closes what is open there. */
function closedAfterLastItem(text: string): string | null {
  const open: string[] = []
  let cut: { at: number; tail: string } | null = null
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const closer = CLOSER.get(token[0])
    if (closer) open.push(closer)
    else if (token[0] === '}' || token[0] === ']') {
      open.pop()
      if (open.length === 2 && open[1] === ']') cut = { at: tokens.lastIndex, tail: ']}' }
    }
  }
  return cut ? text.slice(0, cut.at) + cut.tail : null
}
