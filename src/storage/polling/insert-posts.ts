import type { Candidate, Post } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { nextIds } from '../database/next-ids.ts'

export const postCodec = codecOf<Post>({
  id: ['id', 'id'],
  sourceId: ['source_id', 'text'],
  title: ['title', 'text'],
  body: ['body', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
  author: ['author', 'text'],
  guid: ['guid', 'text'],
  categories: ['categories', 'json'],
  contentHash: ['content_hash', 'text'],
  createdAt: ['created_at', 'integer'],
})

/** In the order given, of which none is known: the caller has looked, under the lock on the source's row. */
export async function insertPosts(tx: Db, source: Source, posts: readonly Candidate[], at: number): Promise<void> {
  if (posts.length === 0) return
  const first = await nextIds(tx, 'posts', posts.length)
  const rows = posts.map((candidate, index) => {
    const post: Post = { ...candidate, id: String(first + index), sourceId: source.id, createdAt: at }
    return [...postCodec.write(post).params, source.podcastId]
  })
  await insertRows(tx, { table: 'posts', columns: [...postCodec.columns, 'podcast_id'], rows })
}

export function readPost(row: Row): Post {
  return postCodec.read(row)
}

/** Each hash once, the first of them. */
export function uniqueByHash<T extends { readonly contentHash: string }>(entries: readonly T[]): T[] {
  const seen = new Set<string>()
  return entries.filter(({ contentHash }) => !seen.has(contentHash) && seen.add(contentHash))
}
