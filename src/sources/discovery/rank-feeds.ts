/**
 * Sorts the feeds of a page by how likely a person means them who gives the page's address: feeds of entries before feeds
 * of comments; the feed of the page's own section, then that of the whole site, then those of other sections; then in the
 * order of the page.
 * See docs/decisions/0033-discovery-prefers-the-feed-of-the-section.md
 */
import { decoded } from '../../domain/address.ts'
import { commentsFeedTest, type FeedOnPage } from './comments-feed.ts'

const FEED_WORD =
  /^(?:feeds?|rss2?|atom|rdf|index|default|all|main|home|latest|full|news-?feed|posts?|blog-?feed|videos)$/i

export function rankFeeds<T extends FeedOnPage>(feeds: readonly T[], page: URL): T[] {
  const isCommentsFeed = commentsFeedTest(feeds, page)
  const rankOf = (feed: FeedOnPage): [comments: number, distance: number] => [
    isCommentsFeed(feed) ? 1 : 0,
    distance(sectionOf(new URL(feed.url)), segments(page.pathname)),
  ]
  const ranked = feeds.map((feed, index) => ({ feed, index, rank: rankOf(feed) }))
  ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.index - b.index)
  return ranked.map(({ feed }) => feed)
}

/** 0 for the page's own section, one more for each step up. Sections that the page is not in come last. */
function distance(section: readonly string[], page: readonly string[]): number {
  const covers = section.every((segment, index) => segment === page[index])
  return covers ? page.length - section.length : 1_000 + section.length
}

/** The path that a feed covers: `/blog` for `/blog/feed.xml`, `/feed/blog`, `/blog/.rss` and `/blog/rss/`. */
function sectionOf(feed: URL): string[] {
  return segments(feed.pathname)
    .map((segment) => segment.replace(/\.(?:xml|json|rss|atom|rdf|php)$/, ''))
    .filter((segment) => segment !== '' && !FEED_WORD.test(segment))
}

const segments = (path: string): string[] => decoded(path).toLowerCase().split('/').filter(Boolean)
