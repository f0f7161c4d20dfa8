// Figures for the metrics endpoint. Each is counted from an index or from the small table of hosts, so a scrape is cheap.
import type { HostSummary, SourceSummary } from '../../ports/host-store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from '../sources/health-conditions.ts'

export async function summary(
  db: Db,
  now: number,
): Promise<{ readonly hosts: HostSummary; readonly sources: SourceSummary }> {
  const count = async (sql: string, params: readonly Param[] = []) => Number((await db.get(sql, params))?.n)
  const hosts = await db.get(
    `SELECT count(*) AS hosts,
       count(CASE WHEN closed_until > ? THEN 1 END) AS closed,
       count(CASE WHEN breaker_state = 'open' THEN 1 END) AS open,
       count(CASE WHEN breaker_state = 'half-open' THEN 1 END) AS half_open
     FROM hosts`,
    [now],
  )
  const all = await count('SELECT count(*) AS n FROM sources')
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
      due: await count(
        'SELECT count(*) AS n FROM sources WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ?',
        [now],
      ),
    },
  }
}

export async function lastBodyBytes(db: Db, sourceId: string): Promise<number | null> {
  const row = await db.get(
    `SELECT bytes FROM polls WHERE source_id = ? AND outcome = 'success' AND not_modified = 0
     ORDER BY seq DESC LIMIT 1`,
    [sourceId],
  )
  return row ? Number(row.bytes) : null
}
