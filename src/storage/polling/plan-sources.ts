import type { Source } from '../../domain/source.ts'
import type { Database, Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readSource, SELECT_SOURCES } from '../sources/source-row.ts'

export async function unplannedSources(db: Db, limit: number): Promise<readonly Source[]> {
  const rows = await db.all(
    `${SELECT_SOURCES}
     WHERE s.enabled = 1 AND s.next_poll_at IS NULL AND s.last_polled IS NULL ORDER BY s.id LIMIT ?`,
    [limit],
  )
  return rows.map(readSource)
}

export async function overdueSources(db: Db, now: number, limit: number): Promise<readonly Source[]> {
  const rows = await db.all(
    `${SELECT_SOURCES}
     WHERE s.enabled = 1 AND s.next_poll_at IS NOT NULL AND s.next_poll_at <= ?
     ORDER BY s.next_poll_at, s.id LIMIT ?`,
    [now, limit],
  )
  return rows.map(readSource)
}

export async function countOverdue(db: Db, now: number): Promise<number> {
  const row = await db.get(
    'SELECT count(*) AS n FROM sources WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ?',
    [now],
  )
  return Number(row?.n)
}

/** A scan, for the rare moment after a clock was set back. */
export async function polledAfter(db: Db, now: number, limit: number): Promise<readonly Source[]> {
  const rows = await db.all(`${SELECT_SOURCES} WHERE s.enabled = 1 AND s.last_polled > ? ORDER BY s.id LIMIT ?`, [
    now,
    limit,
  ])
  return rows.map(readSource)
}

export interface Plan {
  readonly id: string
  readonly nextPollAt: number | null
  readonly lastPolled?: number
  readonly was?: number | null
}

export async function planSources(db: Database, plans: readonly Plan[], only?: 'unplanned'): Promise<number> {
  const unplanned = only ? 'AND sources.next_poll_at IS NULL AND sources.last_polled IS NULL' : ''
  // Always in the same order, so that two processes cannot deadlock.
  const ordered = [...plans].sort((a, b) => (a.id < b.id ? -1 : 1))
  return db.transaction(async (tx) => {
    let written = 0
    for (const some of slices(ordered, tx.dialect.rowsPerStatement)) {
      const row = '(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))'
      written += await tx.run(
        `WITH plan (id, next_poll_at, last_polled, was) AS (VALUES ${some.map(() => row).join(', ')})
         UPDATE sources
         SET next_poll_at = plan.next_poll_at, last_polled = COALESCE(plan.last_polled, sources.last_polled)
         FROM plan WHERE sources.id = plan.id AND sources.enabled = 1
           AND (plan.was IS NULL OR sources.next_poll_at = plan.was) ${unplanned}`,
        some.flatMap(({ id, nextPollAt, lastPolled = null, was = null }) => [
          ...[id, whole(nextPollAt)],
          ...[whole(lastPolled), whole(was)],
        ]),
      )
    }
    return written
  })
}

function whole(instant: number | null): number | null {
  return instant === null ? null : Math.round(instant)
}
