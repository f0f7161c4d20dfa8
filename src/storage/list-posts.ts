// Posts for people (newest first) and for consumers (in commit order). A post whose source was removed is not shown
// while it waits to be deleted, hence the join.
import type { Post } from '../domain/post.ts'
import type { Page, PostQuery } from '../ports/store.ts'
import { keyOfCursor, pageOf, rowId, rowPosition } from './cursor.ts'
import type { Db, Param } from './db.ts'
import { readPost } from './insert-posts.ts'

const SELECT_POSTS = 'SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id'

export async function getPost(db: Db, id: string): Promise<Post | null> {
  const known = rowId(id)
  const row = known === null ? undefined : await db.get(`${SELECT_POSTS} WHERE p.id = ?`, [known])
  return row ? readPost(row) : null
}

export async function postsAfter(db: Db, podcastId: string, position: string, limit: number): Promise<readonly Post[]> {
  const rows = await db.all(`${SELECT_POSTS} WHERE p.podcast_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`, [
    podcastId,
    rowPosition(position),
    limit,
  ])
  return rows.map(readPost)
}

export async function listPosts(db: Db, query: PostQuery): Promise<Page<Post>> {
  const before = keyOfCursor(query.cursor, [0, 0]) ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  const where = ['p.podcast_id = ?', '(p.created_at, p.id) < (?, ?)']
  const params: Param[] = [query.podcastId, ...before]
  if (query.sourceId) {
    where.push('p.source_id = ?')
    params.push(query.sourceId)
  }
  if (query.since !== null && query.since !== undefined) {
    where.push('p.created_at >= ?')
    params.push(query.since)
  }
  if (query.unlinked) where.push('p.links = 0')
  const rows = await db.all(
    `${SELECT_POSTS} WHERE ${where.join(' AND ')} ORDER BY p.created_at DESC, p.id DESC LIMIT ?`,
    [...params, query.limit + 1],
  )
  return pageOf(rows.map(readPost), query.limit, (post) => [post.createdAt, Number(post.id)])
}
