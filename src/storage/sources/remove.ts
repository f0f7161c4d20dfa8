// Removes sources, alone or with their podcast or user. The rows of the sources and their secrets are deleted at once.
// That hides their posts and articles, because every list of those asks for the source. The posts, articles, polls and
// tombstones are deleted in slices (purge-removed.ts): the first slices here, so that a small source leaves nothing behind,
// the rest by clean-up.
//
// On PostgreSQL others may add sources to a podcast or user while it is being removed. So sources are removed, the owner
// is locked, and sources that were added in between are removed too. Whoever adds one after that waits for the lock and
// then finds no owner. The owner is locked late, because moving a source locks the source before its podcasts.
import type { Database, Db } from '../database/db.ts'
import { purgeRemovedSources } from './purge-removed.ts'

const PURGED_AT_ONCE = 1000
const SOURCES_AT_ONCE = 200

export async function removeSource(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction((tx) => removeSources(tx, 'id = ?', [id]))
  if (removed > 0) await purgeRemovedSources(db, PURGED_AT_ONCE)
  return removed > 0
}

export async function removePodcast(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction(async (tx) => {
    await removeSources(tx, 'podcast_id = ?', [id])
    await lock(tx, 'podcasts', 'id', id)
    await removeSources(tx, 'podcast_id = ?', [id])
    return tx.run('DELETE FROM podcasts WHERE id = ?', [id])
  })
  if (removed > 0) await purgeRemovedSources(db, PURGED_AT_ONCE)
  return removed > 0
}

export async function removeUser(db: Database, id: string): Promise<boolean> {
  const removed = await db.transaction(async (tx) => {
    const ownSources = 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
    await removeSources(tx, ownSources, [id])
    await lock(tx, 'users', 'id', id)
    await lock(tx, 'podcasts', 'user_id', id)
    await removeSources(tx, ownSources, [id])
    await tx.run('DELETE FROM podcasts WHERE user_id = ?', [id])
    await tx.run(`DELETE FROM secrets WHERE scope = 'key' AND owner_id = ?`, [id])
    const hooks = 'SELECT id FROM webhooks WHERE user_id = ?'
    await tx.run(`DELETE FROM secrets WHERE scope = 'webhook' AND owner_id IN (${hooks})`, [id])
    return tx.run('DELETE FROM users WHERE id = ?', [id])
  })
  if (removed > 0) await purgeRemovedSources(db, PURGED_AT_ONCE)
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
    const deleted = await tx.all(`DELETE FROM sources WHERE ${tx.dialect.oneOf('id')} RETURNING id`, [ids])
    // Secrets go after the sources: a change that was under way may just have stored new credentials.
    await tx.run(`DELETE FROM secrets WHERE scope = 'source' AND ${tx.dialect.oneOf('owner_id')}`, [ids])
    for (const row of deleted) {
      await tx.run('INSERT INTO purges (source_id) VALUES (?) ON CONFLICT (source_id) DO NOTHING', [row.id as string])
    }
    removed += deleted.length
  }
}
