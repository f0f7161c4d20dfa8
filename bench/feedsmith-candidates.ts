/**
 * Turns feedsmith's result into candidates in the simplest way, for a fair comparison with our feed reader.
 * feedsmith leaves text as HTML, and dates and addresses as written. Here htmlToText converts the text,
 * and the runtime parses dates and addresses.
 */
import { parseFeed } from 'feedsmith'
import type { FeedEntry } from '../src/sources/feed/feed-document.ts'
import { htmlToText } from '../src/sources/html/html-text.ts'

type Text = string | { value?: string; encoded?: string }
/** The fields of RSS items and Atom entries that are read here. */
type Item = {
  title?: Text
  content?: Text
  description?: string
  link?: string
  links?: { href?: string }[]
  guid?: { value?: string }
  id?: string
  pubDate?: string
  published?: string
  updated?: string
  dc?: { creators?: string[] }
  authors?: { name?: string }[]
  categories?: { name?: string; term?: string }[]
}

const decoder = new TextDecoder()

/** Converts only the bodies to text and leaves everything else as written. */
export function feedsmithTexts(bytes: Uint8Array): unknown {
  return itemsOf(bytes).map((item) => ({ ...item, body: bodyOf(item) }))
}

/** The fields of an entry that feedsmith is compared on. */
type ComparedEntry = Pick<FeedEntry, 'title' | 'body' | 'url' | 'publishedAt' | 'author' | 'guid' | 'categories'>

export function feedsmithCandidates(bytes: Uint8Array, url: string): ComparedEntry[] {
  return itemsOf(bytes).map((item) => ({
    title: htmlToText(written(item.title)),
    body: bodyOf(item),
    url: new URL(item.link ?? item.links?.[0]?.href ?? '', url).href,
    publishedAt: Date.parse(item.pubDate ?? item.published ?? item.updated ?? ''),
    author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name ?? null,
    guid: item.guid?.value ?? item.id ?? null,
    categories: (item.categories ?? []).map(({ name, term }) => name ?? term ?? ''),
  }))
}

function itemsOf(bytes: Uint8Array): Item[] {
  const { feed } = parseFeed(decoder.decode(bytes)) as { feed: { items?: Item[]; entries?: Item[] } }
  return feed.items ?? feed.entries ?? []
}

function bodyOf({ content, description }: Item): string {
  return htmlToText(written(content) || (description ?? ''))
}

function written(text: Text | undefined): string {
  return typeof text === 'string' ? text : (text?.encoded ?? text?.value ?? '')
}
