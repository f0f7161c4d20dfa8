// Which lanes have due work and no job yet. Lanes that could not be visited now are left out, so that they do not take the
// places of others: those that are closed, visited or left alone. This is a hint only: the lane itself knows the rules.
import type { Db } from '../database/db.ts'

export const SCHEMA = 'tidings_jobs'
export const QUEUE = 'lanes'
/** Before the name of the lane: the lane without a host has an empty name, and a job needs a key. */
export const KEY = 'lane '

const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'

/** True for one process only, once in so many milliseconds by the clock of the server. */
export async function mayOffer(db: Db, everyMs: number): Promise<boolean> {
  const taken = await db.run(
    `INSERT INTO meta (key, value) VALUES ('lanes-offered-at', CAST(${NOW_MS} AS TEXT))
     ON CONFLICT (key) DO UPDATE SET value = excluded.value
       WHERE CAST(meta.value AS BIGINT) NOT BETWEEN ${NOW_MS} - CAST(? AS BIGINT) AND ${NOW_MS}`,
    [everyMs],
  )
  return taken > 0
}

export async function lanesToOffer(
  db: Db,
  { now, skipOpenBreakers, most }: { now: number; skipOpenBreakers: boolean; most: number },
): Promise<string[]> {
  const breaker = skipOpenBreakers ? `AND h.breaker_state = 'closed'` : ''
  const rows = await db.all(
    `SELECT due.lane, min(due.at) AS oldest FROM (
       SELECT lane, min(next_poll_at) AS at FROM sources
       WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? GROUP BY lane
       UNION ALL SELECT lane, min(due_at) FROM page_fetches WHERE due_at <= ? GROUP BY lane
     ) AS due LEFT JOIN hosts h ON h.lane = due.lane
     WHERE (h.lane IS NULL OR (COALESCE(h.closed_until, 0) <= ? AND COALESCE(h.held_until, 0) <= ? ${breaker}))
       AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.job j
         WHERE j.name = '${QUEUE}' AND COALESCE(j.singleton_key, '') = '${KEY}' || due.lane
           AND j.state <= 'active' AND j.policy = 'exclusive')
     GROUP BY due.lane ORDER BY 2 LIMIT ?`,
    [now, now, now, now, most],
  )
  return rows.map((row) => row.lane as string)
}
