// Totals of polls: by hour for a podcast, by day for a source.
// Hours are written with each poll. On PostgreSQL one row for all polls of a podcast would make them wait for each other
// to commit, so an hour has several parts, and a poll takes one that no other poll has locked.
// See docs/decisions/0185-counts-take-a-free-part.md
// Days are read from the poll records that are still there, and from the totals that clean-up leaves of the others.
import type { PollRecord } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
import type { PollTotals } from '../../ports/polling-store.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { rowOf } from '../database/later-writes.ts'
import { prepared } from '../database/prepared.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function addToPollHours(
  tx: Db,
  { podcastId }: Pick<Source, 'podcastId'>,
  { startedAt, outcome, notModified, created, bytes }: Omit<PollRecord, 'id'>,
): Promise<void> {
  const hour = Math.floor(startedAt / HOUR_MS)
  const part = freePart(tx, podcastId, hour)
  await tx.run(
    prepared(`INSERT INTO poll_hours (podcast_id, hour, part, polls, failures, not_modified, created, bytes)
     ${rowOf(tx, `?, ?, ${part.sql}, 1, ?, ?, ?, ?`)}
     ON CONFLICT (podcast_id, hour, part) DO UPDATE SET
       polls = poll_hours.polls + 1,
       failures = poll_hours.failures + excluded.failures,
       not_modified = poll_hours.not_modified + excluded.not_modified,
       created = poll_hours.created + excluded.created,
       bytes = poll_hours.bytes + excluded.bytes`),
    [...[podcastId, hour, ...part.params], ...[outcome === 'success' ? 0 : 1, notModified ? 1 : 0, created, bytes]],
  )
}

const MOST_PARTS = 2 ** 31

/**
 * The first free part from a random number on; if there is none, that number becomes one. So there are about as many as
 * polls are recorded side by side, and a few more: the logarithm of how many polls there were.
 */
function freePart(tx: Db, podcastId: string, hour: number): { readonly sql: string; readonly params: Param[] } {
  if (!tx.dialect.isShared) return { sql: '?', params: [0] }
  const from = Math.floor(Math.random() * MOST_PARTS)
  const lock = tx.dialect.forNoKeyUpdateSkipLocked('poll_hours')
  const free = `SELECT part FROM poll_hours WHERE podcast_id = ? AND hour = ? AND part >= ? ORDER BY part LIMIT 1 ${lock}`
  return { sql: `COALESCE((${free}), ?)`, params: [podcastId, hour, from, from] }
}

export async function pollHours(
  db: Db,
  query: { readonly podcastId: string | null; readonly userId: string | null; readonly fromHour: number },
): Promise<ReadonlyMap<number, PollTotals>> {
  const { podcastId, userId, fromHour } = query
  const [scope, params]: [string, Param[]] =
    podcastId !== null
      ? ['podcast_id = ? AND', [podcastId]]
      : userId !== null
        ? ['podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?) AND', [userId]]
        : ['', []]
  const rows = await db.all(
    `SELECT hour AS at, sum(polls) AS polls, sum(failures) AS failures, sum(not_modified) AS not_modified,
       sum(created) AS created, sum(bytes) AS bytes
     FROM poll_hours WHERE ${scope} hour >= ? GROUP BY hour`,
    [...params, fromHour],
  )
  return new Map(rows.map((row) => [Number(row.at), totalsIn(row)]))
}

export async function pollDays(db: Db, sourceId: string, fromDay: number): Promise<ReadonlyMap<number, PollTotals>> {
  const kept = await db.all(
    `SELECT started_at / ${DAY_MS} AS at, count(*) AS polls,
       sum(CASE WHEN outcome = 'success' THEN 0 ELSE 1 END) AS failures,
       sum(not_modified) AS not_modified, sum(created) AS created, sum(bytes) AS bytes
     FROM polls WHERE source_id = ? AND started_at >= ? GROUP BY started_at / ${DAY_MS}`,
    [sourceId, fromDay * DAY_MS],
  )
  const beyond = await db.all(
    `SELECT day AS at, polls, transient + permanent AS failures, not_modified, created, bytes
     FROM poll_days WHERE source_id = ? AND day >= ?`,
    [sourceId, fromDay],
  )
  const days = new Map<number, PollTotals>()
  for (const row of [...kept, ...beyond]) {
    const day = Number(row.at)
    days.set(day, sumOf(days.get(day), totalsIn(row)))
  }
  return days
}

function totalsIn(row: Row): PollTotals {
  return {
    polls: Number(row.polls),
    failures: Number(row.failures),
    notModified: Number(row.not_modified),
    created: Number(row.created),
    bytes: Number(row.bytes),
  }
}

function sumOf(a: PollTotals | undefined, b: PollTotals): PollTotals {
  if (!a) return b
  return {
    polls: a.polls + b.polls,
    failures: a.failures + b.failures,
    notModified: a.notModified + b.notModified,
    created: a.created + b.created,
    bytes: a.bytes + b.bytes,
  }
}
