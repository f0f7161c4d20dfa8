// How many sources of a lane failed permanently since its host's last success; see domain/storm.ts. Cheap while there
// are few: an index holds nothing but permanent failures.

import type { Source } from '../../domain/source.ts'
import { STORM_SOURCES, type Storm, withFailureOf, workedSince } from '../../domain/storm.ts'
import type { Db } from '../database/db.ts'

/** Auto-disabled since an instant. A source that a person disabled has no reason. */
export const AUTO_DISABLED_SINCE = '(enabled = 0 AND disabled_reason IS NOT NULL AND auto_disabled_at > ?)'

/** With the failure of `source`, which is not written yet; null: too few to matter. */
export async function stormWith(tx: Db, source: Source, runBeganAt: number): Promise<Storm | null> {
  const { lane, id } = source
  const count = async (what: string, since: number): Promise<number> => {
    const row = await tx.get(
      `SELECT count(*) AS n FROM sources
       WHERE lane = ? AND ${what} AND last_succeeded_at >= ? AND id <> ? AND (enabled = 1 OR ${AUTO_DISABLED_SINCE})`,
      [lane, since, workedSince(runBeganAt), id, runBeganAt],
    )
    return Number(row?.n)
  }
  const failed = await count('last_permanent_at > ?', runBeganAt)
  if (failed + 1 < STORM_SOURCES) return null
  const worked = await count('last_succeeded_at >= ?', workedSince(runBeganAt))
  return withFailureOf(source, { worked, failed }, runBeganAt)
}
