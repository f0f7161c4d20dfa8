// The posts that an event tells of, oldest first: new ones, and those whose full text arrived. No more are read than a
// message can hold.
import type { StoredEvent } from '../../domain/event.ts'
import { type CarriedPost, MAX_MESSAGE_BYTES } from '../../domain/webhook.ts'
import type { Db } from '../database/db.ts'
import { readPost } from '../polling/post-row.ts'
import { postContents, sourceTitles } from '../posts/post-contents.ts'

const MOST_POSTS = 1000

/** Null for other events. */
export async function carriedPostsOf(db: Db, event: StoredEvent): Promise<readonly CarriedPost[] | null> {
  const ids = event.type === 'posts.completed' ? completedIn(event) : await newIn(db, event)
  if (ids === null) return null
  const rows = await db.all(`SELECT * FROM posts WHERE ${db.dialect.oneOf('id')} ORDER BY id`, [db.dialect.list(ids)])
  const posts = rows.map(readPost)
  const fetched = posts.filter((post) => post.fullTextState === 'fetched').map((post) => post.id)
  const [contents, titles] = [
    await postContents(db, fetched, { html: false }),
    await sourceTitles(db, [...new Set(posts.map((post) => post.sourceId))]),
  ]
  return posts.map((post) => ({
    ...post,
    sourceTitle: titles.get(post.sourceId) ?? null,
    fullText: contents.get(post.id)?.fullText ?? null,
  }))
}

function completedIn({ data }: StoredEvent): number[] | null {
  const { postIds } = data as { postIds?: unknown }
  return Array.isArray(postIds) ? postIds.slice(0, MOST_POSTS).map(Number) : null
}

async function newIn(db: Db, event: StoredEvent): Promise<number[] | null> {
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
  return fitting.map((row) => Number(row.id))
}
