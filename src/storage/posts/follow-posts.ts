// Posts after a position in commit order, for consumers. With filters the podcast is searched in ranges of posts: where
// few posts match, one long statement would block the event loop. The answer's position includes the posts that did not
// match, so that the next call does not search them again. That is safe, because no post appears below an id that was
// visible (next-ids.ts).
import type { Post } from '../../domain/post.ts'
import type { FollowedPosts, FollowQuery } from '../../ports/consumer-store.ts'
import type { Database, Db } from '../database/db.ts'
import { readPost } from '../polling/insert-posts.ts'
import { lastPostId } from './consumer-cursors.ts'
import { indexPosts } from './index-posts.ts'
import { filterSql, postsAfter } from './list-posts.ts'
import { readPosition } from './page-cursor.ts'
import { podcastIds } from './podcast-scope.ts'
import { searchWords } from './search-words.ts'

const POSTS_PER_RANGE = 10_000

export async function followPosts(db: Database, query: FollowQuery): Promise<FollowedPosts> {
  const { podcastId, userId, after, limit, sourceId, since, unlinked, label, q } = query
  const unfiltered = !sourceId && !label && !unlinked && !q && since == null
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
  const newest = Number(await lastPostId(db))
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
  const matching = matchingWithin(db, query)
  const atOnce = q ? db.dialect.search.idsAtOnce : POSTS_PER_RANGE
  const posts: Post[] = []
  for (let position = readPosition(after); ; ) {
    const until = await endOfRange(db, podcastId, position, atOnce)
    if (until === null) return { posts, position: String(position) }
    posts.push(...(await matching(position, until, limit - posts.length)))
    const last = posts.at(-1)
    if (last && posts.length === limit) return { posts, position: last.id }
    position = until
  }
}

/** Returns null if there is no post after the position. */
async function endOfRange(db: Db, podcastId: string, after: number, atOnce: number): Promise<number | null> {
  const row = await db.get(
    `SELECT max(id) AS last FROM
       (SELECT id FROM posts WHERE podcast_id = ? AND id > ? ORDER BY id LIMIT ?) AS posts_in_range`,
    [podcastId, after, atOnce],
  )
  return row?.last == null ? null : Number(row.last)
}

function matchingWithin(db: Database, query: FollowQuery) {
  const { where, params } = filterSql(query, 'p.')
  const { search } = db.dialect
  const words = query.q ? searchWords(query.q) : null
  const [from, id] = words ? [search.from, search.id] : ['posts p', 'p.id']
  const matches = words ? `${search.condition} AND ${where}` : where
  return async (after: number, until: number, limit: number) => {
    if (words?.length === 0) return []
    // Index after the end of the range is known, so that the index has every post of the range.
    if (words) await indexPosts(db, Number.MAX_SAFE_INTEGER)
    const rows = await db.all(
      `SELECT p.* FROM ${from} JOIN sources s ON s.id = p.source_id
       WHERE ${matches} AND ${id} > ? AND ${id} <= ? ORDER BY ${id} LIMIT ?`,
      [...(words ? [search.query(words)] : []), ...params, after, until, limit],
    )
    return rows.map(readPost)
  }
}
