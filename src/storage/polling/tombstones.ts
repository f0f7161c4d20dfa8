// Tombstones of a source: what was stored or seen once and must not be new again. Those of entries that were only older
// than the source's backfill go when that is raised (sources/forget-skipped.ts), any other when its entry has been missing
// for long (age-tombstones.ts).
import type { Tombstone } from '../../domain/post.ts'
import { replaceNul } from '../database/columns.ts'
import type { Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'

export async function insertTombstones(tx: Db, sourceId: string, entries: readonly Tombstone[]): Promise<void> {
  await insertRows(tx, {
    table: 'tombstones',
    columns: ['source_id', 'content_hash', 'guid', 'url', 'published_at', 'before_created'],
    rows: entries.map(({ contentHash, guid, url, publishedAt, isBeforeCreated = false }) => [
      sourceId,
      contentHash,
      guid === null ? null : replaceNul(guid),
      replaceNul(url),
      publishedAt === null ? null : Math.round(publishedAt),
      isBeforeCreated ? 1 : 0,
    ]),
    onConflict: 'ON CONFLICT (source_id, content_hash) DO NOTHING',
  })
}
