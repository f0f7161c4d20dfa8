/** Values as the document states them, with their position. They are interpreted when their entry or the feed ends. */
import type { ElementText } from '../elements/element-text.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'

export type WrittenLink = {
  href: string | ElementText
  base: string | null
  rel: string
  type: string | null
  depth: number
}
/** `base`: the base for relative links in the text, if it may be HTML with links. */
export type RankedText = { text: ElementText; kind: TextKind; rank: number; depth: number; base?: string | null }
/** A file of the entry. `seconds`: how long it plays. */
export type WrittenEnclosure = {
  href: string
  base: string | null
  type: string | null
  length: number | null
  seconds: number | null
}
/** A picture of the entry. `width`: in pixels, 0 if it is not stated. */
export type WrittenPicture = { href: string | ElementText; base: string | null; rank: number; width: number }
/** The rank of each element that may state the entry's picture. */
export const PICTURE_RANK = { media: 0, own: 1, thumbnail: 2, enclosure: 3, banner: 4 } as const
export type WrittenTranscript = { href: string; base: string | null; type: string; language: string | null }
/** The rank of each element that may be a summary. Two texts of the same rank are a teaser and the text. */
export const SUMMARY_RANK = {
  description: 0,
  summary: 1,
  abstract: 2,
  /** Describes a picture or a video. */
  media: 3,
  dublinCore: 4,
  podcast: 5,
  podcastSubtitle: 6,
} as const
export type PersonDraft = { name: string; email: string; rank: number; depth: number }
export type WrittenGuid = { text: string | ElementText; permaLink: boolean | null; base: string | null; depth: number }
export type WrittenDate = { text: string | ElementText; rank: number; depth: number }

/** Sorted by rank, then by depth; equal ones keep their order. */
export function bestFirst<T extends { rank: number; depth: number }>(written: readonly T[]): readonly T[] {
  return written.length > 1 ? written.toSorted((a, b) => a.rank - b.rank || a.depth - b.depth) : written
}

/** The first result of `read` that is not null. */
export function firstRead<T, R>(written: readonly T[], read: (one: T) => R | null): R | null {
  // An index loop, because every entry has several short lists and an iterator costs more than most of them hold.
  for (let at = 0; at < written.length; at++) {
    const found = read(written[at] as T)
    if (found !== null) return found
  }
  return null
}
