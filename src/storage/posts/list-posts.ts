// Posts as pages, newest first, optionally by search words; and posts after a position, in commit order.
import type { Post } from '../../domain/post.ts'
import type { PostFilters, PostQuery } from '../../ports/consumer-store.ts'
import type { Page } from '../../ports/page.ts'
import type { Database, Db, Param } from '../database/db.ts'
import { readPost } from '../polling/insert-posts.ts'
import { indexPosts } from './index-posts.ts'
import { pageOf, parseRowId, readCursor, readPosition } from './page-cursor.ts'
import { type ScopeSql, scopeCondition, scopesOf } from './podcast-scope.ts'
import { searchWords } from './search-words.ts'
import {
  newestCreatedFirst,
  newestFirst,
  oldestFirst,
  type RowScan,
  visibleRows,
  visibleRowsOf,
} from './visible-rows.ts'

/** podcastId null: of all podcasts of everybody. */
export async function postsAfter(
  db: Db,
  podcastId: string | null,
  position: string,
  limit: number,
): Promise<readonly Post[]> {
  const scan: RowScan = {
    table: 'posts',
    ...scopeCondition({ podcastId }, ''),
    ...oldestFirst,
    start: [readPosition(position)],
  }
  return (await visibleRows(db, scan, limit)).map(readPost)
}

export async function findPost(db: Db, id: string): Promise<Post | null> {
  const known = parseRowId(id)
  if (known === null) return null
  const row = await db.get('SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id WHERE p.id = ?', [known])
  return row ? readPost(row) : null
}

export async function getPost(db: Db, podcastId: string, id: string): Promise<Post | null> {
  const known = parseRowId(id)
  if (known === null) return null
  const row = await db.get(
    'SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id WHERE p.id = ? AND p.podcast_id = ?',
    [known, podcastId],
  )
  return row ? readPost(row) : null
}

type Key = readonly [createdAt: number, id: number]

const NEWEST: Key = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

export async function listPosts(db: Database, query: PostQuery): Promise<Page<Post>> {
  const before: Key = readCursor(query.cursor, NEWEST) ?? NEWEST
  const posts = query.q ? await search(db, query, query.q, before) : await newest(db, query, before)
  return pageOf(posts, query.limit, (post) => [post.createdAt, Number(post.id)])
}

async function newest(db: Db, query: PostQuery, before: Key): Promise<Post[]> {
  if (query.podcastId === null) return newestOfSeveral(db, query, before)
  const scan: RowScan = {
    table: 'posts',
    ...filterSql(query),
    ...newestCreatedFirst,
    start: before,
  }
  return (await visibleRows(db, scan, query.limit + 1)).map(readPost)
}

/** Ordered by id, as search is: there is no index over the creation of all posts. */
async function newestOfSeveral(db: Db, query: PostQuery, [, beforeId]: Key): Promise<Post[]> {
  const filters = conditionsOf(query, '')
  const scans = (await scopesOf(db, query)).map((scope) => ({
    table: 'posts' as const,
    ...allOf([scope, ...filters]),
    ...newestFirst,
    start: [beforeId],
  }))
  return (await visibleRowsOf(db, scans, query.limit + 1)).map(readPost)
}

/** Ordered by id. That equals the order of creation unless the clock was set back. */
async function search(db: Database, query: PostQuery, q: string, [, beforeId]: Key): Promise<Post[]> {
  const words = searchWords(q)
  if (words.length === 0) return []
  await indexPosts(db, Number.MAX_SAFE_INTEGER)
  const { search } = db.dialect
  const { where, params } = filterSql(query, 'p.')
  const found: Post[] = []
  let before = Math.min(beforeId, (await lastPostId(db)) + 1)
  while (before > 1 && found.length <= query.limit) {
    const after = Math.max(before - search.idsAtOnce, 0)
    const rows = await db.all(
      `SELECT p.* FROM ${search.from} JOIN sources s ON s.id = p.source_id
       WHERE ${search.condition} AND ${where} AND ${search.id} > ? AND ${search.id} < ? ORDER BY ${search.id} DESC LIMIT ?`,
      [search.query(words), ...params, after, before, query.limit + 1 - found.length],
    )
    found.push(...rows.map(readPost))
    before = after + 1
  }
  return found
}

async function lastPostId(db: Db): Promise<number> {
  return Number((await db.get(`SELECT value FROM counters WHERE name = 'posts'`))?.value)
}

export function filterSql(query: PostFilters, prefix = ''): { where: string; params: Param[] } {
  return allOf([scopeCondition(query, prefix), ...conditionsOf(query, prefix)])
}

function allOf(conditions: readonly ScopeSql[]): { where: string; params: Param[] } {
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  }
}

function conditionsOf({ sourceId, since, unlinked, label, podcastId }: PostFilters, prefix: string): ScopeSql[] {
  const conditions: ScopeSql[] = []
  if (sourceId) conditions.push({ where: `${prefix}source_id = ?`, params: [sourceId] })
  if (label) {
    const within = podcastId === null ? '' : 'podcast_id = ? AND'
    const where = `${prefix}source_id IN (SELECT id FROM sources WHERE ${within} label = ?)`
    conditions.push({ where, params: podcastId === null ? [label] : [podcastId, label] })
  }
  if (since !== null && since !== undefined) {
    conditions.push({ where: `${prefix}created_at >= ?`, params: [since] })
  }
  if (unlinked) conditions.push({ where: `${prefix}links = 0`, params: [] })
  return conditions
}
