/**
 * Reads JSON Feed 1.0 and 1.1 into the same draft as the XML formats.
 *
 * Values of the wrong type count as missing. A document that was cut off is read up to its last complete item.
 */

import type { EntryDraft } from '../draft/entry-draft.ts'
import type { FeedDraft } from '../draft/feed-draft.ts'
import { PICTURE_RANK, type RankedText, type WrittenLink } from '../draft/written-values.ts'
import { ElementText } from '../elements/element-text.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import { nameIn } from '../people/authors.ts'
import { withoutControls } from '../text-repair/control-characters.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'
import { parseCutJson } from './cut-json.ts'

type Fields = Record<string, unknown>

/** Part of the version that a JSON Feed states. */
export const JSON_FEED = 'jsonfeed.org'

/** `mustStateVersion`: a list of items alone does not make the document a feed. */
export function readJsonFeed(text: string, draft: FeedDraft, mustStateVersion: boolean): void {
  const document = fieldsOf(parseCutJson(withQuotedIds(text)))
  const items = document?.items
  const statesVersion = stringOf(document?.version)?.includes(JSON_FEED) ?? false
  if (!document || !(statesVersion || (Array.isArray(items) && !mustStateVersion))) return
  draft.isFeed = true
  readFacts(draft, document)
  const listed = listOf(items)
  for (let at = 0; at < listed.length; at++) {
    const fields = fieldsOf(listed[at])
    const entry = fields ? draft.startEntry() : null
    if (fields && entry) readItem(entry, fields)
  }
  draft.endEntry()
}

/** Never matches inside a string, where the quotes would be escaped. */
const LONG_ID = /"id"\s{0,9}:\s{0,9}(\d{16,64})(?=[\s,}])/g

/** Quotes long numbers: parsing would round them, and two items could get the same id. */
function withQuotedIds(text: string): string {
  return text.replace(LONG_ID, '"id":"$1"')
}

function readFacts(draft: FeedDraft, document: Fields): void {
  const title = textOf(document.title, 'text', 0)
  if (title) draft.addTitle(title)
  const links = [
    linkTo(document.home_page_url, 'alternate'),
    linkTo(document.feed_url, 'self'),
    linkTo(document.next_url, 'next'),
    ...listOf(document.hubs).map((hub) => linkTo(fieldsOf(hub)?.url, 'hub')),
  ]
  for (const link of links) if (link) draft.addLink(link)
  const icon = linkTo(document.favicon, 'icon')
  if (icon) draft.addPicture('icons', icon)
  const image = linkTo(document.icon, 'image')
  if (image) draft.addPicture('images', image)
  draft.language = stringOf(document.language)
  draft.inheritsAuthors = true
  addAuthors(draft, document)
}

/** A feed may have very many small items, so nothing is allocated for missing fields. */
function readItem(entry: EntryDraft, item: Fields): void {
  addText(entry, 'titles', item.title, 'text', 0)
  addText(entry, 'contents', item.content_html, 'html', 0)
  addText(entry, 'contents', item.content_text, 'text', 1)
  addText(entry, 'summaries', item.summary, 'text', 0)
  addLink(entry, item.url)
  addLink(entry, item.external_url)
  const id = stringOrNumber(item.id)
  if (id !== null) entry.addGuid({ text: id, permaLink: null, base: null, depth: 0 })
  addDate(entry, 'published', item.date_published)
  addDate(entry, 'updated', item.date_modified)
  addAuthors(entry, item)
  const tags = typeof item.tags === 'string' ? item.tags.split(',', MAX_OF_A_KIND) : listOf(item.tags)
  for (const tag of tags) entry.addCategory(stringOf(tag))
  entry.language = stringOf(item.language)
  addPicture(entry, item.image, PICTURE_RANK.own)
  addPicture(entry, item.banner_image, PICTURE_RANK.banner)
  for (const attachment of listOf(item.attachments)) addAttachment(entry, attachment)
}

function addPicture(entry: EntryDraft, address: unknown, rank: number): void {
  const href = stringOf(address)
  if (href !== null) entry.addPicture({ href, base: null, rank, width: 0 })
}

function addAttachment(entry: EntryDraft, attachment: unknown): void {
  const fields = fieldsOf(attachment)
  const href = stringOf(fields?.url)
  if (href === null) return
  const type = stringOf(fields?.mime_type)?.toLowerCase() ?? null
  const [length, seconds] = [numberOf(fields?.size_in_bytes), numberOf(fields?.duration_in_seconds)]
  entry.addEnclosure({ href, base: null, type, length, seconds })
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? Math.round(value) : null
}

function addText(
  entry: EntryDraft,
  which: 'titles' | 'contents' | 'summaries',
  value: unknown,
  kind: TextKind,
  rank: number,
): void {
  const text = textOf(value, kind, rank)
  if (text) entry.addText(which, text)
}

function textOf(value: unknown, kind: TextKind, rank: number): RankedText | null {
  const written = stringOf(value)
  return written === null ? null : { text: ElementText.literally(written), kind, rank, depth: 0 }
}

function addLink(entry: EntryDraft, address: unknown): void {
  const link = linkTo(address, 'alternate')
  if (link) entry.addLink(link)
}

function linkTo(address: unknown, rel: string): WrittenLink | null {
  const href = stringOf(address)
  return href === null ? null : { href, base: null, rel, type: null, depth: 0 }
}

function addDate(entry: EntryDraft, which: 'published' | 'updated', value: unknown): void {
  const text = stringOrNumber(value)
  if (text !== null) entry.addDate(which, { text, rank: 0, depth: 0 })
}

function addAuthors(to: EntryDraft | FeedDraft, { authors, author }: Fields): void {
  for (const one of listOf(authors)) addAuthor(to, one)
  if (!Array.isArray(authors)) addAuthor(to, authors)
  addAuthor(to, author)
}

function addAuthor(to: EntryDraft | FeedDraft, author: unknown): void {
  const name = stringOf(fieldsOf(author)?.name) ?? stringOf(author)
  if (name !== null) to.addAuthor({ name: nameIn(name), email: '', rank: 0, depth: 0 })
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

const NO_LIST: readonly unknown[] = []

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_LIST
}

function stringOrNumber(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : stringOf(value)
}

/** Escaped control characters and lone surrogates appear only after parsing, so they are removed here. */
function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? withoutControls(value).toWellFormed() : null
}
