// A source goes to another podcast with its posts and articles, which name their podcast for the sake of its lists.
// Articles that have posts of both sides are parted first: an article goes with its source and keeps the posts of that
// side only, and its text is theirs. Posts of the other side are free again, so that the next aggregation of their
// podcast decides on them; out of a processed article they get a processed one of their own, because nobody is to get
// twice what is done. Both podcasts are held, as aggregation holds its own.
import type { Article } from '../../domain/article.ts'
import { inOrder, joinedBodies, threadText } from '../../domain/article-text.ts'
import type { Post } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import { bodyHash, insertArticles, readArticle, rewriteArticle } from '../articles/articles.ts'
import type { Db } from '../database/db.ts'
import { readPost, uniqueByHash } from '../polling/insert-posts.ts'

const AT_ONCE = 100

export async function moveRows(tx: Db, { id: sourceId, podcastId: from }: Source, to: string): Promise<void> {
  await tx.all(
    `SELECT id FROM podcasts WHERE ${tx.dialect.oneOf('id')} ORDER BY id ${tx.dialect.forUpdateKeepingKeys('podcasts')}`,
    [tx.dialect.list([from, to])],
  )
  for (const articleId of await sharedArticles(tx, sourceId)) await part(tx, articleId, { sourceId, from, to })
  for (const table of ['posts', 'articles'] as const) {
    for await (const ids of rowsOf(tx, table, sourceId)) {
      await tx.run(`UPDATE ${table} SET podcast_id = ? WHERE ${tx.dialect.oneOf('id')}`, [to, tx.dialect.list(ids)])
    }
  }
}

/** Each by the index that has the source's rows in this order. */
const ORDER = { posts: ['content_hash', ''], articles: ['id', -1] } as const

async function* rowsOf(tx: Db, table: keyof typeof ORDER, sourceId: string): AsyncGenerator<number[]> {
  const [key, start] = ORDER[table]
  for (let after: string | number = start; ; ) {
    const rows = await tx.all(
      `SELECT id, ${key} AS key FROM ${table} WHERE source_id = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`,
      [sourceId, after, AT_ONCE],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => Number(row.id))
    after = last.key as string | number
  }
}

/** Articles that have a post of the source and belong to another, or the other way round. */
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

async function part(tx: Db, articleId: number, { sourceId, from, to }: Move): Promise<void> {
  const row = await tx.get(`SELECT * FROM articles WHERE id = ? ${tx.dialect.forUpdate('articles')}`, [articleId])
  if (!row) return
  const article = readArticle(row)
  const links = 'SELECT p.* FROM post_articles l JOIN posts p ON p.id = l.post_id WHERE l.article_id = ?'
  const posts = (await tx.all(links, [articleId])).map(readPost).sort(inOrder)
  const goes = article.sourceId === sourceId
  const { kept = [], freed = [] } = Object.groupBy(posts, (post) =>
    (post.sourceId === sourceId) === goes ? 'kept' : 'freed',
  )
  await tx.run(`DELETE FROM post_articles WHERE article_id = ? AND ${tx.dialect.oneOf('post_id')}`, [
    articleId,
    tx.dialect.list(freed.map((post) => Number(post.id))),
  ])
  await loseTexts(tx, articleId, kept, freed)
  if (article.isProcessed) await insertArticles(tx, processed(article, goes ? from : to, freed))
}

/** Copies were no part of the text; replies that had joined were. */
async function loseTexts(tx: Db, articleId: number, kept: readonly Post[], freed: readonly Post[]): Promise<void> {
  const texts = new Set(kept.map((post) => post.contentHash))
  if (freed.every((post) => texts.has(post.contentHash))) return
  await rewriteArticle(tx, articleId, joinedBodies(uniqueByHash(kept)))
}

function processed(
  article: Omit<Article, 'postIds'>,
  podcastId: string,
  posts: readonly Post[],
): Omit<Article, 'id'>[] {
  const [first] = posts
  if (!first) return []
  const text = threadText(uniqueByHash(posts))
  const { isProcessed, createdAt } = article
  const about = { podcastId, sourceId: first.sourceId, isProcessed, createdAt }
  return [{ ...text, ...about, contentHash: bodyHash(text.body), postIds: posts.map((post) => post.id) }]
}
