// Totals for the status page: of one podcast, of one user, or of all.
import type { StoreTotals, TotalsScope } from '../../ports/store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from '../sources/health-conditions.ts'

/**
 * Triggers keep what would have to be counted from very many rows; the rest is counted from an index. Rows of removed
 * sources, which wait to be deleted, do not count.
 */
export async function totals(db: Db, scope: TotalsScope): Promise<StoreTotals> {
  const { own, owner, people } = scopeSql(scope)
  const filtered = own.replace('podcast_id', NOT_BY_INDEX)
  const count = async (sql: string, params: readonly Param[] = owner) => Number((await db.get(sql, params))?.n)

  const kept = await keptCounts(db, own, owner)
  const sources = kept('sources')
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
       WHERE enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? AND ${filtered}`,
      [scope.now, ...owner],
    ),
    posts: kept('posts') - (await count(leftovers('posts', filtered))),
    articles: kept('articles') - (await count(leftovers('articles', filtered))),
    hosts: await countHosts(db, own, owner),
  }
}

/** What is due, or left over, is little: to look for it among all rows of a podcast would take long. */
const NOT_BY_INDEX = `podcast_id || ''`

type Kind = 'sources' | 'hosts' | 'posts' | 'articles'

async function keptCounts(db: Db, own: string, owner: readonly Param[]): Promise<(kind: Kind) => number> {
  const rows = await db.all(`SELECT kind, sum(n) AS n FROM podcast_counts WHERE ${own} GROUP BY kind`, owner)
  const byKind = new Map(rows.map((row) => [row.kind, Number(row.n)]))
  return (kind) => byKind.get(kind) ?? 0
}

/** Several podcasts may have the same host. */
async function countHosts(db: Db, own: string, owner: readonly Param[]): Promise<number> {
  const podcasts = await db.all(
    `SELECT podcast_id, sum(n) AS n FROM podcast_counts WHERE kind = 'hosts' AND ${own}
     GROUP BY podcast_id HAVING sum(n) > 0 LIMIT 2`,
    owner,
  )
  if (podcasts.length < 2) return Number(podcasts[0]?.n ?? 0)
  const distinct = `SELECT count(DISTINCT lane) AS n FROM podcast_lanes WHERE lane > '' AND ${own}`
  return Number((await db.get(distinct, owner))?.n)
}

/** How many sources there are, of one user or of all. */
export async function countAllSources(db: Db, userId: string | null): Promise<number> {
  const { own, owner } = scopeSql({ userId })
  return (await keptCounts(db, own, owner))('sources')
}

interface ScopeSql {
  readonly own: string
  /** The value of every placeholder below. */
  readonly owner: readonly Param[]
  /** null: one. */
  readonly people: { readonly users: string | null; readonly podcasts: string }
}

function scopeSql({ userId, podcastId = null }: Pick<TotalsScope, 'userId' | 'podcastId'>): ScopeSql {
  const podcasts = 'SELECT count(*) AS n FROM podcasts'
  if (podcastId !== null) {
    const people = { users: null, podcasts: `${podcasts} WHERE id = ?` }
    return { own: 'podcast_id = ?', owner: [podcastId], people }
  }
  if (userId === null) {
    const people = { users: 'SELECT count(*) AS n FROM users', podcasts }
    return { own: '1 = 1', owner: [], people }
  }
  const people = { users: null, podcasts: `${podcasts} WHERE user_id = ?` }
  const own = 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
  return { own, owner: [userId], people }
}

/** Rows of removed sources that are not deleted yet. */
function leftovers(table: 'posts' | 'articles', own: string): string {
  return `SELECT count(*) AS n FROM ${table} WHERE source_id IN (SELECT source_id FROM purges) AND ${own}`
}
