/**
 * Tells which feeds of a page hold comments. Known words in the address or title decide first. Otherwise the form that
 * WordPress uses decides: on a page that also links the site's feed, the address of a post followed by `feed/` (or with
 * `feed=` in its query) is the feed of comments on that post. After a category, tag or author, it is a feed of entries.
 */

import { decoded } from '../../domain/address.ts'

export type FeedOnPage = { url: string; title: string | null }

const COMMENTS =
  /comment|kommentar|commentaire|comentario|comentário|commenti|reactie|komment|комментар|коментар|评论|評論|コメント|replies|discussion/i
const FEED_PATH = /\/feed(?:\/(?:atom|rss2?|rdf))?\/?$/i
const IDENTITY = ['p', 'page_id', 'attachment_id', 'cat', 'tag', 'author', 'm']
const POST_IDENTITY = ['p', 'page_id', 'attachment_id']
// Path segments that a list's name follows, and names of lists themselves.
const LISTED_UNDER =
  /^(?:(?:product[-_])?(?:categor(?:y|ies)|tags?)|authors?|topics|subjects?|sections?|series|labels?|genres?|kategorien?|schlagw(?:ort|oerter)|themen?|autor(?:en|es)?|rubri(?:k|ken|que|ques|c)|categor(?:ie|ies|ia|ias|ía|ías)|[ée]tiquettes?|etiquetas?|auteurs?|temas?|autori|tema|kategori(?:a|e|er|ler)?|рубрика|category[-_]\w+)$/i
const LIST_NAME =
  /^(?:[a-z]{2}(?:[-_][a-z]{2})?|blogs?|news|articles?|posts?|stories|journal|magazine|press|updates?|events?|notes|links|podcasts?|videos?|aktuelles|nachrichten|actualites|noticias|notizie|nieuws|nyheter|aktualnosci|uutiset|haberler)$/i
const LIST_TITLE =
  /\b(?:category|tag|author|archive)s? (?:rss )?feed$|\bposts by\b|kategorie-feed|schlagwort-feed|flux d.+(?:cat[ée]gorie|[ée]tiquette)|(?:categor[íi]a|etiqueta)\b/i

export function commentsFeedTest(feeds: readonly FeedOnPage[], page: URL): (feed: FeedOnPage) => boolean {
  const hasSiteFeed = feeds.some((feed) => !mentionsComments(feed, page) && isFeedOfSite(new URL(feed.url), page))
  return (feed) => mentionsComments(feed, page) || (hasSiteFeed && isFeedOfPost(feed, page))
}

function isFeedOfPost({ url, title }: FeedOnPage, page: URL): boolean {
  const own = subjectOf(new URL(url))
  return own !== null && isSame(own, page) && !isList(own, title)
}

function mentionsComments({ url, title }: FeedOnPage, page: URL): boolean {
  const words = `${decoded(new URL(url).pathname)} ${new URL(url).search} ${title ?? ''}`
  return COMMENTS.test(words) && !COMMENTS.test(decoded(page.pathname))
}

interface Subject {
  readonly host: string
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
}

/** The address that `feed` was added to; null for feeds of any other form. */
function subjectOf(feed: URL): Subject | null {
  const byQuery = feed.searchParams.has('feed')
  if (!byQuery && !FEED_PATH.test(feed.pathname)) return null
  return subject(feed, byQuery ? feed.pathname : feed.pathname.replace(FEED_PATH, '/'))
}

function subject(url: URL, path: string): Subject {
  const named = IDENTITY.flatMap((name) => url.searchParams.getAll(name).map((value) => [name, value] as const))
  return { host: url.host, path: segments(path), query: new Map(named) }
}

function isSame(one: Subject, page: URL): boolean {
  const other = subject(page, page.pathname)
  if (one.host !== other.host || (one.path.length === 0 && one.query.size === 0)) return false
  const sameQuery = IDENTITY.every((name) => one.query.get(name) === other.query.get(name))
  return sameQuery && one.path.join('/') === other.path.join('/')
}

function isList({ path, query }: Subject, title: string | null): boolean {
  if (LIST_TITLE.test(title ?? '')) return true
  if (query.size > 0) return !POST_IDENTITY.some((name) => query.has(name))
  return path.slice(0, -1).some((segment) => LISTED_UNDER.test(segment)) || LIST_NAME.test(path.at(-1) ?? '')
}

/** Whether the feed belongs to a folder above the page, or is hosted by a feed service. */
function isFeedOfSite(feed: URL, page: URL): boolean {
  if (feed.host !== page.host) return /^feeds?\d?\.|feedburner|feedblitz/i.test(feed.hostname)
  const about = subjectOf(feed) ?? subject(feed, feed.pathname.replace(/[^/]*$/, ''))
  const there = subject(page, page.pathname)
  const isAbove = about.path.every((segment, index) => segment === there.path[index])
  return (
    isAbove && about.query.size === 0 && about.path.length + about.query.size < there.path.length + there.query.size
  )
}

const segments = (path: string): string[] => decoded(path).toLowerCase().split('/').filter(Boolean)
