// Posts that match a search: newest first, in commit order, or the most relevant of the newest matches.
// See docs/decisions/0141-search-index-filled-in-the-background.md
import type { Post } from '../../domain/post.ts'
import { relevanceOf } from '../../domain/relevance.ts'
import type { SearchQuery } from '../../domain/search-query.ts'
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Database, Db, Param, Row } from '../database/db.ts'
import type { IdRange } from '../database/search-dialect.ts'
import { TimeSlice } from '../database/time-slice.ts'
import { readPost } from '../polling/insert-posts.ts'
import { lastPostId } from './consumer-cursors.ts'
import { indexNewPosts } from './index-posts.ts'
import { scopeCondition, scopesOf } from './podcast-scope.ts'
import { filterSql } from './post-filters.ts'

/** A search waits so long for new posts to be indexed. */
export const INDEX_MS = 100
/** After this time a search answers what it has found, and where to go on: words may be common and rarely together. */
const SEARCH_MS = 150
/** After a statement that was quicker than this, the next one searches twice as many posts. */
const QUICK_MS = 8
/** If no more posts than this have one of the words, they are searched at once. */
const FEW_MATCHES = 8000
const PARTS_LOOKED_AT = 10
/** What PostgreSQL says when a statement has reached its time limit. */
const QUERY_CANCELED = '57014'
/** How many of the newest matches are ranked. */
const RANKED = 1000

export interface FoundPosts {
  readonly posts: Post[]
  /** Posts before this id were not searched. null: all were, or there are as many as wanted. */
  readonly goOnBefore: number | null
}

interface Wanted {
  readonly beforeId: number
  readonly wanted: number
  readonly budgetMs?: number
  readonly fewMatches?: number
}

export async function searchNewest(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  { beforeId, wanted, budgetMs = SEARCH_MS, fewMatches = FEW_MATCHES }: Wanted,
): Promise<FoundPosts> {
  if (search.all.length === 0) return { posts: [], goOnBefore: null }
  await indexNewPosts(db, INDEX_MS)
  const sourceIds = await sourcesOf(db, filters)
  const { where, params } = filterSql(filters, 'p.')
  const sql = db.dialect.search.select(where, 'DESC')
  const lowest = await lowestId(db, filters)
  const found: Post[] = []
  let before = Math.min(beforeId, Number(await lastPostId(db)) + 1)
  const giveUpAt = performance.now() + budgetMs
  const parts = db.dialect.search.parts(search, sourceIds)
  const atOnce = await hasRarePart(db, parts, { after: lowest - 1, before }, fewMatches)
  let scale = 1
  for (let statement = 0; before > lowest && found.length < wanted; statement++) {
    if (statement > 0 && performance.now() > giveUpAt) return { posts: found, goOnBefore: before }
    const { ids, mostMs } = db.dialect.search.step(statement)
    const after = atOnce ? lowest - 1 : Math.max(before - ids * scale, lowest - 1)
    const startedAt = performance.now()
    const query = db.dialect.search.query(search, sourceIds, atOnce ? null : { after, before })
    const values = [query, after, before, ...params, wanted - found.length]
    const rows = mostMs === undefined ? await db.all(sql, values) : await allWithin(db, mostMs, sql, values)
    if (!rows) continue
    scale = performance.now() - startedAt < QUICK_MS ? scale * 2 : Math.max(1, scale / 2)
    found.push(...rows.map(readPost))
    before = after + 1
  }
  return { posts: found, goOnBefore: null }
}

/** A match has all parts. So if few posts have one of them, these are all that can match. */
async function hasRarePart(
  db: Database,
  parts: readonly string[],
  { after, before }: IdRange,
  few: number,
): Promise<boolean> {
  for (const part of parts.slice(0, PARTS_LOOKED_AT)) {
    if (!(await db.get(db.dialect.search.hasMore, [part, after, before, few]))) return true
  }
  return false
}

/** null: it took longer. Only for PostgreSQL, where a statement can be stopped. */
async function allWithin(db: Database, mostMs: number, sql: string, values: readonly Param[]): Promise<Row[] | null> {
  try {
    return await db.transaction(async (tx) => {
      await tx.run(`SET LOCAL statement_timeout = ${mostMs}`)
      return await tx.all(sql, values)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null
    throw error
  }
}

/** Posts within a range of ids that is indexed, oldest first. */
export async function searchWithin(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  range: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<Post[]> {
  if (search.all.length === 0) return []
  const { where, params } = filterSql(filters, 'p.')
  const [after, before] = [range.after, range.until + 1]
  const query = db.dialect.search.query(search, await sourcesOf(db, filters), { after, before })
  const values = [query, after, before, ...params, range.limit]
  return (await db.all(db.dialect.search.select(where, 'ASC'), values)).map(readPost)
}

/** The best first; of equals the newest. Only the newest matches are ranked: common words match too many posts. */
export async function searchRelevant(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  beforeId: number,
): Promise<Post[]> {
  const { posts: matches } = await searchNewest(db, filters, search, { beforeId, wanted: RANKED })
  const slice = new TimeSlice()
  const scored: { post: Post; score: number }[] = []
  for (const post of matches) {
    if (slice.isUsedUp) await slice.nextTurn()
    scored.push({ post, score: relevanceOf(post, search) })
  }
  return scored.sort((a, b) => b.score - a.score || Number(b.post.id) - Number(a.post.id)).map(({ post }) => post)
}

const FEW_SOURCES = 50

/**
 * Where the posts of the filters are few among many, their sources are looked up in the index as well. Otherwise every
 * post that has the words would be read, only to find that it belongs to somebody else.
 */
async function sourcesOf(db: Db, filters: PostFilters): Promise<readonly string[]> {
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
async function lowestId(db: Db, filters: PostFilters): Promise<number> {
  const { since, podcastId, userId } = filters
  if (since == null || (podcastId === null && !userId)) return 1
  const lowest: number[] = []
  for (const { where, params } of await scopesOf(db, filters)) {
    const row = await db.get(
      `SELECT min(id) AS id FROM (
         SELECT id FROM posts WHERE ${where} AND created_at >= ? ORDER BY created_at, id LIMIT ?) AS first_posts`,
      [...params, since, LOOKED_AT],
    )
    if (row?.id != null) lowest.push(Number(row.id))
  }
  return lowest.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...lowest)
}
