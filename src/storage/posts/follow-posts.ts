// Posts in commit order after a position, for consumers. With filters the podcast is looked through in stretches: where
// hardly anything matches, one long statement would hold the event loop. The position moves on with what was looked at,
// so nobody looks through it again. That is safe because no post appears behind an id that was seen (next-ids.ts).
import type { Post } from '../../domain/post.ts'
import type { FollowedPosts, FollowQuery } from '../../ports/consumer-store.ts'
import type { Database, Db } from '../database/db.ts'
import { readPost } from '../polling/insert-posts.ts'
import { indexPosts } from './index-posts.ts'
import { conditions, postsAfter } from './list-posts.ts'
import { rowPosition } from './page-cursor.ts'
import { wordsOf } from './search-words.ts'

const LOOKED_AT_ONCE = 10_000

export async function followPosts(db: Database, query: FollowQuery): Promise<FollowedPosts> {
  const { podcastId, after, limit, sourceId, since, unlinked, label, q } = query
  if (!sourceId && !label && !unlinked && !q && since == null) {
    const posts = await postsAfter(db, podcastId, after, limit)
    return { posts, position: posts.at(-1)?.id ?? after }
  }
  const matching = matchingWithin(db, query)
  const atOnce = q ? db.dialect.search.idsAtOnce : LOOKED_AT_ONCE
  const posts: Post[] = []
  for (let position = rowPosition(after); ; ) {
    const until = await endOfStretch(db, podcastId, position, atOnce)
    if (until === null) return { posts, position: String(position) }
    posts.push(...(await matching(position, until, limit - posts.length)))
    const last = posts.at(-1)
    if (last && posts.length === limit) return { posts, position: last.id }
    position = until
  }
}

/** null: nothing comes after the position. */
async function endOfStretch(db: Db, podcastId: string, after: number, atOnce: number): Promise<number | null> {
  const row = await db.get(
    `SELECT max(id) AS last FROM
       (SELECT id FROM posts WHERE podcast_id = ? AND id > ? ORDER BY id LIMIT ?) AS stretch`,
    [podcastId, after, atOnce],
  )
  return row?.last == null ? null : Number(row.last)
}

function matchingWithin(db: Database, query: FollowQuery) {
  const { where, params } = conditions(query, 'p.')
  const { search } = db.dialect
  const words = query.q ? wordsOf(query.q) : null
  const [from, id] = words ? [search.from, search.id] : ['posts p', 'p.id']
  const matches = words ? `${search.condition} AND ${where}` : where
  return async (after: number, until: number, limit: number) => {
    if (words?.length === 0) return []
    // After the end of the stretch is known: what the index does not have yet must not be passed over.
    if (words) await indexPosts(db, Number.MAX_SAFE_INTEGER)
    const rows = await db.all(
      `SELECT p.* FROM ${from} JOIN sources s ON s.id = p.source_id
       WHERE ${matches} AND ${id} > ? AND ${id} <= ? ORDER BY ${id} LIMIT ?`,
      [...(words ? [search.query(words)] : []), ...params, after, until, limit],
    )
    return rows.map(readPost)
  }
}
