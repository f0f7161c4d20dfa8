/**
 * From the draft of a feed to the document: the facts of the feed first, since its link is what the relative links
 * of its entries refer to, then the entries, then what can only be seen of all entries together.
 */
import { separateBoilerplate } from './boilerplate.ts'
import type { ElementText } from './element-text.ts'
import type { FeedDocument } from './feed-document.ts'
import type { FeedDraft } from './feed-draft.ts'
import { bestText, Cuts, finishEntry } from './finish-entry.ts'
import { firstChars, MAX_ENTRIES, MAX_NAME_CHARS, MAX_TITLE_CHARS } from './limits.ts'
import { webUrl } from './links.ts'
import { mendMojibake } from './mojibake.ts'
import { updateRhythm } from './update-rhythm.ts'
import type { WrittenLink } from './written.ts'

/** So short that looking costs nothing. */
const SHORT_CHARS = 200

export function finishFeed(draft: FeedDraft, documentUrl: string): FeedDocument {
  const cuts = new Cuts()
  const resolve = (link: WrittenLink) => webUrl(textOf(link.href), link.base, documentUrl)
  const related = (rel: string) => draft.links.filter((link) => link.rel === rel)
  const siteUrl = firstOf(siteLinks(draft).map(resolve))
  const mend = (text: string) =>
    text !== '' && (draft.mayHoldMojibake || text.length <= SHORT_CHARS) ? mendMojibake(text) : text
  const mendName = draft.mayHoldMojibake ? mendMojibake : (name: string) => name
  const around = { siteUrl, documentUrl, mend, mendName }
  const entries = draft.entries.map((entry) => finishEntry(entry, around, cuts))
  return {
    title: firstChars(mend(bestText(draft.titles, MAX_TITLE_CHARS) ?? ''), MAX_TITLE_CHARS) || null,
    siteUrl,
    selfUrl: firstOf(related('self').map(resolve)),
    nextUrl: firstOf(related('next').map(resolve)),
    hubs: [...new Set(related('hub').flatMap((link) => resolve(link) ?? []))],
    language: firstChars(draft.language ?? draft.xmlLanguage ?? '', MAX_NAME_CHARS) || null,
    icon: firstOf(draft.icons.map(resolve)),
    image: firstOf(draft.images.map(resolve)),
    ttlMinutes: draft.ttlMinutes,
    update: updateRhythm(draft.updatePeriod, draft.updateFrequency),
    skipHours: draft.skipHours.toSorted((a, b) => a - b),
    skipDays: draft.skipDays,
    truncated: cuts.notes(draft.entriesBeyondLimit, MAX_ENTRIES),
    entries: separateBoilerplate(entries),
  }
}

/** Links to a page before links to something of another type, each the least deep first. */
function siteLinks(draft: FeedDraft): WrittenLink[] {
  const alternates = draft.links.filter((link) => link.rel === 'alternate').sort((a, b) => a.depth - b.depth)
  const pages = alternates.filter((link) => link.type === null || link.type.includes('html'))
  return [...pages, ...alternates]
}

function textOf(written: string | ElementText): string {
  return typeof written === 'string' ? written : written.value()
}

function firstOf(urls: (string | null)[]): string | null {
  return urls.find((url) => url !== null) ?? null
}
