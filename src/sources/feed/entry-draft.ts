/** What the vocabularies have put down about one entry. The lower the rank, the better the source. */
import type { ElementText } from './element-text.ts'
import type { PersonDraft, RankedText, WrittenLink } from './feed-draft.ts'
import { MAX_CATEGORIES, MAX_LINKS } from './limits.ts'

export type WrittenGuid = { text: string | ElementText; permaLink: boolean | null; base: string | null; depth: number }
export type WrittenDate = { text: string | ElementText; rank: number; depth: number }

export class EntryDraft {
  titles: RankedText[] = []
  contents: RankedText[] = []
  summaries: RankedText[] = []
  links: WrittenLink[] = []
  guid: WrittenGuid | null = null
  about: string | null = null
  published: WrittenDate[] = []
  updated: WrittenDate[] = []
  created: WrittenDate[] = []
  authors: PersonDraft[] = []
  categories: (string | ElementText)[] = []

  addLink(link: WrittenLink): void {
    if (this.links.length < MAX_LINKS) this.links.push(link)
  }

  addCategory(category: string | ElementText | null): void {
    if (category !== null && this.categories.length < MAX_CATEGORIES) this.categories.push(category)
  }

  addAuthor(person: PersonDraft): void {
    if (this.authors.length < MAX_LINKS) this.authors.push(person)
  }

  setGuid(guid: WrittenGuid): void {
    if (this.guid === null || guid.depth < this.guid.depth) this.guid = guid
  }
}
