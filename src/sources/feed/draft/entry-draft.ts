/** What the vocabularies have collected about one entry. A lower rank means a better source. */

import type { ElementText } from '../elements/element-text.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import type {
  PersonDraft,
  RankedText,
  WrittenDate,
  WrittenEnclosure,
  WrittenGuid,
  WrittenLink,
  WrittenPicture,
  WrittenTranscript,
} from './written-values.ts'

/** The shared empty list. A document has many entries, and most of their lists stay empty. */
const NONE: never[] = []

export class EntryDraft {
  titles: readonly RankedText[] = NONE
  mediaTitles: readonly RankedText[] = NONE
  contents: readonly RankedText[] = NONE
  summaries: readonly RankedText[] = NONE
  links: readonly WrittenLink[] = NONE
  published: readonly WrittenDate[] = NONE
  updated: readonly WrittenDate[] = NONE
  created: readonly WrittenDate[] = NONE
  authors: readonly PersonDraft[] = NONE
  /** Of the feed that the entry was taken over from. */
  sourceAuthors: readonly PersonDraft[] = NONE
  categories: readonly (string | ElementText)[] = NONE
  guids: readonly WrittenGuid[] = NONE
  about: string | null = null
  enclosures: readonly WrittenEnclosure[] = NONE
  pictures: readonly WrittenPicture[] = NONE
  /** Links to the page with the comments. */
  comments: readonly WrittenLink[] = NONE
  transcripts: readonly WrittenTranscript[] = NONE
  language: string | null = null
  /** How long the episode plays. */
  seconds: number | null = null

  get hasMoreThanTitle(): boolean {
    const { guids, links, published, updated, contents, summaries } = this
    return [guids, links, published, updated, contents, summaries].some((facts) => facts.length > 0)
  }

  addText(which: 'titles' | 'mediaTitles' | 'contents' | 'summaries', text: RankedText): void {
    this[which] = added(this[which], text)
  }

  addDate(which: 'published' | 'updated' | 'created', date: WrittenDate): void {
    this[which] = added(this[which], date)
  }

  /** Links of nested elements, such as the object of an activity, go behind the entry's own. */
  addLink(link: WrittenLink): void {
    const last = this.links.at(-1)
    if (!last || last.depth <= link.depth) this.links = added(this.links, link)
    else if (this.links.length < MAX_OF_A_KIND) {
      const deeper = this.links.findIndex(({ depth }) => depth > link.depth)
      this.links = this.links.toSpliced(deeper, 0, link)
    }
  }

  addCategory(category: string | ElementText | null): void {
    if (category !== null) this.categories = added(this.categories, category)
  }

  addAuthor(person: PersonDraft): void {
    this.authors = added(this.authors, person)
  }

  addSourceAuthor(person: PersonDraft): void {
    this.sourceAuthors = added(this.sourceAuthors, person)
  }

  addGuid(guid: WrittenGuid): void {
    this.guids = added(this.guids, guid)
  }

  addEnclosure(enclosure: WrittenEnclosure): void {
    this.enclosures = added(this.enclosures, enclosure)
  }

  addPicture(picture: WrittenPicture): void {
    this.pictures = added(this.pictures, picture)
  }

  addComments(link: WrittenLink): void {
    this.comments = added(this.comments, link)
  }

  addTranscript(transcript: WrittenTranscript): void {
    this.transcripts = added(this.transcripts, transcript)
  }
}

/** Up to this length a list is copied to add a value: growing it in place reserves room for seventeen more. */
const FEW = 3

/** Adds a value to a list that nobody else uses, up to the limit. */
function added<T>(list: readonly T[], one: T): readonly T[] {
  if (list === NONE) return [one]
  if (list.length < FEW) return [...list, one]
  if (list.length < MAX_OF_A_KIND) (list as T[]).push(one)
  return list
}
