// Posts that clean-up removes leave tombstones in the same transaction, so that a later poll does not store them again.
import type { Db, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { recordRemovedPosts } from '../posts/consumer-cursors.ts'

const POSTS_PER_STATEMENT = 50
const SOURCES_PER_STATEMENT = 50
const BYTES_PER_STATEMENT = 500_000

/** Takes rows with `id` and `size`. Posts that an article has by now stay. Returns how many were removed. */
export async function removePostsLeavingTombstones(tx: Db, posts: readonly Row[]): Promise<number> {
  let removed = 0
  const newest = new Map<string, number>()
  const bySource = new Map<string, number>()
  for (const ids of bySize(posts)) {
    const list = tx.dialect.list(ids)
    await tx.run(
      `INSERT INTO tombstones (source_id, content_hash, guid, url, published_at)
       SELECT source_id, content_hash, guid, url, published_at FROM posts WHERE ${tx.dialect.oneOf('id')} AND links = 0
       ON CONFLICT (source_id, content_hash) DO NOTHING`,
      [list],
    )
    const rows = await tx.all(
      `DELETE FROM posts WHERE ${tx.dialect.oneOf('id')} AND links = 0 RETURNING id, podcast_id, source_id`,
      [list],
    )
    removed += rows.length
    for (const row of rows) {
      const podcastId = row.podcast_id as string
      const sourceId = row.source_id as string
      bySource.set(sourceId, (bySource.get(sourceId) ?? 0) + 1)
      newest.set(podcastId, Math.max(newest.get(podcastId) ?? 0, Number(row.id)))
    }
  }
  await countFewerPosts(tx, bySource)
  await recordRemovedPosts(tx, newest)
  return removed
}

/** The caller has locked these sources. Most of them lose one post, so few statements do. */
async function countFewerPosts(tx: Db, bySource: ReadonlyMap<string, number>): Promise<void> {
  for (const [count, sources] of Map.groupBy(bySource.keys(), (id) => bySource.get(id) ?? 0)) {
    for (const ids of slices(sources, SOURCES_PER_STATEMENT)) {
      const sql = `UPDATE sources SET post_count = post_count - ? WHERE ${tx.dialect.oneOf('id')}`
      await tx.run(sql, [count, tx.dialect.list(ids)])
    }
  }
}

/** Deleting a long body touches all its database pages, so a statement is limited by size too. */
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

/** Locks those of the sources that no poll is writing now, until this transaction ends. Returns their ids. */
export async function lockIdleSources(tx: Db, sourceIds: Iterable<string>): Promise<ReadonlySet<string>> {
  const rows = await tx.all(
    `SELECT s.id FROM sources s WHERE ${tx.dialect.oneOf('s.id')} ORDER BY s.id ${tx.dialect.forUpdateSkipLocked('s')}`,
    [tx.dialect.list([...new Set(sourceIds)])],
  )
  return new Set(rows.map((row) => row.id as string))
}
