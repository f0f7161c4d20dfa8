// What came in, as a feed for others: one shape that RSS, Atom and JSON Feed are written from.
// See docs/decisions/0086-output-feed-items-have-stable-ids.md
import type { Enclosure } from '../../domain/post.ts'
import type { ArticleView, PodcastView, PostView } from '../shapes/answers.ts'

export interface OutFeed {
  readonly title: string
  readonly description: string
  /** Of the feed itself. */
  readonly url: string
  readonly home: string
  /** When something last came in; null: nothing yet. */
  readonly updatedAt: string | null
  readonly items: readonly OutItem[]
}

export interface OutItem {
  /** The same for ever. */
  readonly id: string
  readonly title: string
  readonly text: string
  /** Clean HTML; null: there is only the text. */
  readonly html: string | null
  readonly url: string
  readonly publishedAt: string
  readonly author: string | null
  readonly categories: readonly string[]
  readonly language: string | null
  readonly image: string | null
  readonly enclosures: readonly Enclosure[]
  readonly commentsUrl: string | null
}

export interface OutPlace {
  readonly podcast: PodcastView
  readonly url: string
  readonly home: string
}

/** A feed is read whole, again and again: beyond this it ends early. */
const CHARACTERS = 5_000_000

export function feedOf(
  kind: 'posts' | 'articles',
  place: OutPlace,
  given: readonly (PostView | ArticleView)[],
): OutFeed {
  const items: OutItem[] = []
  let room = CHARACTERS
  for (const one of given) {
    room -= sizeOf(one)
    if (room < 0 && items.length > 0) break
    items.push(itemOf(one, place.podcast.id))
  }
  const { name, topic } = place.podcast
  const description = topic || `The newest ${kind} of ${name}`
  return { title: name, description, url: place.url, home: place.home, updatedAt: given[0]?.createdAt ?? null, items }
}

function sizeOf(one: PostView | ArticleView): number {
  const more = 'guid' in one ? (one.fullText?.length ?? 0) + (one.html?.length ?? 0) : 0
  return one.title.length + one.body.length + more
}

const NO_EXTRAS = { html: null, categories: [], language: null, image: null, enclosures: [], commentsUrl: null }

function itemOf(one: PostView | ArticleView, podcastId: string): OutItem {
  const { title, body, url, author } = one
  const about = { title, text: body, url, author, publishedAt: one.publishedAt ?? one.createdAt }
  if (!('guid' in one)) return { id: `urn:tidings:article:${podcastId}:${one.id}`, ...NO_EXTRAS, ...about }
  const { categories, language, image, enclosures, commentsUrl } = one
  return {
    id: `urn:tidings:post:${one.sourceId}:${one.contentHash}`,
    ...about,
    text: one.fullText ?? body,
    html: one.html ?? null,
    ...{ categories, language, image, enclosures, commentsUrl },
  }
}
