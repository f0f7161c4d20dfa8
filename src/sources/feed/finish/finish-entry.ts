/**
 * From the draft of an entry to the entry: which of its texts is the title, which the body, where it leads.
 *
 * Content goes before description, core elements before those of other vocabularies; what is empty is passed over.
 * Texts are turned into plain text here, only as many as it takes to find one with something in it.
 */

import { collapseSpace } from '../../text/collapse-space.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import { bestFirst, firstRead, type RankedText, SUMMARY_RANK } from '../draft/raw-link.ts'
import type { FeedEntry } from '../feed-document.ts'
import {
  firstBytes,
  firstChars,
  MAX_BODY_BYTES,
  MAX_NAME_CHARS,
  MAX_TITLE_CHARS,
  TITLE_FROM_BODY_CHARS,
} from '../limits.ts'
import { authorOf } from '../people/authors.ts'
import type { EntryDates } from './entry-dates.ts'
import { entryUrl, guidOf, type Surroundings } from './entry-url.ts'

export class Cuts {
  titles = 0
  bodies = 0

  notes(entriesLeftOut: number, maxEntries: number): string[] {
    const notes: string[] = []
    if (entriesLeftOut > 0) notes.push(`${entriesLeftOut} entries beyond the first ${maxEntries} were left out`)
    if (this.titles > 0) notes.push(`${this.titles} titles were cut to ${MAX_TITLE_CHARS} characters`)
    if (this.bodies > 0) notes.push(`${this.bodies} bodies were cut to ${MAX_BODY_BYTES} bytes`)
    return notes
  }
}

/** A blank, and a character of two units behind it: less would be trimmed away again, and the cut not noticed. */
const TO_SEE_A_CUT = 3

/** They undo what the text around it may have suffered. */
export type EntrySurroundings = Surroundings & {
  mend(text: string): string
  mendName(name: string): string
}

/** With what its addresses were written as, where they await the feed's site. `isHalf`: title or body is of the other. */
export type FinishedEntry = { entry: FeedEntry; url: string | null; guid: string | null; isHalf: boolean }

export function finishEntry(
  draft: EntryDraft,
  around: EntrySurroundings,
  dates: EntryDates,
  cuts: Cuts,
): FinishedEntry {
  const whole = bodyOf(draft, around)
  const ownTitle = titleOf(draft.titles, around) || (isOfMedia(draft, whole) ? titleOf(draft.mediaTitles, around) : '')
  const title = firstChars(ownTitle, MAX_TITLE_CHARS)
  const body = firstBytes(whole, MAX_BODY_BYTES)
  if (title.length < ownTitle.length) cuts.titles++
  if (body.length < whole.length) cuts.bodies++
  const guid = guidOf(draft, around)
  const address = entryUrl(draft, guid, around)
  const author = authorOf(draft.authors)
  const entry: FeedEntry = {
    title: title || firstChars(body, TITLE_FROM_BODY_CHARS),
    body: body || title,
    url: address.url,
    publishedAt: dates.first(draft.published) ?? dates.first(draft.updated) ?? dates.first(draft.created),
    author: author === null ? null : around.mendName(author),
    guid: guid.value || null,
    categories: categoriesOf(draft, around),
  }
  return { entry, url: address.awaits, guid: guid.awaits, isHalf: title === '' || body === '' }
}

function titleOf(titles: readonly RankedText[], around: EntrySurroundings): string {
  return titles.length === 0 ? '' : around.mend(bestText(titles, MAX_TITLE_CHARS + TO_SEE_A_CUT) ?? '')
}

/** What is shown in it says all that it says. */
function isOfMedia({ contents, summaries }: EntryDraft, body: string): boolean {
  return body === '' || (contents.length === 0 && summaries.every(({ rank }) => rank === SUMMARY_RANK.media))
}

function bodyOf({ contents, summaries }: EntryDraft, around: EntrySurroundings): string {
  if (contents.length === 0 && summaries.length === 0) return ''
  const limit = MAX_BODY_BYTES + TO_SEE_A_CUT
  return around.mend(bestText(contents, limit) ?? bestText(latestFirst(summaries), limit) ?? '')
}

/** Null when all of them are empty. */
export function bestText(texts: readonly RankedText[], limitChars: number): string | null {
  if (texts.length === 0) return null
  return firstRead(bestFirst(texts), ({ text, kind }) => {
    const plain = text.plain(kind, limitChars)
    return isVisible(plain) ? plain : null
  })
}

/** Neither nothing at all, nor only marks and blanks that some put where a title has to be. */
function isVisible(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first > 0x20 && first < 0x7f) || VISIBLE.test(text)
}

const VISIBLE = /[^\s\p{Cf}\u115f\u2800\u3164]/u

/** Where an entry has two descriptions by the same element, the first is the teaser and the second the text. */
function latestFirst(texts: readonly RankedText[]): readonly RankedText[] {
  return texts.length > 1 ? texts.toReversed() : texts
}

function categoriesOf(draft: EntryDraft, around: EntrySurroundings): string[] {
  if (draft.categories.length === 0) return []
  const plain = draft.categories.map((written) =>
    around.mendName(
      typeof written === 'string' ? collapseSpace(written, MAX_NAME_CHARS) : written.plain('guess', MAX_NAME_CHARS),
    ),
  )
  return plain.filter((category, at) => category !== '' && plain.indexOf(category) === at)
}
