/**
 * Text with every run of white space made one space and none at either end. Soft hyphens, zero width spaces and control
 * characters are dropped. No-break spaces are spaces.
 */

/** What ends a stretch that can be copied as it is. Single spaces do not. */
const IRREGULAR = /[\x00-\x1f\x7f\xa0\xad\u200b\ufeff]| {2}/g

export function collapseSpace(text: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  let out = ''
  let at = 0
  let spaceBefore = false
  while (at < text.length && out.length < limitChars) {
    IRREGULAR.lastIndex = at
    // Of two spaces the first goes with the stretch before it, where it is trimmed.
    const irregular = IRREGULAR.test(text) ? IRREGULAR.lastIndex - 1 : text.length
    const from = text.charCodeAt(at) === 0x20 ? at + 1 : at
    const to = text.charCodeAt(irregular - 1) === 0x20 ? irregular - 1 : irregular
    if (from < to) {
      const space = (spaceBefore || from > at) && out !== ''
      out += space ? ` ${text.slice(from, to)}` : text.slice(from, to)
      spaceBefore = to < irregular
    } else if (irregular > at) spaceBefore = true
    if (isSpace(text.charCodeAt(irregular))) spaceBefore = true
    at = irregular + 1
  }
  return out.length <= limitChars ? out : cut(out, limitChars)
}

function cut(text: string, limitChars: number): string {
  const last = text.charCodeAt(limitChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars).trimEnd()
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0
}
