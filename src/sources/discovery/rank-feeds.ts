/**
 * Which of a page's feeds a person means who gives the page's address: the one that covers the page. In this order:
 * the entries' feed before a feed of comments; a feed of the page's own section before one of the whole site; either before a
 * feed of some other section; then as the page lists them.
 * See docs/decisions/0033-discovery-prefers-the-feed-of-the-section.md
 */
import { decoded } from '../../domain/address.ts'
import { aboutComments, type FeedOnPage } from './comments-feed.ts'

const FEED_WORD =
  /^(?:feeds?|rss2?|atom|rdf|index|default|all|main|home|latest|full|news-?feed|posts?|blog-?feed|videos)$/i

export function rankFeeds<T extends FeedOnPage>(feeds: readonly T[], page: URL): T[] {
  const isAboutComments = aboutComments(feeds, page)
  const rankOf = (feed: FeedOnPage): [comments: number, distance: number] => [
    isAboutComments(feed) ? 1 : 0,
    distance(sectionOf(new URL(feed.url)), segments(page.pathname)),
  ]
  const ranked = feeds.map((feed, index) => ({ feed, index, rank: rankOf(feed) }))
  ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.index - b.index)
  return ranked.map(({ feed }) => feed)
}

/** 0 for the page's own section, more for every step up to the site; a section that the page is not in comes last. */
function distance(section: readonly string[], page: readonly string[]): number {
  const covers = section.every((segment, index) => segment === page[index])
  return covers ? page.length - section.length : 1_000 + section.length
}

/** The path a feed stands for: `/blog/feed.xml`, `/feed/blog`, `/blog/.rss` and `/blog/rss/` are all about `/blog`. */
function sectionOf(feed: URL): string[] {
  return segments(feed.pathname)
    .map((segment) => segment.replace(/\.(?:xml|json|rss|atom|rdf|php)$/, ''))
    .filter((segment) => segment !== '' && !FEED_WORD.test(segment))
}

const segments = (path: string): string[] => decoded(path).toLowerCase().split('/').filter(Boolean)
