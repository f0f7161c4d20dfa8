/** How much of a document is kept. What is beyond is cut and noted, never an error. */
export const MAX_ENTRIES = 10_000
export const MAX_TITLE_CHARS = 1_000
export const MAX_BODY_BYTES = 1_048_576
export const TITLE_FROM_BODY_CHARS = 100

/** Facts that no sane feed makes long: names and categories, which are cut, and guids, which stay different. */
export const MAX_NAME_CHARS = 1_000
/** Links, categories, authors, titles of one entry or feed. */
export const MAX_OF_A_KIND = 100

/** Dates of a document in none of the ordinary forms: so many more that could not be read than could. */
export const MAX_DATES_IN_VAIN = 500

/** Elements nested deeper than this are passed over; markup inside a text does not count. */
export const MAX_DEPTH = 40
export const MAX_ATTRIBUTES = 64
/** Nested elements that may each redeclare namespaces. */
export const MAX_NAMESPACE_SCOPES = 16

export function firstChars(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit).trimEnd()
}

/** The longest beginning of the text that fits, in UTF-8, into so many bytes; never half a character. */
export function firstBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit || Buffer.byteLength(text) <= limit) return text
  const bytes = Buffer.from(text)
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end).trimEnd()
}
