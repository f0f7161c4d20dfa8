/**
 * JSON Feed 1.0 and 1.1, into the same draft as the XML formats.
 *
 * Values of the wrong type are as good as missing; a document that was cut off is read up to its last whole item.
 */

import { withoutControls } from './controls.ts'
import { parseCutJson } from './cut-json.ts'
import { ElementText } from './element-text.ts'
import type { EntryDraft } from './entry-draft.ts'
import { FeedDraft } from './feed-draft.ts'
import { MAX_OF_A_KIND } from './limits.ts'
import type { TextKind } from './text-kind.ts'
import type { PersonDraft, RankedText, WrittenDate, WrittenLink } from './written.ts'

type Fields = Record<string, unknown>

export function readJsonFeed(text: string): FeedDraft {
  const draft = new FeedDraft()
  const document = fieldsOf(parseCutJson(text))
  const items = document?.items
  if (!document || !(Array.isArray(items) || String(document.version).includes('jsonfeed.org'))) return draft
  draft.isFeed = true
  readFacts(draft, document)
  for (const item of Array.isArray(items) ? items : []) {
    const fields = fieldsOf(item)
    if (!fields) continue
    const entry = draft.startEntry()
    if (draft.entriesBeyondLimit === 0) readItem(entry, fields)
  }
  draft.endEntry()
  return draft
}

function readFacts(draft: FeedDraft, document: Fields): void {
  draft.titles = textsOf(document, ['title', 'text'])
  draft.links = [
    ...linksOf(document, 'home_page_url', 'alternate'),
    ...linksOf(document, 'feed_url', 'self'),
    ...linksOf(document, 'next_url', 'next'),
    ...listOf(document.hubs).flatMap((hub) => linksOf(fieldsOf(hub) ?? {}, 'url', 'hub')),
  ].slice(0, MAX_OF_A_KIND)
  draft.language = stringOf(document.language)
  draft.icons = linksOf(document, 'favicon', 'icon')
  draft.images = linksOf(document, 'icon', 'image')
}

function readItem(entry: EntryDraft, item: Fields): void {
  entry.titles = textsOf(item, ['title', 'text'])
  entry.contents = textsOf(item, ['content_html', 'html'], ['content_text', 'text'])
  entry.summaries = textsOf(item, ['summary', 'text'])
  entry.links = [...linksOf(item, 'url', 'alternate'), ...linksOf(item, 'external_url', 'alternate')]
  const id = stringOrNumber(item.id)
  if (id !== null) entry.addGuid({ text: id, permaLink: null, base: null, depth: 0 })
  entry.published = datesOf(item, 'date_published')
  entry.updated = datesOf(item, 'date_modified')
  for (const author of authorsOf(item)) entry.addAuthor(author)
  for (const tag of listOf(item.tags).slice(0, MAX_OF_A_KIND)) entry.addCategory(stringOf(tag))
}

function authorsOf(fields: Fields): PersonDraft[] {
  return [...listOf(fields.authors), fields.author].flatMap((author) => {
    const name = stringOf(fieldsOf(author)?.name) ?? stringOf(author)
    return name === null ? [] : [{ name, email: '', rank: 0, depth: 0 }]
  })
}

function textsOf(fields: Fields, ...names: [name: string, kind: TextKind][]): RankedText[] {
  return names.flatMap(([name, kind], rank) => {
    const value = stringOf(fields[name])
    return value === null ? [] : [{ text: ElementText.literally(value), kind, rank, depth: 0 }]
  })
}

function linksOf(fields: Fields, name: string, rel: string): WrittenLink[] {
  const href = stringOf(fields[name])
  return href === null ? [] : [{ href, base: null, rel, type: null, depth: 0 }]
}

function datesOf(fields: Fields, name: string): WrittenDate[] {
  const text = stringOrNumber(fields[name])
  return text === null ? [] : [{ text, rank: 0, depth: 0 }]
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function stringOrNumber(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : stringOf(value)
}

/** Control characters come escaped, so that they are seen only here. */
function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? withoutControls(value) : null
}
