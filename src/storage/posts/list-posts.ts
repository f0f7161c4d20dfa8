// Posts as pages, newest first, optionally by search words; and posts after a position, in commit order.
import type { Post } from '../../domain/post.ts'
import { parseSearch } from '../../domain/search-query.ts'
import type { PostQuery } from '../../ports/consumer-store.ts'
import type { Page } from '../../ports/page.ts'
import type { Database, Db } from '../database/db.ts'
import { settledId } from '../database/next-ids.ts'
import { readPost } from '../polling/post-row.ts'
import { lastPostId } from './consumer-cursors.ts'
import { invalidCursor, pageOf, parseRowId, readCursor, readPosition, writeCursor } from './page-cursor.ts'
import { scopeCondition, scopesOf } from './podcast-scope.ts'
import { allOf, conditionsOf, filterSql } from './post-filters.ts'
import { searchNewest, searchRelevant } from './search-posts.ts'
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
  const scope = scopeCondition({ podcastId }, '')
  const scan: RowScan = {
    table: 'posts',
    where: `${scope.where} AND id <= ?`,
    params: [...scope.params, await settledId(db, 'posts')],
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
/** Instead of an instant of creation, in the cursor of a search that ended for want of time. */
const TIME_WAS_OVER = 0

export async function listPosts(db: Database, query: PostQuery): Promise<Page<Post>> {
  if (query.q && query.sort === 'relevance') return relevant(db, query, query.q)
  const before: Key = readCursor(query.cursor, NEWEST) ?? NEWEST
  if (query.q) return search(db, query, query.q, before)
  return pageOf(await newest(db, query, before), query.limit, keyOf)
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
async function search(db: Database, query: PostQuery, q: string, [createdAt, beforeId]: Key): Promise<Page<Post>> {
  const range = { beforeId, wanted: query.limit + 1, goesOn: createdAt === TIME_WAS_OVER }
  const { posts, goOnBefore } = await searchNewest(db, query, parseSearch(q), range)
  const page = pageOf(posts, query.limit, keyOf)
  // The search took long: the page may have few posts or none, and the cursor goes on from there.
  return goOnBefore === null ? page : { ...page, nextCursor: writeCursor([TIME_WAS_OVER, goOnBefore]) }
}

function keyOf(post: Post): Key {
  return [post.createdAt, Number(post.id)]
}

/**
 * Posts are ranked range by range, from the newest down, so that the pages together have all matches. A cursor within a
 * range names its limits: its pages rank the same posts, whatever arrives later.
 */
async function relevant(db: Database, query: PostQuery, q: string): Promise<Page<Post>> {
  const start: RelevanceKey = ['relevance', Number(await lastPostId(db)), 0, 1]
  const [sort, newestId, skipped, lowestId] = readCursor(query.cursor, start) ?? start
  if (sort !== 'relevance' || skipped < 0) throw invalidCursor()
  // The end of all posts may be the limit of a range too, so it is the page that tells.
  const range = { beforeId: newestId + 1, lowest: lowestId, isKnown: skipped > 0 }
  const { posts, lowest } = await searchRelevant(db, query, parseSearch(q), range)
  const items = posts.slice(skipped, skipped + query.limit + 1)
  const page = pageOf(items, query.limit, () => ['relevance', newestId, skipped + query.limit, lowest])
  if (page.nextCursor !== null || lowest <= 1) return page
  return { ...page, nextCursor: writeCursor(['relevance', lowest - 1, 0, 1]) }
}

type RelevanceKey = readonly [sort: string, newestId: number, skipped: number, lowestId: number]
