// Named consumers of a podcast and the position that each has reached. A position is the id of a post. No post is given
// out before all lower ids are settled (next-ids.ts), so a consumer that continues after its position misses nothing.
// See docs/decisions/0082-cursor-gap-from-highest-removed-id.md
import type { CursorState } from '../../ports/consumer-store.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import type { Database, Db } from '../database/db.ts'
import { settledId } from '../database/next-ids.ts'
import { ifOwnerExists } from '../people/owner-still-exists.ts'
import { addWithinLimit } from '../people/within-limit.ts'
import { pageOf, readCursor, readPosition } from './page-cursor.ts'

const COUNTED_AT_ONCE = 10_000

/** Returns null if the position is after the newest post. */
export async function putCursor(
  db: Database,
  podcastId: string,
  cursor: { readonly name: string; readonly position: string; readonly at: number },
  limit: { readonly userId: string; readonly most: number } | null = null,
): Promise<CursorState | null> {
  const position = readPosition(cursor.position)
  if (position > Number(await lastPostId(db))) return null
  const sql = `INSERT INTO cursors (podcast_id, name, position, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (podcast_id, name) DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`
  const owned = { what: 'cursors', userId: limit?.userId ?? '', most: limit?.most ?? null } as const
  await addWithinLimit(db, owned, async (tx) => {
    const known = await tx.get('SELECT name FROM cursors WHERE podcast_id = ? AND name = ?', [podcastId, cursor.name])
    await ifOwnerExists(tx, 'podcast', () => tx.run(sql, [podcastId, cursor.name, position, cursor.at]))
    return known ? 0 : 1
  })
  return stateOf(db, podcastId, cursor.name, position)
}

export async function lastPostId(db: Db): Promise<string> {
  return String(await settledId(db, 'posts'))
}

export async function getCursor(db: Db, podcastId: string, name: string): Promise<CursorState | null> {
  const row = await db.get('SELECT position FROM cursors WHERE podcast_id = ? AND name = ?', [podcastId, name])
  return row ? stateOf(db, podcastId, name, Number(row.position)) : null
}

export async function listCursors(db: Db, podcastId: string, page: PageQuery): Promise<Page<CursorState>> {
  const [after] = readCursor(page.cursor, ['']) ?? ['']
  const rows = await db.all(
    'SELECT name, position FROM cursors WHERE podcast_id = ? AND name > ? ORDER BY name LIMIT ?',
    [podcastId, after, page.limit + 1],
  )
  const { items, nextCursor } = pageOf(rows, page.limit, (row) => [row.name as string])
  const states: CursorState[] = []
  for (const row of items) states.push(await stateOf(db, podcastId, row.name as string, Number(row.position)))
  return { items: states, nextCursor }
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

/** Counts in steps, because a consumer may be millions of posts behind. Posts of removed sources do not count. */
async function countAfter(db: Db, podcastId: string, position: number): Promise<number> {
  let count = 0
  for (let after = position; ; ) {
    const part = await db.get(
      `SELECT count(*) AS n, max(id) AS last FROM
         (SELECT id FROM posts WHERE podcast_id = ? AND id > ? ORDER BY id LIMIT ?) AS step`,
      [podcastId, after, COUNTED_AT_ONCE],
    )
    count += Number(part?.n)
    if (Number(part?.n) < COUNTED_AT_ONCE) break
    after = Number(part?.last)
  }
  const leftover = await db.get(
    `SELECT count(*) AS n FROM posts
     WHERE source_id IN (SELECT source_id FROM purges) AND podcast_id = ? AND id > ?`,
    [podcastId, position],
  )
  return count - Number(leftover?.n)
}

/** Records that clean-up removed posts, by podcast and highest id. A cursor below that has a gap. */
export async function recordRemovedPosts(tx: Db, removed: ReadonlyMap<string, number>): Promise<void> {
  // The fixed order prevents a deadlock between two clean-ups.
  for (const [podcastId, position] of [...removed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.run(
      `INSERT INTO removed_posts (podcast_id, position) SELECT id, ${tx.dialect.bigint} FROM podcasts WHERE id = ?
       ON CONFLICT (podcast_id) DO UPDATE SET position = excluded.position
       WHERE excluded.position > removed_posts.position`,
      [position, podcastId],
    )
  }
}
