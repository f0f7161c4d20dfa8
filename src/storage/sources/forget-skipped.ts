// A raised backfill makes entries new that were dropped only because they were older than it. Those of posts that were
// stored once, and of entries beyond the age limit, stay known.
import type { Db } from '../database/db.ts'

export async function forgetSkipped(tx: Db, sourceId: string, publishedSince: number): Promise<void> {
  await tx.run('DELETE FROM tombstones WHERE source_id = ? AND before_created = 1 AND published_at >= ?', [
    sourceId,
    publishedSince,
  ])
}
