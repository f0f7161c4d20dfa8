// What a lane has to know before its next turn: its host, its oldest due source, and whether a page is due. On PostgreSQL
// each statement is a round trip, so there it is one.
import type { LaneSeen } from '../../ports/polling-store.ts'
import type { Db, Row } from '../database/db.ts'
import { prepared } from '../database/prepared.ts'
import { hostState, readHost } from '../hosts/hosts.ts'
import { readSource, SOURCE_COLUMNS } from '../sources/source-row.ts'
import { nextDueOf } from './due.ts'

const DUE_PAGE = 'EXISTS (SELECT 1 FROM page_fetches f WHERE f.lane = ? AND f.due_at <= ?)'

export async function lookAtLane(db: Db, lane: string, now: number, except: readonly string[]): Promise<LaneSeen> {
  return db.dialect.isShared ? inOneStatement(db, lane, now, except) : oneByOne(db, lane, now, except)
}

async function oneByOne(db: Db, lane: string, now: number, except: readonly string[]): Promise<LaneSeen> {
  const host = await hostState(db, lane)
  const source = await nextDueOf(db, lane, now, except)
  const row = await db.get(`SELECT ${DUE_PAGE} AS page_is_due`, [lane, now])
  return { host, source, hasPages: Boolean(row?.page_is_due) }
}

async function inOneStatement(db: Db, lane: string, now: number, except: readonly string[]): Promise<LaneSeen> {
  const { oneOf, list, rowVersion } = db.dialect
  const row = await db.get(
    // As JSON: the driver takes longer to read fifty columns than one.
    prepared(`SELECT row_to_json(h) AS host_row, row_to_json(due) AS source_row, ${DUE_PAGE} AS page_is_due
     FROM (SELECT 1) AS one LEFT JOIN hosts h ON h.lane = ? LEFT JOIN LATERAL (
       SELECT ${SOURCE_COLUMNS}, p.user_id${rowVersion('s')}
       FROM sources s JOIN podcasts p ON p.id = s.podcast_id
       WHERE s.lane = ? AND s.enabled = 1 AND s.next_poll_at IS NOT NULL AND s.next_poll_at <= ?
         AND NOT (${oneOf('s.id')})
       ORDER BY s.next_poll_at, s.id LIMIT 1
     ) AS due ON TRUE`),
    [lane, now, lane, lane, now, list(except)],
  )
  return {
    host: row?.host_row ? readHost(row.host_row as Row) : null,
    source: row?.source_row ? readSource(row.source_row as Row) : null,
    hasPages: Boolean(row?.page_is_due),
  }
}
