/**
 * What the vocabularies have put down about a document while it is scanned.
 *
 * Nothing is interpreted here: texts stay ranges, links stay as written with the base they stood under. Whoever wants
 * to know what they mean is told of each entry when it ends.
 */

import { MAX_ENTRIES, MAX_OF_A_KIND } from '../limits.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'
import { EntryDraft } from './entry-draft.ts'
import type { PersonDraft, RankedText, WrittenLink } from './raw-link.ts'

export class FeedDraft {
  /** A root element of some feed format was there. */
  isFeed = false
  isRss = false
  /** Of 'text' or 'guess', what an untyped title is: Atom means text, RSS does not say. */
  untyped: TextKind = 'guess'
  mayHoldMojibake = false
  titles: RankedText[] = []
  links: WrittenLink[] = []
  language: string | null = null
  /** Of the document as XML, where the format has its own word for it. */
  xmlLanguage: string | null = null
  icons: WrittenLink[] = []
  images: WrittenLink[] = []
  ttlMinutes: number | null = null
  updatePeriod: string | null = null
  updateFrequency: number | null = null
  skipHours: number[] = []
  skipDays: string[] = []

  #entries = 0
  /** Takes what is written in all entries that nobody will be told of. */
  readonly #beyondLimit = new EntryDraft()
  readonly #whenEntryEnds: (entry: EntryDraft) => void
  /** The entry and the person that elements now belong to. */
  entry: EntryDraft | null = null
  /** Contents say the same in several ways, of which HTML says most. */
  inAlternatives = false
  /** What is said is said of a picture or film in the entry. */
  inMediaContent = false
  person: PersonDraft | null = null

  constructor(whenEntryEnds: (entry: EntryDraft) => void) {
    this.#whenEntryEnds = whenEntryEnds
  }

  /** Null where nobody will be told of it. */
  startEntry(): EntryDraft | null {
    // Where one stands inside another of a different kind, the outer one gets nothing more.
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

  addPicture(which: 'icons' | 'images', picture: WrittenLink): void {
    if (this[which].length < MAX_OF_A_KIND) this[which].push(picture)
  }

  addLink(link: WrittenLink): void {
    if (this.links.length < MAX_OF_A_KIND) this.links.push(link)
  }
}
