// Where named consumers of a podcast stand. A position is the id of a post: ids go up in commit order (next-ids.ts).
import type { CursorState } from '../../ports/consumer-store.ts'
import type { Database, Db } from '../database/db.ts'
import { unlessGone } from '../people/owner-still-exists.ts'
import { rowPosition } from './page-cursor.ts'

const COUNTED_AT_ONCE = 10_000

/** null when the position was never given out. */
export async function putCursor(
  db: Database,
  podcastId: string,
  cursor: { readonly name: string; readonly position: string; readonly at: number },
): Promise<CursorState | null> {
  const position = rowPosition(cursor.position)
  if (position > Number(await lastPostId(db))) return null
  const sql = `INSERT INTO cursors (podcast_id, name, position, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (podcast_id, name) DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`
  await unlessGone(db, 'podcast', () => db.run(sql, [podcastId, cursor.name, position, cursor.at]))
  return stateOf(db, podcastId, cursor.name, position)
}

export async function lastPostId(db: Db): Promise<string> {
  return String((await db.get(`SELECT value FROM counters WHERE name = 'posts'`))?.value ?? 0)
}

export async function getCursor(db: Db, podcastId: string, name: string): Promise<CursorState | null> {
  const row = await db.get('SELECT position FROM cursors WHERE podcast_id = ? AND name = ?', [podcastId, name])
  return row ? stateOf(db, podcastId, name, Number(row.position)) : null
}

export async function removeCursor(db: Db, podcastId: string, name: string): Promise<boolean> {
  return (await db.run('DELETE FROM cursors WHERE podcast_id = ? AND name = ?', [podcastId, name])) > 0
}

async function stateOf(db: Db, podcastId: string, name: string, position: number): Promise<CursorState> {
  const removed = await db.get('SELECT position FROM removed_posts WHERE podcast_id = ?', [podcastId])
  return {
    name,
    position: String(position),
    behind: await countAfter(db, podcastId, position),
    gap: Number(removed?.position ?? 0) > position,
  }
}

/** In stretches: a consumer may be millions of posts behind. Rows that removed sources left are taken off. */
async function countAfter(db: Db, podcastId: string, position: number): Promise<number> {
  let count = 0
  for (let after = position; ; ) {
    const part = await db.get(
      `SELECT count(*) AS n, max(id) AS last FROM
         (SELECT id FROM posts WHERE podcast_id = ? AND id > ? ORDER BY id LIMIT ?) AS stretch`,
      [podcastId, after, COUNTED_AT_ONCE],
    )
    count += Number(part?.n)
    if (Number(part?.n) < COUNTED_AT_ONCE) break
    after = Number(part?.last)
  }
  const left = await db.get(
    `SELECT count(*) AS n FROM posts
     WHERE source_id IN (SELECT source_id FROM purges) AND podcast_id = ? AND id > ?`,
    [podcastId, position],
  )
  return count - Number(left?.n)
}

/** Clean-up took posts of these podcasts, up to these ids. */
export async function noteRemoved(tx: Db, removed: ReadonlyMap<string, number>): Promise<void> {
  // In a fixed order: two clean-ups must not wait for each other.
  for (const [podcastId, position] of [...removed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.run(
      `INSERT INTO removed_posts (podcast_id, position) SELECT id, ${tx.dialect.bigint} FROM podcasts WHERE id = ?
       ON CONFLICT (podcast_id) DO UPDATE SET position = excluded.position
       WHERE excluded.position > removed_posts.position`,
      [position, podcastId],
    )
  }
}
