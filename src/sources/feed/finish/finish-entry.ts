/**
 * Turns the draft of an entry into the entry: chooses its title, its body and its URL.
 *
 * Content comes before description, and the format's own elements before those of other vocabularies. Empty texts are
 * skipped. Only as many texts are converted to plain text as are needed to find one with visible characters.
 */

import { collapseSpace } from '../../text/collapse-space.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import { bestFirst, firstRead, type RankedText, SUMMARY_RANK } from '../draft/written-values.ts'
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

/** So many characters beyond a limit show that a text is longer: a space is trimmed, and a character may be two units. */
const CHARS_TO_NOTICE_CUT = 3

/** `mend` and `mendName` repair mojibake if the document may have some. */
export type EntrySurroundings = Surroundings & {
  mend(text: string): string
  mendName(name: string): string
  /** RSS has nothing but the address for many authors. */
  readonly addressIsAuthor: boolean
}

/** `url` and `guid`: as written, if they await the feed's site. `isHalf`: the title was made from the body or the reverse. */
export type FinishedEntry = { entry: FeedEntry; url: string | null; guid: string | null; isHalf: boolean }

export function finishEntry(
  draft: EntryDraft,
  around: EntrySurroundings,
  dates: EntryDates,
  cuts: Cuts,
): FinishedEntry {
  const whole = bodyOf(draft, around)
  const ownTitle =
    titleOf(draft.titles, around) || (hasOnlyMediaText(draft, whole) ? titleOf(draft.mediaTitles, around) : '')
  const title = firstChars(ownTitle, MAX_TITLE_CHARS)
  const body = firstBytes(whole, MAX_BODY_BYTES)
  if (title.length < ownTitle.length) cuts.titles++
  if (body.length < whole.length) cuts.bodies++
  const guid = guidOf(draft, around)
  const address = entryUrl(draft, guid, around)
  const author = authorOf(draft.authors, around.addressIsAuthor) ?? authorOf(draft.sourceAuthors, false)
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
  return titles.length === 0 ? '' : around.mend(bestText(titles, MAX_TITLE_CHARS + CHARS_TO_NOTICE_CUT) ?? '')
}

/** Whether the entry has no text but that of its pictures or videos. Then a media title may be its title. */
function hasOnlyMediaText({ contents, summaries }: EntryDraft, body: string): boolean {
  return body === '' || (contents.length === 0 && summaries.every(({ rank }) => rank === SUMMARY_RANK.media))
}

function bodyOf({ contents, summaries }: EntryDraft, around: EntrySurroundings): string {
  if (contents.length === 0 && summaries.length === 0) return ''
  const limit = MAX_BODY_BYTES + CHARS_TO_NOTICE_CUT
  return around.mend(bestText(contents, limit) ?? bestText(latestFirst(summaries), limit) ?? '')
}

/** The best text that is not empty; null if there is none. */
export function bestText(texts: readonly RankedText[], limitChars: number): string | null {
  if (texts.length === 0) return null
  return firstRead(bestFirst(texts), ({ text, kind }) => {
    const plain = text.plain(kind, limitChars)
    return isVisible(plain) ? plain : null
  })
}

/** False for an empty text, and for invisible characters that some feeds put where a title is required. */
function isVisible(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first > 0x20 && first < 0x7f) || VISIBLE.test(text)
}

const VISIBLE = /[^\s\p{Cf}\u115f\u2800\u3164]/u

/** If an entry has the same element twice, the first is a teaser and the second the text. */
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
