/** Only letters and digits, in lower case, so that titles with other punctuation or spacing compare as equal. */
export const comparableText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const MAX_TITLE_CHARS = 500
const TITLE_SEPARATOR = /\s[|–—·•:»/-]+\s/g

/** The title itself, and its parts without the site's name: "First story – the whole of it - The Courier". */
export function titleParts(title: string): string[] {
  const plain = title.slice(0, MAX_TITLE_CHARS).replace(/\s+/g, ' ')
  const cuts = [...plain.matchAll(TITLE_SEPARATOR)].map(({ index }) => index)
  return [plain, ...cuts.flatMap((cut) => [plain.slice(0, cut), plain.slice(cut)])]
}
