// The posts that an event about new posts tells of, oldest first. No more are read than a message can hold.
import type { StoredEvent } from '../../domain/event.ts'
import type { Post } from '../../domain/post.ts'
import { MAX_MESSAGE_BYTES } from '../../domain/webhook.ts'
import type { Db } from '../database/db.ts'
import { readPost } from '../polling/insert-posts.ts'

const MOST_POSTS = 1000

/** Null for other events. */
export async function newPostsOf(db: Db, event: StoredEvent): Promise<readonly Post[] | null> {
  if (event.type !== 'posts.created' || event.sourceId === null) return null
  const { count, lastPostId } = event.data as { count?: unknown; lastPostId?: unknown }
  if (typeof count !== 'number' || typeof lastPostId !== 'string') return null
  const sizes = await db.all(
    `SELECT id, octet_length(title) + octet_length(body) AS size FROM posts
     WHERE source_id = ? AND id <= ? ORDER BY id DESC LIMIT ?`,
    [event.sourceId, Number(lastPostId), Math.min(count, MOST_POSTS)],
  )
  let bytes = 0
  const fitting = sizes.reverse().filter((row) => {
    bytes += Number(row.size)
    return bytes <= MAX_MESSAGE_BYTES
  })
  const ids = fitting.map((row) => Number(row.id))
  const rows = await db.all(`SELECT * FROM posts WHERE ${db.dialect.oneOf('id')} ORDER BY id`, [db.dialect.list(ids)])
  return rows.map(readPost)
}
