/**
 * Turns the draft of a feed into the document. Each entry is finished when its element ends, so that no drafts pile up
 * in a long document. The facts of the feed, and what concerns all entries together, come at the end.
 *
 * The relative links of an entry refer to the feed's own link. Nearly all feeds state that before the entries. If it
 * comes later, the links that were resolved without it are resolved again.
 * See docs/decisions/0095-entries-finished-at-their-end-tag.md
 * See docs/decisions/0200-objects-made-often-have-no-getters-of-their-own.md
 */

import { languageTag } from '../../text/language-tag.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import { FeedDraft } from '../draft/feed-draft.ts'
import { firstRead, type WrittenLink } from '../draft/written-values.ts'
import type { FeedDocument, FeedEntry } from '../feed-document.ts'
import { firstChars, MAX_ENTRIES, MAX_NAME_CHARS, MAX_TITLE_CHARS } from '../limits.ts'
import { authorOf } from '../people/authors.ts'
import { mendMojibake, SHORT_CHARS } from '../text-repair/mojibake.ts'
import { separateBoilerplate } from './boilerplate.ts'
import { EntryDates } from './entry-dates.ts'
import { keptGuid } from './entry-url.ts'
import { bestText, Cuts, type EntrySurroundings, type FinishedEntry, finishEntry } from './finish-entry.ts'
import { webUrl } from './links.ts'
import { updateRhythm } from './update-period.ts'

export class FeedFinisher {
  readonly draft = new FeedDraft((entry) => this.#finish(entry))
  readonly #around: EntrySurroundings
  readonly #dates = new EntryDates()
  readonly #cuts = new Cuts()
  readonly #entries: FeedEntry[] = []
  readonly #halves: FeedEntry[] = []
  readonly #awaitingSite: FinishedEntry[] = []

  constructor(documentUrl: string) {
    const { draft } = this
    this.#around = {
      siteUrl: null,
      documentUrl,
      // Not a getter: the runtime would keep the closure of each one, and so each whole feed, until a full collection.
      addressIsAuthor: () => !draft.inheritsAuthors,
      mend: (text) =>
        text !== '' && (draft.mayHoldMojibake || text.length <= SHORT_CHARS) ? mendMojibake(text) : text,
      mendName: (name) => (draft.mayHoldMojibake ? mendMojibake(name) : name),
    }
  }

  document(): FeedDocument {
    const { draft } = this
    const siteUrl = this.#firstUrl(siteLinks(draft))
    this.#learnSite(siteUrl)
    this.#inheritAuthor()
    const language = firstChars(draft.language ?? draft.xmlLanguage ?? '', MAX_NAME_CHARS) || null
    this.#completeEntries(languageTag(language))
    return {
      title: firstChars(this.#around.mend(bestText(draft.titles, MAX_TITLE_CHARS) ?? ''), MAX_TITLE_CHARS) || null,
      siteUrl,
      selfUrl: this.#firstUrl(linksWithRelation(draft, 'self')),
      nextUrl: this.#firstUrl(linksWithRelation(draft, 'next')),
      prevArchiveUrl: this.#firstUrl(linksWithRelation(draft, 'prev-archive')),
      hubs: [...new Set(linksWithRelation(draft, 'hub').flatMap((link) => this.#resolve(link) ?? []))],
      language,
      icon: this.#firstUrl(draft.icons),
      image: this.#firstUrl(draft.images),
      ttlMinutes: draft.ttlMinutes,
      update: updateRhythm(draft.updatePeriod, draft.updateFrequency),
      skipHours: draft.skipHours.toSorted((a, b) => a - b),
      skipDays: draft.skipDays,
      truncated: [...this.#cuts.notes(draft.entriesBeyondLimit, MAX_ENTRIES), ...this.#dates.notes()],
      entries: separateBoilerplate(this.#entries, this.#halves),
    }
  }

  #finish(draft: EntryDraft): void {
    if (this.#entries.length === 0) this.#learnSite(this.#firstUrl(siteLinks(this.draft)))
    const finished = finishEntry(draft, this.#around, this.#dates, this.#cuts)
    this.#entries.push(finished.entry)
    if (finished.isHalf) this.#halves.push(finished.entry)
    if (finished.url !== null || finished.guid !== null) this.#awaitingSite.push(finished)
  }

  #learnSite(siteUrl: string | null): void {
    const { documentUrl } = this.#around
    if (siteUrl === null || this.#around.siteUrl !== null) return
    this.#around.siteUrl = siteUrl
    for (const { entry, url, guid } of this.#awaitingSite) {
      if (url !== null) entry.url = webUrl(url, siteUrl, documentUrl) ?? entry.url
      const address = guid === null ? null : webUrl(guid, siteUrl, documentUrl)
      if (address !== null) entry.guid = keptGuid(address)
    }
  }

  /** At the end: the feed may name its author behind its entries. */
  #inheritAuthor(): void {
    const { authors, inheritsAuthors } = this.draft
    const author = inheritsAuthors ? authorOf(authors, false) : null
    if (author === null) return
    const name = this.#around.mendName(author)
    for (const entry of this.#entries) entry.author ??= name
  }

  /** Gives the entries what only the whole feed knows: its language, and the base of links without one of their own. */
  #completeEntries(language: string | null): void {
    const { siteUrl, documentUrl } = this.#around
    for (const entry of this.#entries) {
      entry.language ??= language
      if (entry.content?.base === '') {
        entry.content.base = entry.url === documentUrl ? (siteUrl ?? documentUrl) : entry.url
      }
    }
  }

  #firstUrl(links: readonly WrittenLink[]): string | null {
    return firstRead(links, (link) => this.#resolve(link))
  }

  #resolve({ href, base }: WrittenLink): string | null {
    return webUrl(typeof href === 'string' ? href : href.value(), base, this.#around.documentUrl)
  }
}

function linksWithRelation({ links }: FeedDraft, rel: string): WrittenLink[] {
  return links.filter((link) => link.rel === rel)
}

/** Links to pages first, then all others; the least deep first. */
function siteLinks(draft: FeedDraft): WrittenLink[] {
  const alternates = linksWithRelation(draft, 'alternate').sort((a, b) => a.depth - b.depth)
  const pages = alternates.filter((link) => link.type === null || link.type.includes('html'))
  return [...pages, ...alternates]
}
