// What making articles needs to know: which posts wait, which texts articles hold already, which threads may grow.
// Read in small statements, because posts are read with their bodies.
import { type AggregatedSource, type AggregationInput, isAggregated } from '../../domain/aggregate.ts'
import { timeOf } from '../../domain/article-text.ts'
import type { Post } from '../../domain/post.ts'
import { DAY_MS, HOUR_MS } from '../../domain/schedule.ts'
import { type EarlierPost, mayBeReply } from '../../domain/threads.ts'
import type { AggregationRequest } from '../../ports/consumer-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readPost } from '../polling/insert-posts.ts'
import { rowId } from '../posts/page-cursor.ts'

const POSTS_AT_ONCE = 50
const HASHES_AT_ONCE = 200

/** Unlinked posts of the window, in the order of their coming. */
export async function unlinkedPosts(tx: Db, request: AggregationRequest): Promise<Post[]> {
  const posts: Post[] = []
  let after: readonly [number, number] = [request.createdSince, 0]
  for (;;) {
    const rows = await tx.all(
      `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
       WHERE p.podcast_id = ? AND p.links = 0 AND (p.created_at, p.id) > (?, ?)
         AND (p.published_at IS NULL OR p.published_at >= ?)
       ORDER BY p.created_at, p.id LIMIT ? ${tx.dialect.forUpdate('p')}`,
      [request.podcastId, ...after, request.publishedSince, POSTS_AT_ONCE],
    )
    posts.push(...rows.map(readPost))
    const last = posts.at(-1)
    if (!last || rows.length < POSTS_AT_ONCE) return posts
    after = [last.createdAt, Number(last.id)]
  }
}

/** null when one of the ids is not a post of the podcast. */
export async function postsToReprocess(tx: Db, request: AggregationRequest): Promise<Post[] | null> {
  const ids = [...new Set(request.reprocessPostIds)].map(rowId)
  const posts: Post[] = []
  for (const some of slices(ids, POSTS_AT_ONCE)) {
    const known = some.filter((id) => id !== null)
    const rows = await tx.all(
      `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
       WHERE p.podcast_id = ? AND ${tx.dialect.oneOf('p.id')} ORDER BY p.id ${tx.dialect.forUpdate('p')}`,
      [request.podcastId, tx.dialect.list(known)],
    )
    if (rows.length < some.length) return null
    posts.push(...rows.map(readPost))
  }
  return posts
}

const sourceCodec = codecOf<AggregatedSource>({
  id: ['id', 'text'],
  type: ['type', 'text'],
  url: ['url', 'text'],
  host: ['host', 'text'],
  aggregate: ['aggregate', 'boolean'],
})

export async function aggregatedSources(tx: Db, posts: readonly Post[]): Promise<Map<string, AggregatedSource>> {
  const sources = new Map<string, AggregatedSource>()
  for (const ids of slices(new Set(posts.map((post) => post.sourceId)), HASHES_AT_ONCE)) {
    const sql = `SELECT id, type, url, host, aggregate FROM sources WHERE ${tx.dialect.oneOf('id')}`
    for (const row of await tx.all(sql, [tx.dialect.list(ids)])) sources.set(row.id as string, sourceCodec.read(row))
  }
  return sources
}

