// What came into a podcast, as a feed that any reader understands. Asked again, it says whether anything changed.
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

export function feedRoutes({ catalogue: { posts, articles }, reach, config }: ApiParts): Route[] {
  const podcastPath = '/api/users/:user/podcasts/:podcast'
  return FORMATS.map(([name, type, write]) =>
    route({
      ...{ method: 'GET', path: `${podcastPath}/${name}`, tag: 'Feeds', summary: `What came in, as ${type}` },
      query,
      answers: { 200: type, 304: null },
      async handle(call) {
        const podcast = podcastView(await reach.podcast(call))
        const kind = call.query.of
        const { items } = await (kind === 'posts' ? posts : articles).list(podcast.id, { limit: ITEMS })
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
  // Kept by its reader, and asked about each time.
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isUnchanged(asked, etag)) return { status: 304, headers }
  return { status: 200, text, contentType, headers }
}

/**
 * By the tag alone. A date would have to move with everything that a feed shows, names, removals and grown articles, and
 * tells no two changes within a second apart: none is given, and If-Modified-Since is passed over.
 */
function isUnchanged(asked: IncomingHttpHeaders, etag: string): boolean {
  const match = asked['if-none-match'] ?? ''
  return match.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}

function baseOf(publicUrl: string | null, { host }: IncomingHttpHeaders): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://${host ?? 'localhost'}`
}
