/** What makes a link a link to a feed: its media type, or for sloppy pages the look of its address. */

/** `data`: JSON that may be a feed or anything else; only asking tells. */
export type FeedType = 'rss' | 'atom' | 'json' | 'unknown' | 'data'

const TYPES = new Map<string, FeedType>([
  ['application/rss+xml', 'rss'],
  ['application/rdf+xml', 'rss'],
  ['application/x-rss+xml', 'rss'],
  ['text/rss+xml', 'rss'],
  ['text/rss', 'rss'],
  ['application/rss', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/atom', 'atom'],
  ['text/atom+xml', 'atom'],
  ['application/feed+json', 'json'],
])
// Types that many things share: only with an address that looks like a feed.
const VAGUE = new Map<string, FeedType>([
  ['application/json', 'json'],
  ['application/xml', 'unknown'],
  ['text/xml', 'unknown'],
])
const NOT_FEEDS = /\/wp-json(?:\/|$)|[?&]rest_route=|oembed|sitemap|opensearch|manifest|\/api\//i
const LOOKS =
  /(?:^|\/)(?:feeds?|rss2?|atom|rdf)(?:\/|\.(?:xml|json|rss|atom|php|aspx)|$)|\.(?:rss|atom|rdf)$|\/index\.(?:xml|rdf)$|\/(?:rss|atom|feed)[\w-]*\.(?:xml|json)$/i
const QUERY_LOOKS =
  /[?&](?:format|feed|type|output|alt|tempskin)=(?:rss2?|atom|feed|_rss2)(?:&|$)|\/feeds\/videos\.xml/i

export function looksLikeFeedAddress(url: URL): boolean {
  if (NOT_FEEDS.test(url.href)) return false
  return LOOKS.test(url.pathname) || QUERY_LOOKS.test(url.href) || /^(?:feeds?|rss)\d?\./i.test(url.hostname)
}

export const isFeedType = (mediaType: string): boolean => TYPES.has(bare(mediaType))

const bare = (mediaType: string): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()

// Programs name their feeds in many ways; on a link that says it is an alternate in XML, any of these words will do.
const NAMED = /rss|atom|feed|syndication/i

/** The feed type a link with this relation and media type promises, or null for anything else. */
export function promisedType(
  rel: readonly string[],
  mediaType: string,
  url: URL,
  title: string | null = null,
): FeedType | null {
  const isAlternate = rel.includes('alternate')
  if (!isAlternate && !rel.includes('feed')) return null
  if (rel.includes('stylesheet')) return null
  const type = bare(mediaType)
  const known = TYPES.get(type)
  if (known) return known
  const vague = VAGUE.get(type)
  if (vague && looksLikeFeedAddress(url)) return vague
  if (vague === 'unknown' && !NOT_FEEDS.test(url.href) && NAMED.test(`${url.pathname}${url.search} ${title ?? ''}`))
    return vague
  if (vague) return vague === 'json' && /\.json$/i.test(url.pathname) && !NOT_FEEDS.test(url.href) ? 'data' : null
  return rel.includes('feed') && type === '' ? typeByAddress(url) : null
}

export function typeByAddress(url: URL): FeedType {
  if (/\.json$/i.test(url.pathname)) return 'json'
  if (/atom/i.test(url.pathname + url.search)) return 'atom'
  return /rss|rdf/i.test(url.pathname + url.search) ? 'rss' : 'unknown'
}
