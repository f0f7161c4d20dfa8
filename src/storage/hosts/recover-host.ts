// A host's breaker and the sources that depend on it: those in its lane, and those of others that are redirected there.
// When the breaker closes, their failures are forgotten.
import { sourceEnabled } from '../../domain/event.ts'
import { type HostState, unknownHost } from '../../domain/host.ts'
import type { Source } from '../../domain/source.ts'
import type { HostRecovery, LaneDependants, LaneRecovery } from '../../ports/host-store.ts'
import type { Database, Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { insertEvents } from '../events/events.ts'
import { readSource, SELECT_SOURCES } from '../sources/source-row.ts'
import { lockedHost, readHost, updateHost } from './hosts.ts'
import { AUTO_DISABLED_SINCE } from './storm.ts'

export async function recoverHost(
  db: Database,
  lane: string,
  decide: (host: HostState, dependants: LaneDependants) => HostRecovery | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const host = (await lockedHost(tx, lane)) ?? unknownHost(lane)
    const decided = decide(host, await dependantsOf(tx, lane))
    if (!decided) return
    await updateHost(tx, lane, decided.host)
    const { recover, restore, enableSince = null } = decided
    const enabled = recover
      ? await recoverLane(tx, lane, null, recover, enableSince)
      : await restoreDisabled(tx, lane, restore ?? null, enableSince)
    if (decided.release) await releaseLed(tx, lane, decided.release)
    const at = decided.events[0]?.at ?? 0
    const reason = recover ? 'its host answers again' : 'its host is asked again'
    await insertEvents(tx, [...decided.events, ...enabled.map((source) => sourceEnabled(source, at, reason))])
  })
}

/** Disabled sources are not polled, so they do not count. */
export async function dependantsOf(tx: Db, lane: string): Promise<LaneDependants> {
  let sources = 0
  const owners = new Set<unknown>()
  for (const column of ['lane', 'leads_to']) {
    const count = await tx.get(`SELECT count(*) AS n FROM sources WHERE ${column} = ? AND enabled = 1`, [lane])
    sources += Number(count?.n)
    const users = await tx.all(
      `SELECT DISTINCT p.user_id FROM sources s JOIN podcasts p ON p.id = s.podcast_id
       WHERE s.${column} = ? AND s.enabled = 1 LIMIT 2`,
      [lane],
    )
    for (const { user_id } of users) owners.add(user_id)
  }
  return { sources, owners: Math.min(owners.size, 2) }
}

const FORGET_FAILURES = `, consecutive_failures = 0, permanent_run = '[]', last_failure_type = NULL, last_failure_reason = NULL`

/**
 * Forgets the failures of the lane's dependants and plans them again, except for the one that has just been polled. Enables
 * what was auto-disabled since `enableSince`, and returns it.
 */
export async function recoverLane(
  tx: Db,
  lane: string,
  exceptId: string | null,
  recover: LaneRecovery,
  enableSince: number | null = null,
): Promise<readonly Source[]> {
  const enabled = enableSince === null ? [] : await enableAgain(tx, lane, enableSince)
  const rows = await tx.all(
    `${SELECT_SOURCES} WHERE (s.lane = ? OR s.leads_to = ?) AND s.enabled = 1 AND s.id <> ?
     ORDER BY s.next_poll_at, s.id`,
    [lane, lane, enabled.some(({ id }) => id === exceptId) ? '' : (exceptId ?? '')],
  )
  await writePlans(tx, recover(rows.map(readSource)), FORGET_FAILURES)
  return enabled
}

async function restoreDisabled(
  tx: Db,
  lane: string,
  restore: LaneRecovery | null,
  since: number | null,
): Promise<readonly Source[]> {
  if (restore === null || since === null) return []
  const enabled = await enableAgain(tx, lane, since)
  await writePlans(tx, restore(enabled), FORGET_FAILURES)
  return enabled
}

async function enableAgain(tx: Db, lane: string, since: number): Promise<readonly Source[]> {
  const which = AUTO_DISABLED_SINCE.replace(/\b(enabled|disabled_reason|auto_disabled_at)\b/g, 's.$1')
  const rows = await tx.all(`${SELECT_SOURCES} WHERE s.lane = ? AND ${which}`, [lane, since])
  if (rows.length === 0) return []
  await tx.run(`UPDATE sources SET enabled = 1, disabled_reason = NULL WHERE lane = ? AND ${AUTO_DISABLED_SINCE}`, [
    ...[lane, since],
  ])
  return rows.map((row) => ({ ...readSource(row), enabled: true, disabledReason: null }))
}

/** New plans for sources that are redirected there; their failures stay. */
async function releaseLed(tx: Db, lane: string, release: LaneRecovery): Promise<void> {
  const rows = await tx.all(`${SELECT_SOURCES} WHERE s.leads_to = ? AND s.enabled = 1`, [lane])
  await writePlans(tx, release(rows.map(readSource)), '')
}

async function writePlans(tx: Db, plans: ReturnType<LaneRecovery>, also: string): Promise<void> {
  // Always in the same order, so that two processes cannot deadlock.
  const ordered = [...plans].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const some of slices(ordered, tx.dialect.rowsPerStatement)) {
    const tuples = some.map(() => '(CAST(? AS TEXT), CAST(? AS BIGINT))').join(', ')
    await tx.run(
      `WITH plan (id, next_poll_at) AS (VALUES ${tuples})
       UPDATE sources SET next_poll_at = plan.next_poll_at${also}
       FROM plan WHERE sources.id = plan.id AND sources.enabled = 1`,
      some.flatMap((plan) => [plan.id, Math.round(plan.nextPollAt)]),
    )
  }
}

export async function troubledHosts(db: Db): Promise<readonly HostState[]> {
  const rows = await db.all(`SELECT * FROM hosts WHERE breaker_state <> 'closed' ORDER BY breaker_probe_at, lane`)
  return rows.map(readHost)
}
