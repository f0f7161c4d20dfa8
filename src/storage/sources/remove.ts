// Removing sources, alone or with their podcast or user. The rows of the sources go at once, with their secrets, and
// with them goes everything from view: what lists posts and articles asks for their source. The posts, articles,
// polls and tombstones themselves go in slices: the first here, so that a small source leaves nothing behind, the
// rest by clean-up, which finds the source's id in `purges`.
//
// On PostgreSQL others may add to what is being removed. Once the owner's row is locked their keys wait for it, so what
// had slipped in is looked for after that; whoever waited finds the owner gone. Locked late, because moving a source
// takes it before its podcasts.
import type { Database, Db } from '../database/db.ts'

const PURGED_AT_ONCE = 1000
const SOURCES_AT_ONCE = 200

export async function removeSource(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction((tx) => removeSources(tx, 'id = ?', [id]))
  if (removed > 0) await purge(db, PURGED_AT_ONCE)
  return removed > 0
}

export async function removePodcast(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction(async (tx) => {
    await removeSources(tx, 'podcast_id = ?', [id])
    await lock(tx, 'podcasts', 'id', id)
    await removeSources(tx, 'podcast_id = ?', [id])
    return tx.run('DELETE FROM podcasts WHERE id = ?', [id])
  })
  if (removed > 0) await purge(db, PURGED_AT_ONCE)
  return removed > 0
}

export async function removeUser(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction(async (tx) => {
    const its = 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
    await removeSources(tx, its, [id])
    await lock(tx, 'users', 'id', id)
    await lock(tx, 'podcasts', 'user_id', id)
    await removeSources(tx, its, [id])
    await tx.run('DELETE FROM podcasts WHERE user_id = ?', [id])
    await tx.run(`DELETE FROM secrets WHERE scope = 'key' AND owner_id = ?`, [id])
    const hooks = 'SELECT id FROM webhooks WHERE user_id = ?'
    await tx.run(`DELETE FROM secrets WHERE scope = 'webhook' AND owner_id IN (${hooks})`, [id])
    return tx.run('DELETE FROM users WHERE id = ?', [id])
  })
  if (removed > 0) await purge(db, PURGED_AT_ONCE)
  return removed > 0
}

async function lock(tx: Db, table: 'users' | 'podcasts', column: 'id' | 'user_id', id: string): Promise<void> {
  await tx.all(`SELECT id FROM ${table} WHERE ${column} = ? ORDER BY id ${tx.dialect.forUpdate(table)}`, [id])
}

async function removeSources(tx: Db, which: string, params: readonly string[]): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await tx.all(`SELECT id FROM sources WHERE ${which} ORDER BY id LIMIT ?`, [...params, SOURCES_AT_ONCE])
    if (rows.length === 0) return removed
    const ids = tx.dialect.list(rows.map((row) => row.id as string))
    const gone = await tx.all(`DELETE FROM sources WHERE ${tx.dialect.oneOf('id')} RETURNING id`, [ids])
    // After the sources: somebody who was changing one may just have given it credentials.
    await tx.run(`DELETE FROM secrets WHERE scope = 'source' AND ${tx.dialect.oneOf('owner_id')}`, [ids])
    for (const row of gone) {
      await tx.run('INSERT INTO purges (source_id) VALUES (?) ON CONFLICT (source_id) DO NOTHING', [row.id as string])
    }
    removed += gone.length
  }
}

const CHILDREN = [
  ['articles', 'id'],
  ['posts', 'id'],
  ['polls', 'id'],
  ['tombstones', '(source_id, content_hash)'],
  ['poll_days', '(source_id, day)'],
] as const
const ROWS_PER_STATEMENT = 50

/** Deletes up to `most` rows that removed sources left behind; returns how many it found. */
export async function purge(db: Database, most: number): Promise<number> {
  let gone = 0
  while (gone < most) {
    const found = await db.transaction(async (tx) => {
      const row = await tx.get(`SELECT source_id FROM purges LIMIT 1 ${tx.dialect.forUpdateOfFree('purges')}`)
      return row ? purgeSome(tx, row.source_id as string) : 0
    })
    if (found === 0) break
    gone += found
  }
  return gone
}

async function purgeSome(tx: Db, sourceId: string): Promise<number> {
  let gone = 0
  for (const [table, key] of CHILDREN) {
    for (let slice = 0; slice < 4; slice++) {
      const deleted = await tx.run(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key.replace(/[()]/g, '')} FROM ${table} WHERE source_id = ? LIMIT ?)`,
        [sourceId, ROWS_PER_STATEMENT],
      )
      gone += deleted
      if (deleted < ROWS_PER_STATEMENT) break
    }
  }
  if (gone > 0) return gone
  await tx.run('DELETE FROM purges WHERE source_id = ?', [sourceId])
  return 1
}
