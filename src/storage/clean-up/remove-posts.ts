// Posts that clean-up takes away leave tombstones in the same transaction, so that they are never new again.

import type { Db, Row } from '../database/db.ts'
import { noteRemoved } from '../posts/consumer-cursors.ts'

const POSTS_PER_STATEMENT = 50
const BYTES_PER_STATEMENT = 500_000

/** Rows with `id` and `size`. Those that have been linked meanwhile stay. Returns how many went. */
export async function buryPosts(tx: Db, posts: readonly Row[]): Promise<number> {
  let buried = 0
  const newest = new Map<string, number>()
  for (const ids of bySize(posts)) {
    const list = tx.dialect.list(ids)
    await tx.run(
      `INSERT INTO tombstones (source_id, content_hash, guid, url, published_at)
       SELECT source_id, content_hash, guid, url, published_at FROM posts WHERE ${tx.dialect.oneOf('id')} AND links = 0
       ON CONFLICT (source_id, content_hash) DO NOTHING`,
      [list],
    )
    const gone = await tx.all(
      `DELETE FROM posts WHERE ${tx.dialect.oneOf('id')} AND links = 0 RETURNING id, podcast_id`,
      [list],
    )
    buried += gone.length
    for (const row of gone) {
      const podcastId = row.podcast_id as string
      newest.set(podcastId, Math.max(newest.get(podcastId) ?? 0, Number(row.id)))
    }
  }
  await noteRemoved(tx, newest)
  return buried
}

/** Deleting a long body walks through all its pages. */
function* bySize(posts: readonly Row[]): Generator<number[]> {
  let ids: number[] = []
  let bytes = 0
  for (const post of posts) {
    ids.push(Number(post.id))
    bytes += Number(post.size)
    if (ids.length < POSTS_PER_STATEMENT && bytes < BYTES_PER_STATEMENT) continue
    yield ids
    ids = []
    bytes = 0
  }
  if (ids.length > 0) yield ids
}

/** Of these sources, those that no poll is writing just now; their polls wait until this transaction ends. */
export async function freeSources(tx: Db, sourceIds: Iterable<string>): Promise<ReadonlySet<string>> {
  const rows = await tx.all(
    `SELECT s.id FROM sources s WHERE ${tx.dialect.oneOf('s.id')} ORDER BY s.id ${tx.dialect.forUpdateOfFree('s')}`,
    [tx.dialect.list([...new Set(sourceIds)])],
  )
  return new Set(rows.map((row) => row.id as string))
}
