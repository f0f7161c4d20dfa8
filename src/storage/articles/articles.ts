// Articles as rows: insert, list, show, and mark as processed. A list leaves out articles of removed sources.
import { createHash } from 'node:crypto'
import type { Article } from '../../domain/article.ts'
import type { ArticleWithPosts, PodcastScope } from '../../ports/consumer-store.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db, Param, Row } from '../database/db.ts'
import { insertRows, slices } from '../database/insert-rows.ts'
import { nextIds } from '../database/next-ids.ts'
import { readPost } from '../polling/post-row.ts'
import { pageOf, parseRowId, readCursor } from '../posts/page-cursor.ts'
import { scopesOf } from '../posts/podcast-scope.ts'
import { newestFirst, visibleRowsOf } from '../posts/visible-rows.ts'
import { lockPodcast } from './lock-podcast.ts'

const codec = codecOf<Omit<Article, 'postIds'>>({
  id: ['id', 'id'],
  podcastId: ['podcast_id', 'text'],
  sourceId: ['source_id', 'text'],
  title: ['title', 'text'],
  body: ['body', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
  author: ['author', 'text'],
  contentHash: ['content_hash', 'text'],
  isProcessed: ['is_processed', 'boolean'],
  processedAt: ['processed_at', 'integer'],
  createdAt: ['created_at', 'integer'],
})

export function readArticle(row: Row): Omit<Article, 'postIds'> {
  return codec.read(row)
}

export async function insertArticles(tx: Db, articles: readonly Omit<Article, 'id'>[]): Promise<readonly Article[]> {
  if (articles.length === 0) return []
  const ids = await nextIds(tx, 'articles', articles.length)
  const stored: Article[] = articles.map((article, index) => ({ ...article, id: String(ids[index]) }))
  const rows = stored.map((article) => codec.write(article).params)
  await insertRows(tx, { table: 'articles', columns: codec.columns, rows })
  const links = stored.flatMap(({ id, postIds }) => postIds.map((postId) => [Number(postId), Number(id)]))
  await insertRows(tx, { table: 'post_articles', columns: ['post_id', 'article_id'], rows: links })
  return stored
}

export async function rewriteArticle(tx: Db, id: number, body: string): Promise<void> {
  await tx.run('UPDATE articles SET body = ?, content_hash = ? WHERE id = ?', [body, bodyHash(body), id])
}

export function bodyHash(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

export async function listArticles(
  db: Db,
  query: PageQuery & PodcastScope & { processed: boolean | null },
): Promise<Page<Article>> {
  const [before] = readCursor(query.cursor, [0]) ?? [Number.MAX_SAFE_INTEGER]
  const state: Param[] = query.processed === null ? [] : [query.processed ? 1 : 0]
  const scans = (await scopesOf(db, query)).map(({ where, params }) => ({
    table: 'articles' as const,
    where: `${where} ${state.length > 0 ? 'AND is_processed = ?' : ''}`,
    params: [...params, ...state],
    ...newestFirst,
    start: [before],
  }))
  const rows = await visibleRowsOf(db, scans, query.limit + 1)
  const page = pageOf(rows.map(codec.read), query.limit, (article) => [Number(article.id)])
  const postIds = await postIdsOf(
    db,
    page.items.map(({ id }) => Number(id)),
  )
  return { ...page, items: page.items.map((article) => ({ ...article, postIds: postIds.get(article.id) ?? [] })) }
}

export async function getArticle(db: Db, podcastId: string | null, id: string): Promise<ArticleWithPosts | null> {
  const known = parseRowId(id)
  if (known === null) return null
  const row = await db.get(
    `SELECT a.* FROM articles a JOIN sources s ON s.id = a.source_id
     WHERE a.id = ? ${podcastId === null ? '' : 'AND a.podcast_id = ?'}`,
    podcastId === null ? [known] : [known, podcastId],
  )
  if (!row) return null
  const rows = await db.all(
    'SELECT p.* FROM post_articles l JOIN posts p ON p.id = l.post_id WHERE l.article_id = ? ORDER BY p.id',
    [known],
  )
  const posts = rows.map(readPost)
  return { article: { ...codec.read(row), postIds: posts.map((post) => post.id) }, posts }
}

async function postIdsOf(db: Db, articleIds: readonly number[]): Promise<Map<string, string[]>> {
  const postIds = new Map(articleIds.map((id) => [String(id), [] as string[]]))
  const rows = await db.all(
    `SELECT article_id, post_id FROM post_articles WHERE ${db.dialect.oneOf('article_id')} ORDER BY article_id, post_id`,
    [db.dialect.list(articleIds)],
  )
  for (const row of rows) postIds.get(String(row.article_id))?.push(String(row.post_id))
  return postIds
}

export async function markProcessed(
  db: Database,
  podcastId: string,
  ids: readonly string[],
  processed: { readonly at: number } | false,
): Promise<number | null> {
  const wanted = [...new Set(ids)].map(parseRowId)
  if (wanted.includes(null)) return null
  return db.transaction(async (tx) => {
    await lockPodcast(tx, podcastId)
    const articles = (wanted as number[]).sort((a, b) => a - b)
    for (const some of slices(articles, 200)) {
      const rows = await tx.all(
        `SELECT a.id FROM articles a JOIN sources s ON s.id = a.source_id
         WHERE a.podcast_id = ? AND ${tx.dialect.oneOf('a.id')} ORDER BY a.id ${tx.dialect.forUpdate('a')}`,
        [podcastId, tx.dialect.list(some)],
      )
      if (rows.length < some.length) return null
    }
    for (const some of slices(articles, 200)) {
      // An article that is marked again keeps the instant at which it was marked first.
      const set = processed
        ? `is_processed = 1, processed_at = COALESCE(processed_at, ${tx.dialect.bigint})`
        : 'is_processed = 0, processed_at = NULL'
      await tx.run(`UPDATE articles SET ${set} WHERE ${tx.dialect.oneOf('id')}`, [
        ...(processed ? [processed.at] : []),
        tx.dialect.list(some),
      ])
    }
    return articles.length
  })
}
