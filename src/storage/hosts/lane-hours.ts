// The ledger of requests: one row per lane and hour, added to with each visit. Two days are kept, one is asked for.
// See docs/decisions/0072-requests-per-host-counted-by-hour.md
import { type HostDay, type SpacedTally, spaced, type VisitTally } from '../../domain/politeness.ts'
import { withRequests } from '../../domain/request-limit.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import type { CleanUpLimits } from '../../ports/store.ts'
import type { Database, Db } from '../database/db.ts'
import { rowOf } from '../database/later-writes.ts'
import { lockedHost, updateHost } from './hosts.ts'

const HOURS_KEPT = 48
const AT_ONCE = 200

export async function addVisit(tx: Db, lane: string, tally: SpacedTally): Promise<void> {
  await tx.run(
    `INSERT INTO lane_hours
       (lane, hour, requests, conditional, not_modified, throttled, failures, bytes, smallest_gap_ms)
     ${rowOf(tx, '?, ?, ?, ?, ?, ?, ?, ?, ?')}
     ON CONFLICT (lane, hour) DO UPDATE SET
       requests = lane_hours.requests + excluded.requests,
       conditional = lane_hours.conditional + excluded.conditional,
       not_modified = lane_hours.not_modified + excluded.not_modified,
       throttled = lane_hours.throttled + excluded.throttled,
       failures = lane_hours.failures + excluded.failures,
       bytes = lane_hours.bytes + excluded.bytes,
       smallest_gap_ms = CASE
         WHEN lane_hours.smallest_gap_ms IS NULL OR lane_hours.smallest_gap_ms > excluded.smallest_gap_ms
         THEN COALESCE(excluded.smallest_gap_ms, lane_hours.smallest_gap_ms)
         ELSE lane_hours.smallest_gap_ms END`,
    [
      ...[lane, hourOf(tally.startedAt), tally.requests, tally.conditional, tally.notModified],
      ...[tally.throttled, tally.failures, tally.bytes, tally.gapMs === null ? null : Math.round(tally.gapMs)],
    ],
  )
}

export async function noteVisit(db: Database, lane: string, tally: VisitTally, isLimited: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    const host = await lockedHost(tx, lane)
    const { requests, completedAt } = tally
    const limited = isLimited && { limitedRequests: withRequests(host?.limitedRequests ?? null, requests, completedAt) }
    await updateHost(tx, lane, { lastCompletedAt: completedAt, ...limited })
    await addVisit(tx, lane, spaced(tally, host?.lastCompletedAt ?? null))
  })
}

export async function hostDays(db: Db, lanes: readonly string[], now: number): Promise<ReadonlyMap<string, HostDay>> {
  const rows = await db.all(
    `SELECT lane, sum(requests) AS requests, sum(conditional) AS conditional, sum(not_modified) AS not_modified,
       sum(throttled) AS throttled, sum(failures) AS failures, sum(bytes) AS bytes, min(smallest_gap_ms) AS gap
     FROM lane_hours WHERE ${db.dialect.oneOf('lane')} AND hour > ? GROUP BY lane`,
    [db.dialect.list(lanes), hourOf(now) - 24],
  )
  return new Map(
    rows.map((row) => [
      row.lane as string,
      {
        requests: Number(row.requests),
        conditional: Number(row.conditional),
        notModified: Number(row.not_modified),
        throttled: Number(row.throttled),
        failures: Number(row.failures),
        bytes: Number(row.bytes),
        smallestGapMs: row.gap === null ? null : Number(row.gap),
      },
    ]),
  )
}

export async function cleanHours(db: Db, { now, batch }: CleanUpLimits): Promise<number> {
  const sql = `DELETE FROM lane_hours WHERE (lane, hour) IN
    (SELECT lane, hour FROM lane_hours WHERE hour < ? ORDER BY hour LIMIT ?)`
  let gone = 0
  while (gone < batch) {
    const some = await db.run(sql, [hourOf(now) - HOURS_KEPT, Math.min(AT_ONCE, batch - gone)])
    if (some === 0) break
    gone += some
  }
  return gone
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS)
}
