// Which lanes have due work and no job yet. Lanes that could not be visited now are left out, so that they do not take the
// places of others: those that are closed, visited or left alone. This is a hint only: the lane itself knows the rules.
import type { Db } from '../database/db.ts'
import { prepared } from '../database/prepared.ts'

export const SCHEMA = 'tidings_jobs'
export const QUEUE = 'lanes'
/** Before the name of the lane: the lane without a host has an empty name, and a job needs a key. */
export const KEY = 'lane '
export const ASKED_POLLS = 'asked-polls'

const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'

const OFFERED_AT = 'lanes-offered-at'

/** Once, before the first offer: a row that is there can be tested without being locked. */
export async function prepareOffers(db: Db): Promise<void> {
  await db.run(`INSERT INTO meta (key, value) VALUES ('${OFFERED_AT}', '0') ON CONFLICT (key) DO NOTHING`)
}

/** True for one process only, once in so many milliseconds by the clock of the server. */
export async function mayOffer(db: Db, everyMs: number): Promise<boolean> {
  const taken = await db.run(
    prepared(`UPDATE meta SET value = CAST(${NOW_MS} AS TEXT)
     WHERE key = '${OFFERED_AT}' AND CAST(value AS BIGINT) NOT BETWEEN ${NOW_MS} - CAST(? AS BIGINT) AND ${NOW_MS}`),
    [everyMs],
  )
  return taken > 0
}

export interface LaneToOffer {
  readonly lane: string
  readonly isUrgent: boolean
}

/** What is due by its plan has urgency 0, what a person made due 1, and a poll that was asked for 2: no breaker stops that. */
export async function lanesToOffer(
  db: Db,
  { now, skipOpenBreakers, most }: { now: number; skipOpenBreakers: boolean; most: number },
): Promise<LaneToOffer[]> {
  const breaker = skipOpenBreakers ? `AND (h.breaker_state = 'closed' OR due.urgency = 2)` : ''
  const rows = await db.all(
    prepared(`SELECT due.lane, min(due.at) AS oldest, max(due.urgency) AS urgency FROM (
       SELECT lane, min(next_poll_at) AS at, 0 AS urgency FROM sources
       WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? GROUP BY lane
       UNION ALL SELECT lane, min(next_poll_at), 1 FROM sources
       WHERE made_due = 1 AND enabled = 1 AND next_poll_at <= ? GROUP BY lane
       UNION ALL SELECT lane, min(due_at), 0 FROM page_fetches WHERE due_at <= ? GROUP BY lane
       UNION ALL SELECT substr(group_id, ${KEY.length + 1}), CAST(extract(epoch FROM min(created_on)) * 1000 AS BIGINT), 2
       FROM ${SCHEMA}.job WHERE name = '${ASKED_POLLS}' AND state < 'active' GROUP BY group_id
     ) AS due LEFT JOIN hosts h ON h.lane = due.lane
     WHERE (h.lane IS NULL OR (COALESCE(h.closed_until, 0) <= ? AND COALESCE(h.held_until, 0) <= ? ${breaker}))
       AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.job j
         WHERE j.name = '${QUEUE}' AND COALESCE(j.singleton_key, '') = '${KEY}' || due.lane
           AND j.state <= 'active' AND j.policy = 'exclusive')
     GROUP BY due.lane ORDER BY CASE WHEN max(due.urgency) > 0 THEN 0 ELSE 1 END, 2 LIMIT ?`),
    [now, now, now, now, now, most],
  )
  return rows.map((row) => ({ lane: row.lane as string, isUrgent: Number(row.urgency) > 0 }))
}

/** Lanes that were offered for something due, before a person made one of their sources due. */
export async function lanesToHurry(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db.all(
    prepared(`SELECT DISTINCT s.lane FROM sources s JOIN ${SCHEMA}.job j
       ON j.name = '${QUEUE}' AND COALESCE(j.singleton_key, '') = '${KEY}' || s.lane
         AND j.state <= 'active' AND j.policy = 'exclusive'
     WHERE s.made_due = 1 AND s.enabled = 1 AND s.next_poll_at <= ? AND j.state < 'active' AND j.priority = 0 LIMIT ?`),
    [now, most],
  )
  return rows.map((row) => row.lane as string)
}
