// What the filters of a search tell beforehand: of which sources the posts are, and how far back they go.
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Db } from '../database/db.ts'
import { scopeCondition, scopesOf } from './podcast-scope.ts'

const FEW_SOURCES = 50

/**
 * Where the posts of the filters are few among many, their sources are looked up in the index as well. Otherwise every
 * post that has the words would be read, only to find that it belongs to somebody else.
 */
export async function sourcesOf(db: Db, filters: PostFilters): Promise<readonly string[]> {
  return filters.sourceId ? [filters.sourceId] : fewSources(db, filters)
}

async function fewSources(db: Db, filters: PostFilters): Promise<string[]> {
  if (filters.podcastId === null && !filters.userId) return []
  const { where, params } = scopeCondition(filters, 's.')
  const own = await db.all(`SELECT s.id FROM sources s WHERE ${where} LIMIT ?`, [...params, FEW_SOURCES + 1])
  const all = await db.all('SELECT id FROM sources LIMIT ?', [2 * FEW_SOURCES + 2])
  return own.length <= FEW_SOURCES && 2 * own.length < all.length ? own.map((row) => row.id as string) : []
}

const LOOKED_AT = 20_000

/**
 * No post before this id was created at or after `since`. Ids follow the time of creation unless the clock was set back,
 * so many posts are looked at.
 */
export async function lowestId(db: Db, filters: PostFilters): Promise<number> {
  const { since, podcastId, userId } = filters
  if (since == null || (podcastId === null && !userId)) return 1
  const lowest: number[] = []
  for (const { where, params } of await scopesOf(db, { ...filters, sourceId: null })) {
    const row = await db.get(
      `SELECT min(id) AS id FROM (
         SELECT id FROM posts WHERE ${where} AND created_at >= ? ORDER BY created_at, id LIMIT ?) AS first_posts`,
      [...params, since, LOOKED_AT],
    )
    if (row?.id != null) lowest.push(Number(row.id))
  }
  return lowest.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...lowest)
}
