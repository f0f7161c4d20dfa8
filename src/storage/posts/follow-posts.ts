// Posts after a position in commit order, for consumers. With filters the podcast is searched in ranges of posts: where
// few posts match, one long statement would block the event loop. The answer's position includes the posts that did not
// match, so that the next call does not search them again. That is safe, because no post appears below an id that is
// settled (next-ids.ts), and nothing beyond is read.
import type { Post } from '../../domain/post.ts'
import { parseSearch, type SearchQuery } from '../../domain/search-query.ts'
import type { FollowedPosts, FollowQuery } from '../../ports/consumer-store.ts'
import type { Database, Db } from '../database/db.ts'
import { readPost } from '../polling/post-row.ts'
import { comparedPosts } from './compare-posts.ts'
import { indexBeforeSearch, indexedRange } from './index-posts.ts'
import { postsAfter } from './list-posts.ts'
import { readPosition } from './page-cursor.ts'
import { podcastIds } from './podcast-scope.ts'
import { filterSql } from './post-filters.ts'
import { searchWithin } from './search-posts.ts'

const POSTS_PER_RANGE = 10_000
/** Few, because their words are compared here, on the main thread. */
const UNINDEXED_PER_RANGE = 100

export async function followPosts(db: Database, query: FollowQuery): Promise<FollowedPosts> {
  const { podcastId, userId, after, limit, sourceId, since, unlinked, label, language, q } = query
  const unfiltered = !sourceId && !label && !language && !unlinked && !q && since == null
  if (unfiltered && (podcastId !== null || !userId)) {
    const posts = await postsAfter(db, podcastId, after, limit)
    return { posts, position: posts.at(-1)?.id ?? after }
  }
  return podcastId === null ? followSeveral(db, query) : followFiltered(db, { ...query, podcastId })
}

/**
 * Podcasts are read one after another, and posts arrive meanwhile. So nothing beyond the newest post of the start is
 * returned: otherwise the position could pass a post that arrived in a podcast that was read already.
 */
async function followSeveral(db: Database, query: FollowQuery): Promise<FollowedPosts> {
  const { last: newest } = await indexedRange(db)
  const found: Post[] = []
  for (const podcastId of await podcastIds(db, query.userId ?? null)) {
    const { posts } = await followPosts(db, { ...query, podcastId })
    found.push(...posts.filter(({ id }) => Number(id) <= newest))
  }
  const posts = found.sort((a, b) => Number(a.id) - Number(b.id)).slice(0, query.limit)
  const isFull = posts.length === query.limit
  return { posts, position: String((isFull && posts.at(-1)?.id) || Math.max(newest, readPosition(query.after))) }
}

async function followFiltered(db: Database, query: FollowQuery & { podcastId: string }): Promise<FollowedPosts> {
  const { podcastId, after, limit, q } = query
  const search = q ? parseSearch(q) : null
  if (search) await indexBeforeSearch(db)
  const posts: Post[] = []
  for (let position = readPosition(after); ; ) {
    const { from, to, last } = await indexedRange(db)
    const byIndex = position >= from && position < to
    const most = search && !byIndex ? UNINDEXED_PER_RANGE : POSTS_PER_RANGE
    const until = await endOfRange(db, { podcastId, after: position, to: search && byIndex ? to : last, most })
    if (until === null && search && byIndex) {
      // Those that are not indexed yet follow.
      position = to
      continue
    }
    if (until === null) return { posts, position: String(position) }
    const range = { after: position, until, limit: limit - posts.length }
    if (search && byIndex) posts.push(...(await searchWithin(db, query, search, range)))
    else posts.push(...(await readWithin(db, query, search, range)))
    const newest = posts.at(-1)
    if (newest && posts.length === limit) return { posts, position: newest.id }
    position = until
  }
}

interface Range {
  readonly after: number
  readonly until: number
  readonly limit: number
}

/** Returns null if there is no post after the position. */
async function endOfRange(
  db: Db,
  { podcastId, after, to, most }: { podcastId: string; after: number; to: number; most: number },
): Promise<number | null> {
  const row = await db.get(
    `SELECT max(id) AS last FROM
       (SELECT id FROM posts WHERE podcast_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?) AS posts_in_range`,
    [podcastId, after, to, most],
  )
  return row?.last == null ? null : Number(row.last)
}

/** Without the index. With a search each post is compared by itself. */
async function readWithin(
  db: Database,
  query: FollowQuery,
  search: SearchQuery | null,
  { after, until, limit }: Range,
): Promise<Post[]> {
  const { where, params } = filterSql(query, 'p.')
  const rows = await db.all(
    `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
     WHERE ${where} AND p.id > ? AND p.id <= ? ORDER BY p.id LIMIT ?`,
    [...params, after, until, search ? UNINDEXED_PER_RANGE : limit],
  )
  return search ? (await comparedPosts(db, rows, search)).slice(0, limit) : rows.map(readPost)
}
