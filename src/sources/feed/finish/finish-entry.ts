/**
 * Turns the draft of an entry into the entry: chooses its title, its body and its URL.
 *
 * Content comes before description, and the format's own elements before those of other vocabularies. Empty texts are
 * skipped. Only as many texts are converted to plain text as are needed to find one with visible characters.
 */

import { collapseSpace } from '../../text/collapse-space.ts'
import { firstBytes } from '../../text/first-bytes.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import { bestFirst, firstRead, type RankedText, SUMMARY_RANK } from '../draft/written-values.ts'
import type { FeedEntry, WrittenContent } from '../feed-document.ts'
import { firstChars, MAX_BODY_BYTES, MAX_NAME_CHARS, MAX_TITLE_CHARS, TITLE_FROM_BODY_CHARS } from '../limits.ts'
import { authorOf } from '../people/authors.ts'
import type { EntryDates } from './entry-dates.ts'
import { extrasOf } from './entry-extras.ts'
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
  addressIsAuthor(): boolean
}

/** `url` and `guid`: as written, if they await the feed's site. `isHalf`: the title was made from the body or the reverse. */
export type FinishedEntry = { entry: FeedEntry; url: string | null; guid: string | null; isHalf: boolean }

export function finishEntry(
  draft: EntryDraft,
  around: EntrySurroundings,
  dates: EntryDates,
  cuts: Cuts,
): FinishedEntry {
  const { text: whole, from } = bodyOf(draft, around)
  const ownTitle =
    titleOf(draft.titles, around) || (hasOnlyMediaText(draft, whole) ? titleOf(draft.mediaTitles, around) : '')
  const title = firstChars(ownTitle, MAX_TITLE_CHARS)
  const body = firstBytes(whole, MAX_BODY_BYTES)
  if (title.length < ownTitle.length) cuts.titles++
  if (body.length < whole.length) cuts.bodies++
  const guid = guidOf(draft, around)
  const address = entryUrl(draft, guid, around)
  const author = authorOf(draft.authors, around.addressIsAuthor()) ?? authorOf(draft.sourceAuthors, false)
  const entry: FeedEntry = {
    title: title || firstChars(body, TITLE_FROM_BODY_CHARS),
    body: body || title,
    url: address.url,
    publishedAt: dates.first(draft.published) ?? dates.first(draft.updated) ?? dates.first(draft.created),
    author: author === null ? null : around.mendName(author),
    guid: guid.value || null,
    categories: categoriesOf(draft, around),
    ...extrasOf(draft, around),
    content: contentOf(draft, from, around),
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

/** `from`: where the text was found. */
function bodyOf({ contents, summaries }: EntryDraft, around: EntrySurroundings): ChosenText {
  if (contents.length === 0 && summaries.length === 0) return NO_TEXT
  const limit = MAX_BODY_BYTES + CHARS_TO_NOTICE_CUT
  const { text, from } = bestOf(contents, limit) ?? bestOf(latestFirst(summaries), limit) ?? NO_TEXT
  return { text: around.mend(text), from }
}

/** The best text that is not empty; null if there is none. */
export function bestText(texts: readonly RankedText[], limitChars: number): string | null {
  return bestOf(texts, limitChars)?.text ?? null
}

type ChosenText = { readonly text: string; readonly from: RankedText | null }
const NO_TEXT: ChosenText = { text: '', from: null }

function bestOf(texts: readonly RankedText[], limitChars: number): ChosenText | null {
  if (texts.length === 0) return null
  return firstRead(bestFirst(texts), (from) => {
    const text = from.text.plain(from.kind, limitChars)
    return isVisible(text) ? { text, from } : null
  })
}

/** Longer contents are cut: nothing near this size is kept. */
const MAX_WRITTEN_CHARS = 3 * MAX_BODY_BYTES

/** The HTML of the text that became the body. An entry without text may still have a picture, as comics have. */
function contentOf(draft: EntryDraft, from: RankedText | null, around: EntrySurroundings): WrittenContent | null {
  const ranked = from ?? draft.contents[0] ?? draft.summaries[0]
  const html = ranked?.text.html(ranked.kind).slice(0, MAX_WRITTEN_CHARS) ?? ''
  return html.trim() === '' ? null : { html: around.mendName(html), base: ranked?.base ?? '' }
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
