// Deletes the rows that removed sources left behind. `purges` has the ids of those sources. Each transaction deletes a few
// slices, so that polls and the API can work in between. The id leaves `purges` when the source has no rows left.
// See docs/decisions/0014-removed-source-deleted-in-slices.md
import type { Database, Db } from '../database/db.ts'

const CHILDREN = [
  ['articles', 'id'],
  ['posts', 'id'],
  ['polls', 'id'],
  ['tombstones', '(source_id, content_hash)'],
  ['poll_days', '(source_id, day)'],
] as const
const ROWS_PER_STATEMENT = 50

/** Deletes up to about `limit` rows. Returns how many it deleted. */
export async function purgeRemovedSources(db: Database, limit: number): Promise<number> {
  let deletedSoFar = 0
  while (deletedSoFar < limit) {
    const count = await db.transaction(async (tx) => {
      const row = await tx.get(`SELECT source_id FROM purges LIMIT 1 ${tx.dialect.forUpdateSkipLocked('purges')}`)
      return row ? purgeSlice(tx, row.source_id as string) : 0
    })
    if (count === 0) break
    deletedSoFar += count
  }
  return deletedSoFar
}

async function purgeSlice(tx: Db, sourceId: string): Promise<number> {
  const { keepNewestPoll } = tx.dialect.ids
  if (keepNewestPoll !== null) await tx.run(keepNewestPoll)
  let deletedSoFar = 0
  for (const [table, key] of CHILDREN) {
    for (let slice = 0; slice < 4; slice++) {
      const deleted = await tx.run(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key.replace(/[()]/g, '')} FROM ${table} WHERE source_id = ? LIMIT ?)`,
        [sourceId, ROWS_PER_STATEMENT],
      )
      deletedSoFar += deleted
      if (deleted < ROWS_PER_STATEMENT) break
    }
  }
  if (deletedSoFar > 0) return deletedSoFar
  await tx.run('DELETE FROM purges WHERE source_id = ?', [sourceId])
  return 1
}
