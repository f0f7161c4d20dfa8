// Poll records and events beyond their time. Of a poll record beyond the last hundred of its source, what tells
// nothing goes at once, what tells of a failure or new posts after the days given; both are added to the totals of
// their day first. Totals are kept for 400 days, events for a week and at most a million of them.
import type { CleanUpLimits } from '../../ports/store.ts'
import type { Database, Db, Row } from '../database/db.ts'

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 200
const EVENTS_KEPT_DAYS = 7
const EVENTS_KEPT = 1_000_000
const TOTALS_KEPT_DAYS = 400

export async function cleanPolls(db: Database, { now, pollHistoryDays, batch }: CleanUpLimits): Promise<number> {
  const plain = `outcome = 'success' AND created = 0 ORDER BY id`
  const notable = `(outcome <> 'success' OR created > 0) AND started_at < ? ORDER BY started_at`
  const gone = await inSlices(batch, (most) => db.transaction((tx) => somePolls(tx, plain, [], most)))
  const before = now - pollHistoryDays * DAY_MS
  return gone + (await inSlices(batch - gone, (most) => db.transaction((tx) => somePolls(tx, notable, [before], most))))
}

async function somePolls(tx: Db, which: string, params: readonly number[], most: number): Promise<number> {
  const rows = await tx.all(
    `SELECT id, source_id, started_at, outcome, created, bytes FROM polls
     WHERE beyond = 1 AND ${which} LIMIT ? ${tx.dialect.forUpdateOfFree('polls')}`,
    [...params, most],
  )
  if (rows.length === 0) return 0
  for (const day of totalsByDay(rows)) {
    await tx.run(
      `INSERT INTO poll_days (source_id, day, polls, transient, permanent, created, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id, day) DO UPDATE SET
         polls = poll_days.polls + excluded.polls,
         transient = poll_days.transient + excluded.transient,
         permanent = poll_days.permanent + excluded.permanent,
         created = poll_days.created + excluded.created,
         bytes = poll_days.bytes + excluded.bytes`,
      [day.sourceId, day.day, day.polls, day.transient, day.permanent, day.created, day.bytes],
    )
  }
  return tx.run(`DELETE FROM polls WHERE ${tx.dialect.oneOf('id')}`, [
    tx.dialect.list(rows.map((row) => Number(row.id))),
  ])
}

function totalsByDay(rows: readonly Row[]) {
  const days = new Map<string, ReturnType<typeof nothing>>()
  for (const row of rows) {
    const day = Math.floor(Number(row.started_at) / DAY_MS)
    const key = `${day} ${row.source_id}`
    const total = days.get(key) ?? nothing(row.source_id as string, day)
    days.set(key, total)
    total.polls++
    if (row.outcome === 'transient') total.transient++
    if (row.outcome === 'permanent') total.permanent++
    total.created += Number(row.created)
    total.bytes += Number(row.bytes)
  }
  return days.values()
}

function nothing(sourceId: string, day: number) {
  return { sourceId, day, polls: 0, transient: 0, permanent: 0, created: 0, bytes: 0 }
}

export async function cleanTotals(db: Database, { now, batch }: CleanUpLimits): Promise<number> {
  const sql = `DELETE FROM poll_days WHERE (source_id, day) IN
    (SELECT source_id, day FROM poll_days WHERE day < ? ORDER BY day LIMIT ?)`
  return inSlices(batch, (most) => db.run(sql, [Math.floor(now / DAY_MS) - TOTALS_KEPT_DAYS, most]))
}

export async function cleanEvents(db: Database, { now, batch }: CleanUpLimits): Promise<number> {
  // Oldest first and only as long as they are beyond: what is to stay is not looked at.
  const sql = `DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?)
    AND (at < ? OR id <= (SELECT value FROM counters WHERE name = 'events') - ${EVENTS_KEPT})`
  return inSlices(batch, (most) => db.run(sql, [most, now - EVENTS_KEPT_DAYS * DAY_MS]))
}

async function inSlices(batch: number, clean: (most: number) => Promise<number>): Promise<number> {
  let gone = 0
  while (gone < batch) {
    const some = await clean(Math.min(AT_ONCE, batch - gone))
    if (some === 0) break
    gone += some
  }
  return gone
}
