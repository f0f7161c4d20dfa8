// Totals for the status page, for one user or for all.
import type { StoreTotals } from '../../ports/store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from '../sources/health-conditions.ts'

/** Each number is counted from one index. Rows of removed sources, which wait to be deleted, do not count. */
export async function totals(db: Db, scope: { userId: string | null; now: number }): Promise<StoreTotals> {
  const { userId } = scope
  const own = userId === null ? '1 = 1' : 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
  const owner: Param[] = userId === null ? [] : [userId]
  const count = async (sql: string, params: readonly Param[] = owner) => Number((await db.get(sql, params))?.n)

  const sources = await count(`SELECT count(*) AS n FROM sources WHERE ${own}`)
  const disabled = await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.disabled} AND ${own}`)
  return {
    users: userId === null ? await count('SELECT count(*) AS n FROM users') : 1,
    podcasts: await count(`SELECT count(*) AS n FROM podcasts ${userId === null ? '' : 'WHERE user_id = ?'}`),
    sources,
    enabled: sources - disabled,
    failing: await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.failing} AND ${own}`),
    disabled,
    quiet: await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.quiet} AND ${own}`),
    due: await count(
      `SELECT count(*) AS n FROM sources
       WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? AND ${own}`,
      [scope.now, ...owner],
    ),
    posts: (await count(`SELECT count(*) AS n FROM posts WHERE ${own}`)) - (await count(leftovers('posts', own))),
    articles:
      (await count(`SELECT count(*) AS n FROM articles WHERE ${own}`)) - (await count(leftovers('articles', own))),
    hosts: await count(userId === null ? ALL_LANES : OWN_LANES),
  }
}

/** Rows of removed sources that are not deleted yet. */
function leftovers(table: 'posts' | 'articles', own: string): string {
  return `SELECT count(*) AS n FROM ${table} WHERE source_id IN (SELECT source_id FROM purges) AND ${own}`
}

/** Counts distinct lanes by jumping from one to the next in the index, without reading every source. */
const ALL_LANES = `
  WITH RECURSIVE steps (lane) AS (
    SELECT min(lane) FROM sources WHERE lane > ''
    UNION ALL
    SELECT (SELECT min(lane) FROM sources WHERE lane > steps.lane) FROM steps WHERE steps.lane IS NOT NULL)
  SELECT count(lane) AS n FROM steps`

const OWN_LANES = `
  SELECT count(DISTINCT s.lane) AS n FROM sources s JOIN podcasts p ON p.id = s.podcast_id
  WHERE p.user_id = ? AND s.lane > ''`
