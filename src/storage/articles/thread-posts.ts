// Posts of threads that new replies may belong to. For each aggregated source that has a new reply, these are the posts
// in articles around the times of its replies. A thread can grow only while its article is unprocessed ("open").
import { type AggregationInput, isAggregated } from '../../domain/aggregate.ts'
import { timeOf } from '../../domain/article-text.ts'
import { DAY_MS, HOUR_MS } from '../../domain/schedule.ts'
import { type EarlierPost, mayBeReply } from '../../domain/threads.ts'
import type { Db, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readPost } from '../polling/post-row.ts'
import { withFullTexts } from '../posts/full-texts.ts'

const ARTICLES_AT_ONCE = 50

export async function earlierPosts(
  tx: Db,
  podcastId: string,
  known: Omit<AggregationInput, 'earlier'>,
): Promise<EarlierPost[]> {
  const spans = spansOfReplies(known)
  const rows: Row[] = []
  for (const [sourceId, span] of spans) rows.push(...(await linkedPostsWithin(tx, sourceId, span)))
  const articleIds = new Set([...rows.map((row) => Number(row.article_id)), ...articlesWithCopies(spans, known)])
  const open = await openArticles(tx, podcastId, articleIds)
  const closed = rows.filter((row) => !open.has(Number(row.article_id)))
  const earlier = [
    ...(await postsOfArticles(tx, open)),
    ...closed.map((row) => ({ post: readPost(row), openArticleId: null })),
  ]
  // A reprocessed post is in several articles. Its thread is that of the first one.
  return [...new Map(earlier.map((one) => [one.post.id, one])).values()]
}

type Span = readonly [from: number, to: number]

/** For each aggregated source with a reply: from an hour before its first reply to its last. */
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

/** Articles that get a post of these sources as a copy. A reply to that post joins them. */
function articlesWithCopies(spans: ReadonlyMap<string, Span>, known: Omit<AggregationInput, 'earlier'>): number[] {
  return known.posts.flatMap((post) => {
    const [from, to] = spans.get(post.sourceId) ?? [0, -1]
    const articleId = known.articleByHash.get(post.contentHash)
    return articleId !== undefined && timeOf(post) >= from && timeOf(post) <= to ? [Number(articleId)] : []
  })
}

async function linkedPostsWithin(tx: Db, sourceId: string, [from, to]: Span): Promise<Row[]> {
  // A post is stored after it was published, or up to a day before if a clock is wrong. Older rows need not be read.
  return tx.all(
    `SELECT p.*, min(l.article_id) AS article_id FROM posts p CROSS JOIN post_articles l
     WHERE p.source_id = ? AND p.created_at >= ? AND p.links > 0 AND l.post_id = p.id
       AND COALESCE(p.published_at, p.created_at) BETWEEN ? AND ?
     GROUP BY p.id`,
    [sourceId, from - DAY_MS, from, to],
  )
}

/** The unprocessed ones. They are locked, so that they stay unprocessed until this transaction ends. */
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
    ARTICLES_AT_ONCE,
  )) {
    const rows = await tx.all(
      `SELECT p.*, l.article_id FROM post_articles l
       JOIN posts p ON p.id = l.post_id JOIN sources s ON s.id = p.source_id
       WHERE ${tx.dialect.oneOf('l.article_id')} ORDER BY l.article_id DESC`,
      [tx.dialect.list(some)],
    )
    const whole = await withFullTexts(tx, rows.map(readPost))
    posts.push(...whole.map((post, at) => ({ post, openArticleId: String(rows[at]?.article_id) })))
  }
  return posts
}
