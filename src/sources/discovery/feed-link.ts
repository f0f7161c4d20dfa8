/** Decides whether a link leads to a feed: by its media type or, on careless pages, by the form of its address. */

/** `data`: JSON that may be a feed or anything else; only a request can tell. */
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
// Types that are not only used for feeds. They count when the address looks like a feed.
const GENERAL_TYPES = new Map<string, FeedType>([
  ['application/json', 'json'],
  ['application/xml', 'unknown'],
  ['text/xml', 'unknown'],
])
const NOT_FEEDS = /\/wp-json(?:\/|$)|[?&]rest_route=|oembed|sitemap|opensearch|manifest|\/api\//i
const FEED_PATH =
  /(?:^|\/)(?:feeds?|rss2?|atom|rdf)(?:\/|\.(?:xml|json|rss|atom|php|aspx)|$)|\.(?:rss|atom|rdf)$|\/index\.(?:xml|rdf)$|\/(?:rss|atom|feed)[\w-]*\.(?:xml|json)$/i
const FEED_QUERY = /[?&](?:format|feed|type|output|alt|tempskin)=(?:rss2?|atom|feed|_rss2)(?:&|$)|\/feeds\/videos\.xml/i

export function looksLikeFeedAddress(url: URL): boolean {
  if (NOT_FEEDS.test(url.href)) return false
  return FEED_PATH.test(url.pathname) || FEED_QUERY.test(url.href) || /^(?:feeds?|rss)\d?\./i.test(url.hostname)
}

export const isFeedType = (mediaType: string): boolean => TYPES.has(bare(mediaType))

const bare = (mediaType: string): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()

// Any of these words is enough on a link that is an alternate in XML.
const FEED_WORDS = /rss|atom|feed|syndication/i

/** The feed type of a link by its relation and media type; null when it is no feed. */
export function linkedFeedType(
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
  const general = GENERAL_TYPES.get(type)
  if (general && looksLikeFeedAddress(url)) return general
  if (
    general === 'unknown' &&
    !NOT_FEEDS.test(url.href) &&
    FEED_WORDS.test(`${url.pathname}${url.search} ${title ?? ''}`)
  )
    return general
  if (general) return general === 'json' && /\.json$/i.test(url.pathname) && !NOT_FEEDS.test(url.href) ? 'data' : null
  return rel.includes('feed') && type === '' ? typeByAddress(url) : null
}

export function typeByAddress(url: URL): FeedType {
  if (/\.json$/i.test(url.pathname)) return 'json'
  if (/atom/i.test(url.pathname + url.search)) return 'atom'
  return /rss|rdf/i.test(url.pathname + url.search) ? 'rss' : 'unknown'
}
