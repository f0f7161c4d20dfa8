/** Where a text has addresses of mail. Each is looked for around its `@`, so that long words cost nothing. */

export type MailAddress = { start: number; end: number; address: string }

const LOCAL_CHARACTER = /[\w.!#$%&'*+/=?^`{|}~-]/
const MAX_LOCAL_CHARS = 64
const HOST = /[a-z0-9][a-z0-9.-]{0,250}/iy
const SUBJECT = /\?subject=[^\s()<>]{0,250}/iy

export function mailAddresses(text: string, limit: number): MailAddress[] {
  const found: MailAddress[] = []
  let from = 0
  for (let sign = text.indexOf('@'); sign >= 0 && found.length < limit; sign = text.indexOf('@', sign + 1)) {
    const start = localStart(text, Math.max(from, sign - MAX_LOCAL_CHARS), sign)
    const end = endOf(HOST, text, sign + 1)
    if (start === sign || end === sign + 1) continue
    from = endOf(SUBJECT, text, end)
    found.push({ start, end: from, address: text.slice(start, end) })
  }
  return found
}

function localStart(text: string, earliest: number, sign: number): number {
  let start = sign
  while (start > earliest && LOCAL_CHARACTER.test(text.charAt(start - 1))) start--
  return start
}

/** Where it stands if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
