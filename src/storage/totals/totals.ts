// Totals for the status page: of one podcast, of one user, or of all.
import type { StoreTotals, TotalsScope } from '../../ports/store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from '../sources/health-conditions.ts'

/** Each number is counted from one index. Rows of removed sources, which wait to be deleted, do not count. */
export async function totals(db: Db, scope: TotalsScope): Promise<StoreTotals> {
  const { own, owner, people, lanes } = scopeSql(scope)
  const count = async (sql: string, params: readonly Param[] = owner) => Number((await db.get(sql, params))?.n)

  const sources = await count(`SELECT count(*) AS n FROM sources WHERE ${own}`)
  const disabled = await count(`SELECT count(*) AS n FROM sources WHERE ${HEALTH_CONDITIONS.disabled} AND ${own}`)
  return {
    users: people.users === null ? 1 : await count(people.users),
    podcasts: await count(people.podcasts),
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
    hosts: await count(lanes),
  }
}

interface ScopeSql {
  readonly own: string
  /** The value of every placeholder below. */
  readonly owner: readonly Param[]
  /** null: one. */
  readonly people: { readonly users: string | null; readonly podcasts: string }
  readonly lanes: string
}

function scopeSql({ userId, podcastId = null }: TotalsScope): ScopeSql {
  const podcasts = 'SELECT count(*) AS n FROM podcasts'
  if (podcastId !== null) {
    const people = { users: null, podcasts: `${podcasts} WHERE id = ?` }
    const lanes = `SELECT count(DISTINCT lane) AS n FROM sources WHERE podcast_id = ? AND lane > ''`
    return { own: 'podcast_id = ?', owner: [podcastId], people, lanes }
  }
  if (userId === null) {
    const people = { users: 'SELECT count(*) AS n FROM users', podcasts }
    return { own: '1 = 1', owner: [], people, lanes: ALL_LANES }
  }
  const people = { users: null, podcasts: `${podcasts} WHERE user_id = ?` }
  const own = 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
  return { own, owner: [userId], people, lanes: OWN_LANES }
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
