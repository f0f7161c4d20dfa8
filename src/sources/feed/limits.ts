/** How much of a document is kept. What exceeds a limit is cut and noted; it is never an error. */
export const MAX_ENTRIES = 10_000
export const MAX_TITLE_CHARS = 1_000
export const MAX_BODY_BYTES = 1_048_576
export const TITLE_FROM_BODY_CHARS = 100

/** For names and categories, which are cut, and for guids, which are shortened but stay different. */
export const MAX_NAME_CHARS = 1_000
/** For the links, categories, authors and titles of one entry or feed. */
export const MAX_OF_A_KIND = 100

/** Rare date forms are no longer tried in a document with so many more unreadable dates than readable ones. */
export const MAX_UNREADABLE_DATES = 500

/** Elements nested deeper than this are ignored. Markup inside a text does not count. */
export const MAX_DEPTH = 40
export const MAX_ATTRIBUTES = 64
/** How many nested elements may declare namespaces. */
export const MAX_NAMESPACE_SCOPES = 16

export function firstChars(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit).trimEnd()
}
