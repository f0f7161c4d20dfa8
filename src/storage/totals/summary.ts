// Figures for the metrics endpoint. Each is counted from an index or from the small table of hosts, so a scrape is cheap.
import type { BacklogSummary, HostSummary, SourceSummary } from '../../ports/host-store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from '../sources/health-conditions.ts'
import { countAllSources } from './totals.ts'

export async function summary(
  db: Db,
  now: number,
): Promise<{ readonly hosts: HostSummary; readonly sources: SourceSummary; readonly backlog: BacklogSummary }> {
  const count = async (sql: string, params: readonly Param[] = []) => Number((await db.get(sql, params))?.n)
  const hosts = await db.get(
    `SELECT count(*) AS hosts,
       count(CASE WHEN closed_until > ? THEN 1 END) AS closed,
       count(CASE WHEN breaker_state = 'open' THEN 1 END) AS open,
       count(CASE WHEN breaker_state = 'half-open' THEN 1 END) AS half_open
     FROM hosts`,
    [now],
  )
  const due = await count(`SELECT count(*) AS n FROM sources WHERE ${DUE}`, [now])
  const all = await countAllSources(db, null)
  const disabled = await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.disabled}`)
  return {
    hosts: {
      hosts: Number(hosts?.hosts),
      closed: Number(hosts?.closed),
      open: Number(hosts?.open),
      halfOpen: Number(hosts?.half_open),
    },
    sources: {
      enabled: all - disabled,
      disabled,
      failing: await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.failing}`),
      quiet: await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.quiet}`),
      due,
    },
    backlog: await backlogOf(db, due, now),
  }
}

const DUE = 'enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ?'

/** Costs in proportion to what is due. */
async function backlogOf(db: Db, due: number, now: number): Promise<BacklogSummary> {
  if (due === 0) return { hosts: 0, lagMs: { '0.5': 0, '0.99': 0 } }
  const hosts = await db.get(`SELECT count(DISTINCT lane) AS n FROM sources WHERE ${DUE}`, [now])
  // The oldest plan comes first.
  const lagAt = async (share: number): Promise<number> => {
    const sql = `SELECT next_poll_at AS at FROM sources WHERE ${DUE} ORDER BY next_poll_at LIMIT 1 OFFSET ?`
    const row = await db.get(sql, [now, Math.floor((due - 1) * (1 - share))])
    return row ? now - Number(row.at) : 0
  }
  return { hosts: Number(hosts?.n), lagMs: { '0.5': await lagAt(0.5), '0.99': await lagAt(0.99) } }
}

export async function lastBodyBytes(db: Db, sourceId: string): Promise<number | null> {
  const row = await db.get(
    `SELECT bytes FROM polls WHERE source_id = ? AND outcome = 'success' AND not_modified = 0
     ORDER BY seq DESC LIMIT 1`,
    [sourceId],
  )
  return row ? Number(row.bytes) : null
}
