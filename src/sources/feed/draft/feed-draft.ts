/**
 * What the vocabularies have collected about a document while it is scanned.
 *
 * Nothing is interpreted here: texts stay ranges of the document, and links stay as written, with their base. The
 * callback gets each entry when its element ends.
 */

import { MAX_ENTRIES, MAX_OF_A_KIND } from '../limits.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'
import { EntryDraft } from './entry-draft.ts'
import type { PersonDraft, RankedText, WrittenLink } from './written-values.ts'

export class FeedDraft {
  /** Enough was seen to call the document a feed, usually a known root element. */
  isFeed = false
  /** Elements were left out because of it. */
  isTooDeep = false
  isRss = false
  /** The kind of a title without a type: 'text' in Atom, 'guess' in RSS, which does not define it. */
  untyped: TextKind = 'guess'
  mayHoldMojibake = false
  /** In Atom and JSON Feed, the authors of the feed are those of entries without one. */
  inheritsAuthors = false
  authors: PersonDraft[] = []
  titles: RankedText[] = []
  links: WrittenLink[] = []
  language: string | null = null
  /** From xml:lang. It counts only if the format's own language element is missing. */
  xmlLanguage: string | null = null
  icons: WrittenLink[] = []
  images: WrittenLink[] = []
  ttlMinutes: number | null = null
  updatePeriod: string | null = null
  updateFrequency: number | null = null
  skipHours: number[] = []
  skipDays: string[] = []

  #entries = 0
  /** A draft that collects the entries beyond the limit and is never read. */
  readonly #beyondLimit = new EntryDraft()
  readonly #whenEntryEnds: (entry: EntryDraft) => void
  /** The entry that elements currently belong to; `person` likewise. */
  entry: EntryDraft | null = null
  /** Inside a list of alternative contents, of which the HTML one is preferred. */
  inAlternatives = false
  /** Inside media:content, whose elements describe a picture or a video of the entry. */
  inMediaContent = false
  person: PersonDraft | null = null

  constructor(whenEntryEnds: (entry: EntryDraft) => void) {
    this.#whenEntryEnds = whenEntryEnds
  }

  /** Null beyond the limit of entries. */
  startEntry(): EntryDraft | null {
    // An entry inside an entry of another kind ends the outer one.
    if (this.entry !== null) this.endEntry()
    this.#entries++
    const isBeyondLimit = this.#entries > MAX_ENTRIES
    this.entry = isBeyondLimit ? this.#beyondLimit : new EntryDraft()
    return isBeyondLimit ? null : this.entry
  }

  endEntry(): void {
    const entry = this.entry
    this.entry = null
    if (entry !== null && this.#entries <= MAX_ENTRIES) this.#whenEntryEnds(entry)
  }

  get entriesBeyondLimit(): number {
    return Math.max(0, this.#entries - MAX_ENTRIES)
  }

  addTitle(title: RankedText): void {
    if (this.titles.length < MAX_OF_A_KIND) this.titles.push(title)
  }

  addAuthor(author: PersonDraft): void {
    if (this.authors.length < MAX_OF_A_KIND) this.authors.push(author)
  }

  addPicture(which: 'icons' | 'images', picture: WrittenLink): void {
    if (this[which].length < MAX_OF_A_KIND) this[which].push(picture)
  }

  addLink(link: WrittenLink): void {
    if (this.links.length < MAX_OF_A_KIND) this.links.push(link)
  }
}
