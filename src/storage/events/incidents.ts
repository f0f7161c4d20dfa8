// What a day's summary is made of: the few events that tell of incidents, found by an index of their own, and totals.
import { INCIDENT_TYPES } from '../../domain/daily-summary.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import type { Db } from '../database/db.ts'
import { readEvent } from './events.ts'

/** As the index has it: an engine uses a partial index only for its own condition. */
const IS_INCIDENT = `type IN (${INCIDENT_TYPES.map((type) => `'${type}'`).join(', ')})`

/** Oldest first; of very many the newest. */
export async function incidentsSince(db: Db, since: number, limit: number): Promise<readonly StoredEvent[]> {
  const rows = await db.all(`SELECT * FROM events WHERE ${IS_INCIDENT} AND at >= ? ORDER BY at DESC, id DESC LIMIT ?`, [
    since,
    limit,
  ])
  return rows.map(readEvent).reverse()
}

export async function activityOf(
  db: Db,
  userId: string,
  since: number,
): Promise<{ polls: number; failures: number; posts: number }> {
  const row = await db.get(
    `SELECT COALESCE(sum(polls), 0) AS polls, COALESCE(sum(failures), 0) AS failures, COALESCE(sum(created), 0) AS posts
     FROM poll_hours WHERE podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?) AND hour >= ?`,
    [userId, Math.floor(since / HOUR_MS)],
  )
  return { polls: Number(row?.polls), failures: Number(row?.failures), posts: Number(row?.posts) }
}
