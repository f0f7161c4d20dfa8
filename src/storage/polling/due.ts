// What is due, by lane. Both questions walk an index that holds nothing but planned, enabled sources in the order of
// their plans, so they cost in proportion to what is due, however many sources exist.
import { EVERYBODY, type FreeVisitors } from '../../domain/owner-spacing.ts'
import type { Source } from '../../domain/source.ts'
import type { DueLane } from '../../ports/polling-store.ts'
import type { Db } from '../database/db.ts'
import { prepared } from '../database/prepared.ts'
import { mayBeVisitedFor } from '../hosts/free-visitors.ts'
import { readSource, SELECT_SOURCES, SOURCE_COLUMNS } from '../sources/source-row.ts'

const PAGE = 2000

export async function dueLanes(db: Db, now: number): Promise<readonly DueLane[]> {
  const lanes = new Map<string, { lane: string; due: number; oldestDueAt: number }>()
  let after: [number, string] = [Number.MIN_SAFE_INTEGER, '']
  for (;;) {
    const rows = await db.all(
      `SELECT next_poll_at, id, lane FROM sources
       WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? AND (next_poll_at, id) > (?, ?)
       ORDER BY next_poll_at, id LIMIT ?`,
      [now, ...after, PAGE],
    )
    for (const row of rows) {
      const lane = lanes.get(row.lane as string)
      if (lane) lane.due++
      // Oldest first: a lane's first row is its oldest, and a map keeps the order of arrival.
      else lanes.set(row.lane as string, { lane: row.lane as string, due: 1, oldestDueAt: Number(row.next_poll_at) })
      after = [Number(row.next_poll_at), row.id as string]
    }
    if (rows.length < PAGE) return [...lanes.values()]
  }
}

export async function nextDueOf(
  db: Db,
  lane: string,
  now: number,
  except: readonly string[],
  free: FreeVisitors = EVERYBODY,
): Promise<Source | null> {
  const visitors = mayBeVisitedFor(db, free)
  const row = await db.get(
    prepared(`SELECT ${SOURCE_COLUMNS}, p.user_id${db.dialect.rowVersion('s')}
     FROM sources s JOIN podcasts p ON p.id = s.podcast_id
     WHERE s.lane = ? AND s.enabled = 1 AND s.next_poll_at IS NOT NULL AND s.next_poll_at <= ?
       AND NOT (${db.dialect.oneOf('s.id')})${visitors.sql}
     ORDER BY s.next_poll_at, s.id LIMIT 1`),
    [lane, now, db.dialect.list(except), ...visitors.params],
  )
  return row ? readSource(row) : null
}

export async function disabledPolledBefore(db: Db, instant: number, limit: number): Promise<readonly Source[]> {
  const rows = await db.all(
    `${SELECT_SOURCES}
     WHERE s.enabled = 0 AND s.disabled_reason IS NOT NULL AND s.last_polled <= ?
     ORDER BY s.last_polled LIMIT ?`,
    [instant, limit],
  )
  return rows.map(readSource)
}
