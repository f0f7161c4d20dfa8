// One source, and how many posts and articles sources have.
import type { Source } from '../../domain/source.ts'
import type { SourceCounts } from '../../ports/source-store.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { prepared } from '../database/prepared.ts'
import { readSource, SELECT_SOURCES } from './source-row.ts'

export async function getSource(db: Db, id: string): Promise<Source | null> {
  const row = await db.get(prepared(`${SELECT_SOURCES} WHERE s.id = ?`), [id])
  return row ? readSource(row) : null
}

export async function countsOf(db: Db, sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceCounts>> {
  const counts = new Map(sourceIds.map((id) => [id, { postCount: 0, articleCount: 0 }]))
  for (const ids of slices(sourceIds, 50)) {
    for (const [table, field] of [
      ['posts', 'postCount'],
      ['articles', 'articleCount'],
    ] as const) {
      const rows = await db.all(
        `SELECT source_id, count(*) AS n FROM ${table} WHERE ${db.dialect.oneOf('source_id')} GROUP BY source_id`,
        [db.dialect.list(ids)],
      )
      for (const row of rows) {
        const of = counts.get(row.source_id as string)
        if (of) of[field] = Number(row.n)
      }
    }
  }
  return counts
}
