// What aggregation needs to know: which posts have no article yet, from which sources they are, and which of their texts
// an article has already. Posts are read with their bodies, so they are read in small statements.
import type { AggregatedSource } from '../../domain/aggregate.ts'
import { WAITS_FOR_TEXT_MS } from '../../domain/full-text.ts'
import type { Post } from '../../domain/post.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { AggregationRequest } from '../../ports/consumer-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readPost } from '../polling/post-row.ts'
import { withFullTexts } from '../posts/full-texts.ts'
import { parseRowId } from '../posts/page-cursor.ts'

const POSTS_AT_ONCE = 50
const HASHES_AT_ONCE = 200

/** A post whose full text is on its way. */
const WAITING = `p.full_text_state = 'pending' AND p.created_at > ?`

export async function countWaiting(tx: Db, request: AggregationRequest): Promise<number> {
  const row = await tx.get(
    `SELECT count(*) AS n FROM posts p JOIN sources s ON s.id = p.source_id
     WHERE p.podcast_id = ? AND p.links = 0 AND p.created_at >= ?
       AND (p.published_at IS NULL OR p.published_at >= ?) AND ${WAITING}`,
    [request.podcastId, request.createdSince, request.publishedSince, request.at - WAITS_FOR_TEXT_MS],
  )
  return Number(row?.n)
}

/** Posts of the time window that are in no article, in the order in which they were stored. */
export async function unlinkedPosts(tx: Db, request: AggregationRequest): Promise<Post[]> {
  const posts: Post[] = []
  let after: readonly [number, number] = [request.createdSince, 0]
  for (;;) {
    const rows = await tx.all(
      `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
       WHERE p.podcast_id = ? AND p.links = 0 AND (p.created_at, p.id) > (?, ?)
         AND (p.published_at IS NULL OR p.published_at >= ?) AND NOT (${WAITING})
       ORDER BY p.created_at, p.id LIMIT ? ${tx.dialect.forUpdate('p')}`,
      [request.podcastId, ...after, request.publishedSince, request.at - WAITS_FOR_TEXT_MS, POSTS_AT_ONCE],
    )
    posts.push(...(await withFullTexts(tx, rows.map(readPost))))
    const last = posts.at(-1)
    if (!last || rows.length < POSTS_AT_ONCE) return posts
    after = [last.createdAt, Number(last.id)]
  }
}

/** Returns null if one of the ids is not a post of the podcast. */
export async function postsToReprocess(tx: Db, request: AggregationRequest): Promise<Post[] | null> {
  const ids = [...new Set(request.reprocessPostIds)].map(parseRowId)
  const posts: Post[] = []
  for (const some of slices(ids, POSTS_AT_ONCE)) {
    const known = some.filter((id) => id !== null)
    const rows = await tx.all(
      `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
       WHERE p.podcast_id = ? AND ${tx.dialect.oneOf('p.id')} ORDER BY p.id ${tx.dialect.forUpdate('p')}`,
      [request.podcastId, tx.dialect.list(known)],
    )
    if (rows.length < some.length) return null
    posts.push(...(await withFullTexts(tx, rows.map(readPost))))
  }
  return posts
}

const sourceCodec = codecOf<Omit<AggregatedSource, 'typeAggregates'>>({
  id: ['id', 'text'],
  url: ['url', 'text'],
  host: ['host', 'text'],
  aggregate: ['aggregate', 'boolean'],
})

export async function aggregatedSources(
  tx: Db,
  posts: readonly Post[],
  types: Pick<SourceTypes, 'find'>,
): Promise<Map<string, AggregatedSource>> {
  const sources = new Map<string, AggregatedSource>()
  for (const ids of slices(new Set(posts.map((post) => post.sourceId)), HASHES_AT_ONCE)) {
    const sql = `SELECT id, type, url, host, aggregate FROM sources WHERE ${tx.dialect.oneOf('id')}`
    for (const row of await tx.all(sql, [tx.dialect.list(ids)])) {
      const typeAggregates = types.find(row.type)?.aggregates ?? false
      sources.set(row.id as string, { ...sourceCodec.read(row), typeAggregates })
    }
  }
  return sources
}

/** The oldest article of the time window that has the same text, by content hash. */
export async function articlesByContentHash(
  tx: Db,
  request: AggregationRequest,
  posts: readonly Post[],
): Promise<Map<string, string>> {
  const articleByHash = new Map<string, string>()
  for (const hashes of slices(new Set(posts.map((post) => post.contentHash)), HASHES_AT_ONCE)) {
    // CROSS JOIN makes SQLite start with the hashes and then go to the few articles that have them.
    const rows = await tx.all(
      `SELECT p.content_hash, a.id FROM posts p CROSS JOIN post_articles l CROSS JOIN articles a CROSS JOIN sources s
       WHERE p.podcast_id = ? AND p.links > 0 AND ${tx.dialect.oneOf('p.content_hash')}
         AND l.post_id = p.id AND a.id = l.article_id AND s.id = a.source_id
         AND a.podcast_id = ? AND a.created_at >= ?
       ORDER BY a.id DESC ${tx.dialect.forUpdate('a')}`,
      [request.podcastId, tx.dialect.list(hashes), request.podcastId, request.createdSince],
    )
    for (const row of rows) articleByHash.set(row.content_hash as string, String(row.id))
  }
  return articleByHash
}
