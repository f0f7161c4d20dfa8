// Unprocessed articles beyond their podcast's age limit go, with those of their posts that no other article has.
// Then posts beyond it that are in no article. What was processed stays.
import type { CleanUpLimits } from '../ports/store.ts'
import { buryPosts, freeSources } from './bury-posts.ts'
import type { Database, Db } from './db.ts'

const AT_ONCE = 100

/** `d` is the podcast. CROSS JOIN: one step into an index for each podcast. The cast keeps it a comparison of integers. */
const AGE_LIMIT = `CAST(CAST(? AS BIGINT)
  - COALESCE(d.max_article_age_days, CAST(? AS DOUBLE PRECISION)) * 86400000 AS BIGINT)`

export async function cleanArticles(db: Database, limits: CleanUpLimits): Promise<{ articles: number; posts: number }> {
  const gone = { articles: 0, posts: 0 }
  while (gone.articles < limits.batch) {
    const some = await db.transaction((tx) => someArticles(tx, limits, Math.min(AT_ONCE, limits.batch - gone.articles)))
    gone.articles += some.articles
    gone.posts += some.posts
    if (some.articles === 0) break
  }
  return gone
}

async function someArticles(tx: Db, limits: CleanUpLimits, most: number): Promise<{ articles: number; posts: number }> {
  const old = await tx.all(
    `SELECT a.id FROM podcasts d CROSS JOIN articles a
     WHERE a.podcast_id = d.id AND a.is_processed = 0 AND COALESCE(a.published_at, a.created_at) < ${AGE_LIMIT}
     LIMIT ?`,
    [limits.now, limits.maxArticleAgeDays, most],
  )
  if (old.length === 0) return { articles: 0, posts: 0 }
  const ids = old.map((row) => Number(row.id))
  const posts = await tx.all(
    `SELECT l.article_id, p.id, p.source_id, octet_length(p.body) AS size
     FROM post_articles l JOIN posts p ON p.id = l.post_id WHERE ${tx.dialect.oneOf('l.article_id')}`,
    [tx.dialect.list(ids)],
  )
  const free = await freeSources(
    tx,
    posts.map((post) => post.source_id as string),
  )
  const busy = new Set(
    posts.filter((post) => !free.has(post.source_id as string)).map((post) => Number(post.article_id)),
  )
  const removed = await tx.all(
    `DELETE FROM articles WHERE ${tx.dialect.oneOf('id')} AND is_processed = 0 RETURNING id`,
    [tx.dialect.list(ids.filter((id) => !busy.has(id)))],
  )
  const removedIds = new Set(removed.map((row) => Number(row.id)))
  const buried = await buryPosts(
    tx,
    posts.filter((post) => removedIds.has(Number(post.article_id))),
  )
  return { articles: removed.length, posts: buried }
}

export async function cleanPosts(db: Database, limits: CleanUpLimits): Promise<number> {
  let gone = 0
  while (gone < limits.batch) {
    const some = await db.transaction((tx) => somePosts(tx, limits, Math.min(AT_ONCE, limits.batch - gone)))
    gone += some
    if (some === 0) break
  }
  return gone
}

async function somePosts(tx: Db, limits: CleanUpLimits, most: number): Promise<number> {
  const old = await tx.all(
    `SELECT p.id, p.source_id, octet_length(p.body) AS size FROM podcasts d CROSS JOIN posts p
     WHERE p.podcast_id = d.id AND p.links = 0 AND p.created_at < ${AGE_LIMIT} LIMIT ?`,
    [limits.now, limits.maxArticleAgeDays, most],
  )
  if (old.length === 0) return 0
  const free = await freeSources(
    tx,
    old.map((post) => post.source_id as string),
  )
  return buryPosts(
    tx,
    old.filter((post) => free.has(post.source_id as string)),
  )
}
