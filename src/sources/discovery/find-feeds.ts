/**
 * Finds the feeds that a page links: in the HTTP Link header, in `<link rel=alternate>` of the head or, misplaced, of the
 * body, and only when there are none, in ordinary links that look like feeds. Best first, each address once. JSON that may
 * be anything comes last and does not keep ordinary links from being considered.
 * One streaming pass, which stops at the body if the head linked a feed, and at a limit in any case. Sends no requests.
 */

import { ShallowParser } from '../html/shallow-parser.ts'
import { decodeText } from '../text/charset.ts'
import { feedAddress, webAddress } from '../web-address.ts'
import { type FeedType, isFeedType, linkedFeedType, looksLikeFeedAddress, typeByAddress } from './feed-link.ts'
import { readLinkHeader } from './link-header.ts'
import { rankFeeds } from './rank-feeds.ts'

export type FoundFeed = {
  url: string
  title: string | null
  type: FeedType
  from: 'link-header' | 'head' | 'body' | 'anchor'
}
export type FindFeedsContext = {
  contentType?: string | undefined
  url: string
  linkHeader?: string | readonly string[] | null | undefined
}

const MAX_CHARS = 2_000_000
const MAX_FEEDS = 50
const CHUNK_CHARS = 16_384

export function findFeeds(page: string | Uint8Array, context: FindFeedsContext): { feeds: FoundFeed[] } {
  const html =
    typeof page === 'string' ? page : decodeText(page, { contentType: context.contentType, kind: 'html' }).text
  if (!URL.canParse(context.url)) return { feeds: [] }
  const scan = new PageScan(context.url)
  scan.read(html.slice(0, MAX_CHARS))
  const linked = unique([...headerFeeds(context), ...scan.linked])
  const certain = linked.filter(isCertain)
  const data = linked.filter((feed) => !isCertain(feed))
  const at = new URL(context.url)
  const ranked = [...rankFeeds(certain, at), ...rankFeeds(data, at)]
  const feeds = certain.length > 0 ? ranked : unique([...ranked, ...rankFeeds(scan.anchors, at)])
  return { feeds: feeds.slice(0, MAX_FEEDS) }
}

function headerFeeds({ linkHeader, url }: FindFeedsContext): FoundFeed[] {
  const header = typeof linkHeader === 'string' ? linkHeader : (linkHeader ?? []).join(', ')
  const found: FoundFeed[] = []
  for (const link of readLinkHeader(header)) {
    const address = feedAddress(link.target, url)
    // A link with an anchor is about another document.
    if (!address || (link.anchor && webAddress(link.anchor, url)?.href !== webAddress('', url)?.href)) continue
    const type = linkedFeedType(link.rel, link.type, address, link.title)
    if (type) found.push({ url: address.href, title: tidy(link.title), type, from: 'link-header' })
  }
  return found
}

class PageScan {
  readonly linked: FoundFeed[] = []
  readonly anchors: FoundFeed[] = []
  readonly #hrefs = new Map<FoundFeed, string>()
  readonly #url: string
  #base: string | null = null
  #inBody = false
  #done = false
  #anchor: FoundFeed | null = null

  constructor(url: string) {
    this.#url = url
  }

  read(html: string): void {
    const parser = new ShallowParser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => {
        if (this.#anchor) this.#anchor.title = ((this.#anchor.title ?? '') + text).slice(0, 500)
      },
      onclosetag: (name) => {
        if (name === 'a' && this.#anchor) {
          this.#anchor.title = tidy(this.#anchor.title)
          this.#anchor = null
        }
      },
    })
    for (let at = 0; at < html.length && !this.#done; at += CHUNK_CHARS) parser.write(html.slice(at, at + CHUNK_CHARS))
    if (!this.#done) parser.end()
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#done) return
    if (name === 'base' && attributes.href) this.#rebase(attributes.href)
    else if (name === 'body') {
      this.#inBody = true
      this.#done = this.linked.some(isCertain)
    } else if (name === 'link') this.#link(attributes)
    else if (name === 'a' && this.anchors.length < MAX_FEEDS) this.#a(attributes)
  }

  /** The first base applies to all links of the page, also to those above it. */
  #rebase(href: string): void {
    if (this.#base !== null) return
    this.#base = webAddress(href, this.#url)?.href ?? null
    for (const [feed, written] of this.#hrefs) feed.url = this.#address(written)?.href ?? feed.url
  }

  /** An empty link leads to the page itself, which is no feed. */
  #address(href: string | undefined): URL | null {
    return href?.trim() ? feedAddress(href, this.#base ?? this.#url) : null
  }

  #link(attributes: Record<string, string>): void {
    const url = this.#address(attributes.href)
    const rel = (attributes.rel ?? '').toLowerCase().split(/\s+/)
    const title = tidy(attributes.title)
    const type = url && linkedFeedType(rel, attributes.type ?? '', url, title)
    if (!url || !type || this.linked.length >= MAX_FEEDS) return
    const feed: FoundFeed = { url: url.href, title, type, from: this.#inBody ? 'body' : 'head' }
    this.linked.push(feed)
    this.#hrefs.set(feed, attributes.href ?? '')
  }

  #a(attributes: Record<string, string>): void {
    const url = this.#address(attributes.href)
    if (!url || !(looksLikeFeedAddress(url) || isFeedType(attributes.type ?? ''))) return
    this.#anchor = { url: url.href, title: null, type: typeByAddress(url), from: 'anchor' }
    this.anchors.push(this.#anchor)
  }
}

const isCertain = ({ type }: FoundFeed): boolean => type !== 'data'

function tidy(title: string | null | undefined): string | null {
  return (title ?? '').replace(/\s+/g, ' ').trim().slice(0, 200) || null
}

function unique(feeds: readonly FoundFeed[]): FoundFeed[] {
  const byAddress = new Map<string, FoundFeed>()
  for (const feed of feeds) {
    const known = byAddress.get(feed.url)
    if (!known) byAddress.set(feed.url, feed)
    else known.title ??= feed.title
  }
  return [...byAddress.values()]
}
