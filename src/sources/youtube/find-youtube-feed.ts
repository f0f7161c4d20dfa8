/**
 * Finds the Atom feed of a YouTube page: by its feed link, its canonical address, its channel id in a meta tag, or the
 * data in its scripts, in this order. Returns null for pages without any of these, such as consent and error pages.
 */

import { channelFeed, isChannelId, youtubeFeedUrl } from '../../domain/youtube-address.ts'
import { ShallowParser } from '../html/shallow-parser.ts'
import { decodeText } from '../text/charset.ts'
import { feedAddress } from '../web-address.ts'

const MAX_CHARS = 5_000_000
const CHUNK_CHARS = 65_536
// The page's own channel first, because `channelId` also occurs for the channels of other videos on the page.
const IN_SCRIPTS = [
  /"externalId"\s*:\s*"(UC[\w-]{22})"/,
  /"ownerProfileUrl"\s*:\s*"[^"]*\/channel\/(UC[\w-]{22})"/,
  /"externalChannelId"\s*:\s*"(UC[\w-]{22})"/,
  /"videoDetails"\s*:\s*\{[^{}]{0,2000}?"channelId"\s*:\s*"(UC[\w-]{22})"/,
  /"channelId"\s*:\s*"(UC[\w-]{22})"/,
]

type Stated = { feedLink: string | null; canonical: string | null; channelId: string | null }

export function findYoutubeFeed(
  page: string | Uint8Array,
  context: { contentType?: string | undefined; url?: string } = {},
): string | null {
  const whole =
    typeof page === 'string' ? page : decodeText(page, { contentType: context.contentType, kind: 'html' }).text
  const html = whole.slice(0, MAX_CHARS)
  const stated = statedIn(html)
  const base = context.url ?? 'https://www.youtube.com/'
  const feedLink = stated.feedLink === null ? null : feedAddress(stated.feedLink, base)
  if (feedLink) return feedLink.href
  const canonical = stated.canonical ? youtubeFeedUrl(stated.canonical) : null
  if (canonical?.kind === 'feed') return canonical.feedUrl
  if (stated.channelId) return channelFeed(stated.channelId)
  for (const pattern of IN_SCRIPTS) {
    const id = pattern.exec(html)?.[1]
    if (id) return channelFeed(id)
  }
  return null
}

function statedIn(html: string): Stated {
  const stated: Stated = { feedLink: null, canonical: null, channelId: null }
  const parser = new ShallowParser({
    onopentag: (name, attributes) => {
      if (name === 'link') readLink(stated, attributes)
      if (name === 'meta') readMeta(stated, attributes)
    },
  })
  for (let at = 0; at < html.length && !stated.feedLink; at += CHUNK_CHARS)
    parser.write(html.slice(at, at + CHUNK_CHARS))
  return stated
}

function readLink(stated: Stated, { rel = '', type = '', href }: Record<string, string>): void {
  const relations = rel.toLowerCase().split(/\s+/)
  if (relations.includes('canonical')) stated.canonical ??= href ?? null
  const isFeed = relations.includes('alternate') && /^application\/(?:rss|atom)\+xml/i.test(type.trim())
  if (isFeed && href && /\/feeds\/videos\.xml|\.xml|feed|rss/i.test(href)) stated.feedLink ??= href
}

function readMeta(stated: Stated, { itemprop = '', property = '', content = '' }: Record<string, string>): void {
  if (/^(?:channelId|identifier)$/i.test(itemprop) && isChannelId(content)) stated.channelId ??= content
  if (property === 'og:url') stated.canonical ??= content
}
