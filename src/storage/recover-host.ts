// A host's breaker with what hangs on it: who is in its lane, and the clean slate of its sources when it closes.
import { type HostState, unknownHost } from '../domain/host.ts'
import type { HostRecovery, LaneCrowd, LaneRecovery } from '../ports/host-store.ts'
import type { Database, Db } from './db.ts'
import { insertEvents } from './events.ts'
import { lockedHost, readHost, updateHost } from './hosts.ts'
import { slices } from './insert.ts'
import { readSource, SELECT_SOURCES } from './source-row.ts'

export async function recoverHost(
  db: Database,
  lane: string,
  decide: (host: HostState, crowd: LaneCrowd) => HostRecovery | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const host = (await lockedHost(tx, lane)) ?? unknownHost(lane)
    const decided = decide(host, await laneCrowd(tx, lane))
    if (!decided) return
    await updateHost(tx, lane, decided.host)
    if (decided.recover) await recoverLane(tx, lane, null, decided.recover)
    await insertEvents(tx, decided.events)
  })
}

/** Disabled sources are not in it: nobody polls them. */
export async function laneCrowd(tx: Db, lane: string): Promise<LaneCrowd> {
  const sources = await tx.get('SELECT count(*) AS n FROM sources WHERE lane = ? AND enabled = 1', [lane])
  const owners = await tx.all(
    `SELECT DISTINCT p.user_id FROM sources s JOIN podcasts p ON p.id = s.podcast_id
     WHERE s.lane = ? AND s.enabled = 1 LIMIT 2`,
    [lane],
  )
  return { sources: Number(sources?.n), owners: owners.length }
}

/** Clears the failures of the lane's enabled sources and plans them anew; `exceptId` has just been polled. */
export async function recoverLane(tx: Db, lane: string, exceptId: string | null, recover: LaneRecovery): Promise<void> {
  const rows = await tx.all(
    `${SELECT_SOURCES} WHERE s.lane = ? AND s.enabled = 1 AND s.id <> ? ORDER BY s.next_poll_at, s.id`,
    [lane, exceptId ?? ''],
  )
  const plans = [...recover(rows.map(readSource))].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const some of slices(plans, tx.dialect.rowsPerStatement)) {
    const tuples = some.map(() => '(CAST(? AS TEXT), CAST(? AS BIGINT))').join(', ')
    await tx.run(
      `WITH plan (id, next_poll_at) AS (VALUES ${tuples})
       UPDATE sources
       SET next_poll_at = plan.next_poll_at, consecutive_failures = 0, permanent_run = '[]',
         last_failure_type = NULL, last_failure_reason = NULL
       FROM plan WHERE sources.id = plan.id AND sources.enabled = 1`,
      some.flatMap((plan) => [plan.id, Math.round(plan.nextPollAt)]),
    )
  }
}

export async function troubledHosts(db: Db): Promise<readonly HostState[]> {
  const rows = await db.all(`SELECT * FROM hosts WHERE breaker_state <> 'closed' ORDER BY breaker_probe_at, lane`)
  return rows.map(readHost)
}
