// Removes old poll records, daily totals and events.
// The last hundred poll records of a source stay. Of the older ones, those without a failure or new posts are removed at
// once, the others after `pollHistoryDays`. Their figures are added to the totals of their day first.
// Totals are kept for 400 days. Events are kept for a week, and at most a million of them.
import type { CleanUpLimits } from '../../ports/store.ts'
import type { Database, Db, Row } from '../database/db.ts'
import { settledId } from '../database/next-ids.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const BATCH_SIZE = 200
const EVENTS_KEPT_DAYS = 7
const EVENTS_KEPT = 1_000_000
const TOTALS_KEPT_DAYS = 400
export const POLL_HOURS_KEPT = 92 * 24

export async function cleanPolls(db: Database, { now, pollHistoryDays, batch }: CleanUpLimits): Promise<number> {
  const uneventful = `outcome = 'success' AND created = 0 ORDER BY id`
  const notable = `(outcome <> 'success' OR created > 0) AND started_at < ? ORDER BY started_at`
  const removed = await inBatches(batch, (limit) => db.transaction((tx) => removePollBatch(tx, uneventful, [], limit)))
  const before = now - pollHistoryDays * DAY_MS
  return (
    removed +
    (await inBatches(batch - removed, (limit) => db.transaction((tx) => removePollBatch(tx, notable, [before], limit))))
  )
}

async function removePollBatch(tx: Db, which: string, params: readonly number[], limit: number): Promise<number> {
  const rows = await tx.all(
    `SELECT id, source_id, started_at, outcome, not_modified, created, bytes FROM polls
     WHERE beyond = 1 AND ${which} LIMIT ? ${tx.dialect.forUpdateSkipLocked('polls')}`,
    [...params, limit],
  )
  if (rows.length === 0) return 0
  for (const day of totalsByDay(rows)) {
    await tx.run(
      `INSERT INTO poll_days (source_id, day, polls, transient, permanent, not_modified, created, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id, day) DO UPDATE SET
         polls = poll_days.polls + excluded.polls,
         transient = poll_days.transient + excluded.transient,
         permanent = poll_days.permanent + excluded.permanent,
         not_modified = poll_days.not_modified + excluded.not_modified,
         created = poll_days.created + excluded.created,
         bytes = poll_days.bytes + excluded.bytes`,
      [day.sourceId, day.day, day.polls, day.transient, day.permanent, day.notModified, day.created, day.bytes],
    )
  }
  return tx.run(`DELETE FROM polls WHERE ${tx.dialect.oneOf('id')}`, [
    tx.dialect.list(rows.map((row) => Number(row.id))),
  ])
}

function totalsByDay(rows: readonly Row[]) {
  const days = new Map<string, ReturnType<typeof emptyTotal>>()
  for (const row of rows) {
    const day = Math.floor(Number(row.started_at) / DAY_MS)
    const key = `${day} ${row.source_id}`
    const total = days.get(key) ?? emptyTotal(row.source_id as string, day)
    days.set(key, total)
    total.polls++
    if (row.outcome === 'transient') total.transient++
    if (row.outcome === 'permanent') total.permanent++
    total.notModified += Number(row.not_modified)
    total.created += Number(row.created)
    total.bytes += Number(row.bytes)
  }
  return days.values()
}

function emptyTotal(sourceId: string, day: number) {
  return { sourceId, day, polls: 0, transient: 0, permanent: 0, notModified: 0, created: 0, bytes: 0 }
}

export async function cleanTotals(db: Database, { now, batch }: CleanUpLimits): Promise<number> {
  const sql = `DELETE FROM poll_days WHERE (source_id, day) IN
    (SELECT source_id, day FROM poll_days WHERE day < ? ORDER BY day LIMIT ?)`
  return inBatches(batch, (limit) => db.run(sql, [Math.floor(now / DAY_MS) - TOTALS_KEPT_DAYS, limit]))
}

/** Hours are kept for a quarter of a year. */
export async function cleanPollHours(db: Database, { now, batch }: CleanUpLimits): Promise<number> {
  const sql = `DELETE FROM poll_hours WHERE (podcast_id, hour, part) IN
    (SELECT podcast_id, hour, part FROM poll_hours WHERE hour < ? ORDER BY hour LIMIT ?)`
  return inBatches(batch, (limit) => db.run(sql, [Math.floor(now / HOUR_MS) - POLL_HOURS_KEPT, limit]))
}

export async function cleanEvents(db: Database, { now, batch }: CleanUpLimits): Promise<number> {
  // Only the oldest rows are examined, so the cost does not depend on how many events stay.
  const sql = `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id <= ? ORDER BY id LIMIT ?)
    AND (at < ? OR id <= ?) RETURNING id`
  const settled = await settledId(db, 'events')
  return inBatches(batch, (limit) =>
    db.transaction(async (tx) => {
      const params = [settled, limit, now - EVENTS_KEPT_DAYS * DAY_MS, settled - EVENTS_KEPT]
      const ids = (await tx.all(sql, params)).map((row) => Number(row.id))
      const last = Math.max(...ids, 0)
      // Listeners compare their position with it.
      await tx.run(`UPDATE counters SET value = ? WHERE name = 'removed-events' AND value < ?`, [last, last])
      return ids.length
    }),
  )
}

async function inBatches(batch: number, clean: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  while (removed < batch) {
    const count = await clean(Math.min(BATCH_SIZE, batch - removed))
    if (count === 0) break
    removed += count
  }
  return removed
}
