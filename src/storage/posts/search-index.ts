// Searches the index from the newest posts down, in ranges of ids, and ends when its time is over.
// See docs/decisions/0172-bounded-full-text-search-on-sqlite.md and 0180-bounded-full-text-search-on-postgresql.md
import type { Post } from '../../domain/post.ts'
import type { SearchQuery } from '../../domain/search-query.ts'
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Database, Param, Row } from '../database/db.ts'
import type { IdRange, SearchPace } from '../database/search-dialect.ts'
import { readPost } from '../polling/post-row.ts'
import { filterSql } from './post-filters.ts'
import { sourcesOf } from './search-scope.ts'
import type { SearchTime } from './search-time.ts'

/** If no more posts than this have one of the words, they are searched at once. */
const FEW_MATCHES = 8000
const PARTS_LOOKED_AT = 10
/** Words may be far more common in a long range than in the short ones before it. Then PostgreSQL gives up. */
const STATEMENT_MS = { least: 10, most: 25 }
/** A search shared among several processes of PostgreSQL takes more of their time in all, which polls need. */
const ONE_CORE_FOR = `SELECT set_config('statement_timeout', ?, true), set_config('max_parallel_workers_per_gather', '0', true)`
/** What PostgreSQL says when a statement has reached its time limit. */
const QUERY_CANCELED = '57014'

export interface FoundPosts {
  readonly posts: Post[]
  /** Posts before this id were not searched. null: all were, or there are as many as wanted. */
  readonly goOnBefore: number | null
}

export interface Asked {
  readonly filters: PostFilters
  readonly search: SearchQuery
  /** It began before this id. */
  readonly top: number
  /** No post before this id is wanted. */
  readonly lowest: number
  readonly time: SearchTime
  /** It goes on where an earlier search ended for want of time: to search all at once takes too long. */
  readonly goesOn: boolean
}

interface Range {
  readonly before: number
  readonly wanted: number
  readonly fewMatches?: number | undefined
}

export async function searchIndexed(db: Database, asked: Asked, range: Range): Promise<FoundPosts> {
  const { filters, search, top, lowest, time, goesOn } = asked
  const { wanted, fewMatches = FEW_MATCHES } = range
  const { parts, match, select, pace } = db.dialect.search
  const sourceIds = await sourcesOf(db, filters)
  const { where, params } = filterSql(filters, 'p.')
  const found: Post[] = []
  let { before } = range
  const isRare = await hasRarePart(db, parts(search, sourceIds), { after: lowest - 1, before }, fewMatches)
  let { ids } = pace
  for (let statement = 0; before > lowest && found.length < wanted; statement++) {
    if (statement > 0 && time.isOver(top - before)) return { posts: found, goOnBefore: before }
    const startedAt = performance.now()
    const isAttempt = statement === 1 && pace.atOnceMs !== null && !goesOn
    const atOnce = isRare || isAttempt
    const after = atOnce ? lowest - 1 : Math.max(before - Math.floor(ids), lowest - 1)
    const matching = match(search, sourceIds, atOnce ? null : { after, before })
    const values = [...matching.values, after, before, ...params, wanted - found.length]
    const mostMs = isAttempt ? pace.atOnceMs : limitOf(ids, pace, time.leftMs(top - before))
    const rows = await allWithin(db, mostMs, select(matching, where, 'DESC'), values)
    if (!isAttempt) ids = rows ? nextIds(ids, performance.now() - startedAt, pace) : pace.ids
    if (!rows) continue
    found.push(...rows.map(readPost))
    before = after + 1
  }
  return { posts: found, goOnBefore: null }
}

/** The shortest range has no limit, so that every search gets on. */
function limitOf(ids: number, pace: SearchPace, leftMs: number): number | null {
  if (!pace.canStop || ids === pace.ids) return null
  return Math.min(Math.max(leftMs, STATEMENT_MS.least), STATEMENT_MS.most)
}

/** So many that the next statement takes about as long as it should. */
function nextIds(ids: number, tookMs: number, { ids: least, targetMs, growth }: SearchPace): number {
  return Math.max(least, ids * Math.min(growth, targetMs / tookMs))
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

/** null: it took longer. Only PostgreSQL can stop a statement. */
async function allWithin(
  db: Database,
  mostMs: number | null,
  sql: string,
  values: readonly Param[],
): Promise<Row[] | null> {
  if (mostMs === null) return db.all(sql, values)
  try {
    return await db.transaction(async (tx) => {
      await tx.get(ONE_CORE_FOR, [String(Math.ceil(mostMs))])
      return await tx.all(sql, values)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null
    throw error
  }
}
