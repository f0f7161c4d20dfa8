// Scans of all sources, for the first tick after a change of the configuration. A statement looks at a window of them, so
// that a million do not hold the event loop, and each source is looked at once.
import type { Source } from '../../domain/source.ts'
import type { Db } from '../database/db.ts'
import { readSource, SELECT_SOURCES } from '../sources/source-row.ts'

const LOOKED_AT = 5000
/** Fewer, because they are written. */
const CHANGED = 500

const IS_PLANNED = 's.enabled = 1 AND s.next_poll_at IS NOT NULL AND s.last_polled IS NOT NULL'
const LEANS_ON_CAP = `${IS_PLANNED} AND s.max_backoff_hours IS NULL
  AND (s.consecutive_failures > 0 OR s.fresh_until IS NOT NULL OR s.retry_at IS NOT NULL)`
const LEANS_ON_INTERVAL = `${IS_PLANNED} AND s.has_own_interval = 0`

export function plannedUnderCap(db: Db, afterId: string, limit: number): Promise<readonly Source[]> {
  return sourcesThat(db, LEANS_ON_CAP, afterId, limit)
}

export function plannedUnderInterval(db: Db, afterId: string, limit: number): Promise<readonly Source[]> {
  return sourcesThat(db, LEANS_ON_INTERVAL, afterId, limit)
}

/** Some sources after this id. Returns the last of them; null: there are no more. */
export async function followInterval(db: Db, minutes: number, afterId: string): Promise<string | null> {
  const end = await endOfWindow(db, afterId, CHANGED)
  await db.run(
    `UPDATE sources SET poll_interval_minutes = ? WHERE has_own_interval = 0 AND poll_interval_minutes <> ?
       AND id > ? ${end === null ? '' : 'AND id <= ?'}`,
    [minutes, minutes, afterId, ...(end === null ? [] : [end])],
  )
  return end
}

async function sourcesThat(db: Db, condition: string, afterId: string, limit: number): Promise<Source[]> {
  const found: Source[] = []
  let after = afterId
  while (true) {
    const end = await endOfWindow(db, after, LOOKED_AT)
    const rows = await db.all(
      `${SELECT_SOURCES} WHERE ${condition} AND s.id > ? ${end === null ? '' : 'AND s.id <= ?'} ORDER BY s.id LIMIT ?`,
      [after, ...(end === null ? [] : [end]), limit - found.length],
    )
    for (const row of rows) found.push(readSource(row))
    if (found.length === limit || end === null) return found
    after = end
  }
}

/** null: there are fewer sources after this id. */
async function endOfWindow(db: Db, afterId: string, size: number): Promise<string | null> {
  const sql = 'SELECT id FROM sources WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?'
  return ((await db.get(sql, [afterId, size - 1]))?.id as string | undefined) ?? null
}