/** Of these posts' texts, those that an article made within the window holds: the oldest such article. */
export async function articlesHolding(
  tx: Db,
  request: AggregationRequest,
  posts: readonly Post[],
): Promise<Map<string, string>> {
  const articleByHash = new Map<string, string>()
  for (const hashes of slices(new Set(posts.map((post) => post.contentHash)), HASHES_AT_ONCE)) {
    // CROSS JOIN keeps SQLite to this order: from the texts to the few articles that have them.
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

/** For sources with threads and a reply to place: what stands in articles around the times of the replies. */
export async function earlierPosts(
  tx: Db,
  podcastId: string,
  known: Omit<AggregationInput, 'earlier'>,
): Promise<EarlierPost[]> {
  const spans = spansOfReplies(known)
  const rows: Row[] = []
  for (const [sourceId, span] of spans) rows.push(...(await linkedWithin(tx, sourceId, span)))
  const articleIds = new Set([...rows.map((row) => Number(row.article_id)), ...copiedWithin(spans, known)])
  const open = await openArticles(tx, podcastId, articleIds)
  const closed = rows.filter((row) => !open.has(Number(row.article_id)))
  const earlier = [
    ...(await postsOfArticles(tx, open)),
    ...closed.map((row) => ({ post: readPost(row), openArticleId: null })),
  ]
  // A post that was reprocessed is in several: the thread is that of its first article.
  return [...new Map(earlier.map((one) => [one.post.id, one])).values()]
}

type Span = readonly [from: number, to: number]

/** Per aggregated source, from an hour before its first reply to its last. */
function spansOfReplies({ sources, posts }: Omit<AggregationInput, 'earlier'>): Map<string, Span> {
  const spans = new Map<string, Span>()
  for (const [sourceId, replies] of Map.groupBy(posts.filter(mayBeReply), (post) => post.sourceId)) {
    const source = sources.get(sourceId)
    if (!source || !isAggregated(source)) continue
    const times = replies.map(timeOf)
    const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
    spans.set(sourceId, [first - HOUR_MS, last])
  }
  return spans
}

/** Articles that will have posts of these sources as copies: a reply to such a post joins them. */
function copiedWithin(spans: ReadonlyMap<string, Span>, known: Omit<AggregationInput, 'earlier'>): number[] {
  return known.posts.flatMap((post) => {
    const [from, to] = spans.get(post.sourceId) ?? [0, -1]
    const articleId = known.articleByHash.get(post.contentHash)
    return articleId !== undefined && timeOf(post) >= from && timeOf(post) <= to ? [Number(articleId)] : []
  })
}

async function linkedWithin(tx: Db, sourceId: string, [from, to]: Span): Promise<Row[]> {
  // Posts come in after they were written, or a little before where a clock is wrong: history need not be read.
  return tx.all(
    `SELECT p.*, min(l.article_id) AS article_id FROM posts p CROSS JOIN post_articles l
     WHERE p.source_id = ? AND p.created_at >= ? AND p.links > 0 AND l.post_id = p.id
       AND COALESCE(p.published_at, p.created_at) BETWEEN ? AND ?
     GROUP BY p.id`,
    [sourceId, from - DAY_MS, from, to],
  )
}

/** Those that are unprocessed; locked, so that they stay so until this is written. */
async function openArticles(tx: Db, podcastId: string, articleIds: ReadonlySet<number>): Promise<Set<number>> {
  const rows = await tx.all(
    `SELECT a.id FROM articles a JOIN sources s ON s.id = a.source_id
     WHERE ${tx.dialect.oneOf('a.id')} AND a.podcast_id = ? AND a.is_processed = 0
     ORDER BY a.id ${tx.dialect.forUpdate('a')}`,
    [tx.dialect.list([...articleIds]), podcastId],
  )
  return new Set(rows.map((row) => Number(row.id)))
}

async function postsOfArticles(tx: Db, articleIds: ReadonlySet<number>): Promise<EarlierPost[]> {
  const posts: EarlierPost[] = []
  for (const some of slices(
    [...articleIds].sort((a, b) => b - a),
    POSTS_AT_ONCE,
  )) {
    const rows = await tx.all(
      `SELECT p.*, l.article_id FROM post_articles l
       JOIN posts p ON p.id = l.post_id JOIN sources s ON s.id = p.source_id
       WHERE ${tx.dialect.oneOf('l.article_id')} ORDER BY l.article_id DESC`,
      [tx.dialect.list(some)],
    )
    posts.push(...rows.map((row) => ({ post: readPost(row), openArticleId: String(row.article_id) })))
  }
  return posts
}
