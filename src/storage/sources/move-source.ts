// Moves the posts and articles of a source to another podcast. (Their rows name the podcast, so that it can be listed.)
// An article may have posts of several sources. It follows its own source and keeps the posts on that side only; its
// text is written anew from them. The other posts are freed: the next aggregation of their podcast decides about them.
// Posts freed from a processed article get a processed article of their own, so that nobody receives them twice.
// Both podcasts are locked, as in aggregation.
// See docs/decisions/0099-moving-a-source-splits-shared-articles.md
import type { Article } from '../../domain/article.ts'
import { inOrder, joinedBodies, threadText } from '../../domain/article-text.ts'
import type { Post } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import { bodyHash, insertArticles, readArticle, rewriteArticle } from '../articles/articles.ts'
import type { Db } from '../database/db.ts'
import { uniqueByHash } from '../polling/new-posts.ts'
import { readPost } from '../polling/post-row.ts'
import { withFullTexts } from '../posts/full-texts.ts'

const BATCH_SIZE = 100

export async function movePostsAndArticles(
  tx: Db,
  { id: sourceId, podcastId: from }: Source,
  to: string,
): Promise<void> {
  await tx.all(
    `SELECT id FROM podcasts WHERE ${tx.dialect.oneOf('id')} ORDER BY id ${tx.dialect.forNoKeyUpdate('podcasts')}`,
    [tx.dialect.list([from, to])],
  )
  for (const articleId of await sharedArticles(tx, sourceId)) await splitArticle(tx, articleId, { sourceId, from, to })
  for (const table of ['posts', 'articles'] as const) {
    for await (const ids of rowsOf(tx, table, sourceId)) {
      await tx.run(`UPDATE ${table} SET podcast_id = ? WHERE ${tx.dialect.oneOf('id')}`, [to, tx.dialect.list(ids)])
    }
  }
}

/** For each table, the column by which an index orders the rows of a source, and a value before all others. */
const ORDER = { posts: ['content_hash', ''], articles: ['id', -1] } as const

async function* rowsOf(tx: Db, table: keyof typeof ORDER, sourceId: string): AsyncGenerator<number[]> {
  const [key, start] = ORDER[table]
  for (let after: string | number = start; ; ) {
    const rows = await tx.all(
      `SELECT id, ${key} AS key FROM ${table} WHERE source_id = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`,
      [sourceId, after, BATCH_SIZE],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => Number(row.id))
    after = last.key as string | number
  }
}

/** Articles of this source that have posts of another, and articles of another source that have posts of this one. */
async function sharedArticles(tx: Db, sourceId: string): Promise<number[]> {
  const shared = new Set<number>()
  for (const [table, key, other] of [
    ['posts', 'post_id', 'articles o ON o.id = l.article_id'],
    ['articles', 'article_id', 'posts o ON o.id = l.post_id'],
  ] as const) {
    for await (const ids of rowsOf(tx, table, sourceId)) {
      const rows = await tx.all(
        `SELECT l.article_id FROM post_articles l JOIN ${other}
         WHERE ${tx.dialect.oneOf(`l.${key}`)} AND o.source_id <> ?`,
        [tx.dialect.list(ids), sourceId],
      )
      for (const row of rows) shared.add(Number(row.article_id))
    }
  }
  return [...shared].sort((a, b) => a - b)
}

interface Move {
  readonly sourceId: string
  readonly from: string
  readonly to: string
}

async function splitArticle(tx: Db, articleId: number, { sourceId, from, to }: Move): Promise<void> {
  const row = await tx.get(`SELECT * FROM articles WHERE id = ? ${tx.dialect.forUpdate('articles')}`, [articleId])
  if (!row) return
  const article = readArticle(row)
  const links = 'SELECT p.* FROM post_articles l JOIN posts p ON p.id = l.post_id WHERE l.article_id = ?'
  const posts = (await withFullTexts(tx, (await tx.all(links, [articleId])).map(readPost))).sort(inOrder)
  const articleMoves = article.sourceId === sourceId
  const { kept = [], freed = [] } = Object.groupBy(posts, (post) =>
    (post.sourceId === sourceId) === articleMoves ? 'kept' : 'freed',
  )
  await tx.run(`DELETE FROM post_articles WHERE article_id = ? AND ${tx.dialect.oneOf('post_id')}`, [
    articleId,
    tx.dialect.list(freed.map((post) => Number(post.id))),
  ])
  await rewriteWithoutFreed(tx, articleId, kept, freed)
  if (article.isProcessed) await insertArticles(tx, processedArticleOf(article, articleMoves ? from : to, freed))
}

/** An article has each text once. Its body changes only if a freed post had a text that no kept post has. */
async function rewriteWithoutFreed(
  tx: Db,
  articleId: number,
  kept: readonly Post[],
  freed: readonly Post[],
): Promise<void> {
  const texts = new Set(kept.map((post) => post.contentHash))
  if (freed.every((post) => texts.has(post.contentHash))) return
  await rewriteArticle(tx, articleId, joinedBodies(uniqueByHash(kept)))
}

function processedArticleOf(
  article: Omit<Article, 'postIds'>,
  podcastId: string,
  posts: readonly Post[],
): Omit<Article, 'id'>[] {
  const [first] = posts
  if (!first) return []
  const text = threadText(uniqueByHash(posts))
  const { isProcessed, processedAt, createdAt } = article
  const about = { podcastId, sourceId: first.sourceId, isProcessed, processedAt, createdAt }
  return [{ ...text, ...about, contentHash: bodyHash(text.body), postIds: posts.map((post) => post.id) }]
}
