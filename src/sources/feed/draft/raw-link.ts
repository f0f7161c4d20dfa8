/** What a document has written, with where it stood: interpreted only when all of the document is known. */
import type { ElementText } from '../elements/element-text.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'

export type WrittenLink = {
  href: string | ElementText
  base: string | null
  rel: string
  type: string | null
  depth: number
}
export type RankedText = { text: ElementText; kind: TextKind; rank: number; depth: number }
/** Of what may stand for a summary, the best first. Two of the same rank are a teaser and the text. */
export const SUMMARY_RANK = {
  description: 0,
  summary: 1,
  abstract: 2,
  /** Said of a picture or film. */
  media: 3,
  dublinCore: 4,
  podcast: 5,
  podcastSubtitle: 6,
} as const
export type PersonDraft = { name: string; email: string; rank: number; depth: number }
export type WrittenGuid = { text: string | ElementText; permaLink: boolean | null; base: string | null; depth: number }
export type WrittenDate = { text: string | ElementText; rank: number; depth: number }

/** The best rank first, then the least deep, then the first. */
export function bestFirst<T extends { rank: number; depth: number }>(written: readonly T[]): readonly T[] {
  return written.length > 1 ? written.toSorted((a, b) => a.rank - b.rank || a.depth - b.depth) : written
}

/** What `read` makes of the first that it makes anything of. */
export function firstRead<T, R>(written: readonly T[], read: (one: T) => R | null): R | null {
  // Counted, since every entry has several such lists, and an iterator costs more than what is in most of them.
  for (let at = 0; at < written.length; at++) {
    const found = read(written[at] as T)
    if (found !== null) return found
  }
  return null
}
