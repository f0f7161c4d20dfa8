// Whose sources a lane may take, as a condition of a query.
import type { FreeVisitors } from '../../domain/owner-spacing.ts'
import type { Db, Param } from '../database/db.ts'

/** `s` is the source, `p` its podcast. */
export function mayBeVisitedFor(
  db: Db,
  { only, except, unlimitedOnly }: FreeVisitors,
): { sql: string; params: Param[] } {
  const conditions: string[] = []
  const params: Param[] = []
  if (only !== null) {
    conditions.push('p.user_id = ?')
    params.push(only)
  }
  if (except.length > 0) {
    conditions.push(`NOT (${db.dialect.oneOf('p.user_id')})`)
    params.push(db.dialect.list(except))
  }
  if (unlimitedOnly) conditions.push('s.trusted = 1')
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), params }
}
