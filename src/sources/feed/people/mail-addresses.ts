/** Finds mail addresses in a text. The search starts at each `@`, so that long words cost nothing. */

export type MailAddress = { start: number; end: number; address: string }

const LOCAL_CHARACTER = /[\w.!#$%&'*+=?^`{|}~-]/
const MAX_LOCAL_CHARS = 64
const HOST = /[a-z0-9][a-z0-9.-]{0,250}/iy
const SUBJECT = /\?subject=[^\s()<>]{0,250}/iy

export function mailAddresses(text: string, limit: number): MailAddress[] {
  const found: MailAddress[] = []
  let from = 0
  for (let sign = text.indexOf('@'); sign >= 0 && found.length < limit; sign = text.indexOf('@', sign + 1)) {
    const start = localStart(text, Math.max(from, sign - MAX_LOCAL_CHARS), sign)
    const end = endOf(HOST, text, sign + 1)
    if (start === sign || end === sign + 1 || isPartOfName(text, start, sign, end)) continue
    from = endOf(SUBJECT, text, end)
    found.push({ start, end: from, address: text.slice(start, end) })
  }
  return found
}

/** `@user@host` is a name on a social network, and in `DJ M@tt` no host with a dot follows. */
function isPartOfName(text: string, start: number, sign: number, end: number): boolean {
  if (text.charAt(start - 1) === '@') return true
  return !text.slice(sign, end).includes('.') && !standsAlone(text, start, end)
}

const ANNOUNCES = /(?:[(<[]|&lt;|mailto:)\s?$/i
const ANNOUNCING_CHARS = 'mailto: '.length
const ENDS = /(?:$|[)>\]?]|&gt;|\s?[(<[])/y

/** Whether it is the whole text apart from brackets, stands in brackets itself, or follows mailto:. */
function standsAlone(text: string, start: number, end: number): boolean {
  ENDS.lastIndex = end
  if (!ENDS.test(text)) return false
  return start === 0 || ANNOUNCES.test(text.slice(Math.max(0, start - ANNOUNCING_CHARS), start))
}

function localStart(text: string, earliest: number, sign: number): number {
  let start = sign
  while (start > earliest && LOCAL_CHARACTER.test(text.charAt(start - 1))) start--
  return start
}

/** The end of the match at this position; the position itself if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
