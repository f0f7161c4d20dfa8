// Tombstones of a source: what was stored or seen once and must not be new again. Those of entries that were only older
// than the source's backfill go when that is raised (sources/forget-skipped.ts). Any other goes when documents parsed
// over ninety days have not carried its entry; time without parsing does not count, because only a parsed document
// starts or ends the count.
import type { Tombstone } from '../../domain/post.ts'
import type { PollWrite } from '../../ports/polling-store.ts'
import { replaceNul } from '../database/columns.ts'
import type { Db } from '../database/db.ts'
import { insertRows, slices } from '../database/insert-rows.ts'
import { prepared } from '../database/prepared.ts'

const KEPT_MISSING_MS = 90 * 24 * 3_600_000
const PAGE = 1000

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

type Carried = NonNullable<PollWrite['carried']>

export async function ageTombstones(tx: Db, sourceId: string, carried: Carried, at: number): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await tx.all(
      prepared(`SELECT content_hash, guid, missing_since FROM tombstones
       WHERE source_id = ? AND content_hash > ? ORDER BY content_hash LIMIT ?`),
      [sourceId, after, PAGE],
    )
    const back: string[] = []
    const missing: string[] = []
    const gone: string[] = []
    for (const row of rows) {
      after = row.content_hash as string
      const since = row.missing_since === null ? null : Number(row.missing_since)
      const isCarried = carried.hashes.has(after) || (row.guid !== null && carried.guids.has(row.guid as string))
      if (isCarried && since !== null) back.push(after)
      else if (!isCarried && since === null) missing.push(after)
      else if (!isCarried && since !== null && since <= at - KEPT_MISSING_MS) gone.push(after)
    }
    await ofHashes(tx, 'UPDATE tombstones SET missing_since = NULL', [], sourceId, back)
    await ofHashes(tx, 'UPDATE tombstones SET missing_since = ?', [at], sourceId, missing)
    await ofHashes(tx, 'DELETE FROM tombstones', [], sourceId, gone)
    if (rows.length < PAGE) return
  }
}

async function ofHashes(tx: Db, what: string, values: readonly number[], sourceId: string, hashes: readonly string[]) {
  const where = `source_id = ? AND ${tx.dialect.oneOf('content_hash')}`
  for (const some of slices(hashes, 200)) {
    await tx.run(`${what} WHERE ${where}`, [...values, sourceId, tx.dialect.list(some)])
  }
}
