// The posts or articles of a podcast as an RSS, Atom or JSON feed, with an ETag for conditional requests.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { atomOf } from '../../catalogue/feeds/atom.ts'
import { feedOf, type OutFeed } from '../../catalogue/feeds/feed.ts'
import { jsonFeedOf } from '../../catalogue/feeds/json-feed.ts'
import { rssOf } from '../../catalogue/feeds/rss.ts'
import { expected } from '../../catalogue/shapes/validate.ts'
import { podcastView } from '../../catalogue/shapes/views.ts'
import type { ApiParts } from '../parts.ts'
import { type Answer, type Route, route } from '../route.ts'

const ITEMS = 100

const FORMATS = [
  ['feed.xml', 'application/rss+xml', rssOf],
  ['feed.atom', 'application/atom+xml', atomOf],
  ['feed.json', 'application/feed+json', jsonFeedOf],
] as const

const KINDS = ['posts', 'articles'] as const

const query = z.strictObject({
  of: z
    .enum(KINDS, expected('posts or articles'))
    .default('posts')
    .describe('what the feed is made of: the newest 100 of them'),
})

export function feedRoutes({ catalogue: { posts, articles }, find, config }: ApiParts): Route[] {
  const podcastPath = '/api/users/:user/podcasts/:podcast'
  return FORMATS.map(([name, type, write]) =>
    route({
      ...{
        method: 'GET',
        path: `${podcastPath}/${name}`,
        tag: 'Feeds',
        summary: `The newest posts or articles, as ${type}`,
      },
      query,
      answers: { 200: type, 304: null },
      async handle(call) {
        const podcast = podcastView(await find.podcast(call))
        const kind = call.query.of
        const { items } = await (kind === 'posts'
          ? posts.list(podcast.id, { limit: ITEMS, include: ['html'] })
          : articles.list(podcast.id, { limit: ITEMS }))
        const home = baseOf(config.server.publicUrl, call.headers)
        const path = `/api/users/${encodeURIComponent(podcast.userId)}/podcasts/${encodeURIComponent(podcast.id)}/${name}`
        const url = `${home}${path}${kind === 'posts' ? '' : '?of=articles'}`
        return answerOf(
          feedOf(kind, { podcast, url, home: `${home}/` }, items),
          `${type}; charset=utf-8`,
          write,
          call.headers,
        )
      },
    }),
  )
}

function answerOf(
  feed: OutFeed,
  contentType: string,
  write: (feed: OutFeed) => string,
  asked: IncomingHttpHeaders,
): Answer {
  const text = write(feed)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  // Clients may cache it, but must revalidate it each time.
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isUnchanged(asked, etag)) return { status: 304, headers }
  return { status: 200, text, contentType, headers }
}

/**
 * Compares the ETag only. A Last-Modified date would have to change with everything that the feed shows (names, removed
 * posts, extended articles), and could not tell two changes within a second apart. So If-Modified-Since is ignored.
 */
function isUnchanged(asked: IncomingHttpHeaders, etag: string): boolean {
  const match = asked['if-none-match'] ?? ''
  return match.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}

function baseOf(publicUrl: string | null, { host }: IncomingHttpHeaders): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://${host ?? 'localhost'}`
}
