// Unprocessed articles beyond their podcast's age limit go, with those of their posts that no other article has.
// Then posts beyond it that are in no article. What was processed stays. A podcast whose articles somebody else is at
// work on has its turn the next time: a tick does not wait for that.
import type { CleanUpLimits } from '../../ports/store.ts'
import { holdPodcastIfFree } from '../articles/lock-podcast.ts'
import type { Database, Db } from '../database/db.ts'
import { buryPosts, freeSources } from './remove-posts.ts'

const AT_ONCE = 100
const PODCASTS_AT_ONCE = 100

interface Gone {
  readonly articles: number
  readonly posts: number
}

interface Overdue {
  readonly podcastId: string
  /** What is older than this is to go. */
  readonly before: number
}

export async function cleanArticles(db: Database, limits: CleanUpLimits): Promise<Gone> {
  const gone = { articles: 0, posts: 0 }
  for (const overdue of await withOld(db, OLDEST_ARTICLE, limits)) {
    while (gone.articles < limits.batch) {
      const most = Math.min(AT_ONCE, limits.batch - gone.articles)
      const some = await db.transaction((tx) => someArticles(tx, overdue, most))
      gone.articles += some.articles
      gone.posts += some.posts
      if (some.articles === 0) break
    }
  }
  return gone
}

export async function cleanPosts(db: Database, limits: CleanUpLimits): Promise<number> {
  let gone = 0
  for (const overdue of await withOld(db, OLDEST_POST, limits)) {
    while (gone < limits.batch) {
      const some = await db.transaction((tx) => somePosts(tx, overdue, Math.min(AT_ONCE, limits.batch - gone)))
      gone += some
      if (some === 0) break
    }
  }
  return gone
}

const OLDEST_ARTICLE = `SELECT COALESCE(a.published_at, a.created_at) FROM articles a
  WHERE a.podcast_id = d.id AND a.is_processed = 0 ORDER BY COALESCE(a.published_at, a.created_at) LIMIT 1`
const OLDEST_POST = `SELECT p.created_at FROM posts p
  WHERE p.podcast_id = d.id AND p.links = 0 ORDER BY p.created_at, p.id LIMIT 1`
/** The cast keeps it a comparison of integers. */
const AGE_LIMIT = `CAST(CAST(? AS BIGINT)
  - COALESCE(d.max_article_age_days, CAST(? AS DOUBLE PRECISION)) * 86400000 AS BIGINT)`

/** Podcasts whose oldest one is beyond their limit: one step into an index for each podcast, whatever the planner thinks. */
async function withOld(db: Db, oldest: string, { now, maxArticleAgeDays }: CleanUpLimits): Promise<Overdue[]> {
  const rows = await db.all(
    `SELECT d.id, ${AGE_LIMIT} AS before FROM podcasts d WHERE (${oldest}) < ${AGE_LIMIT} ORDER BY d.id LIMIT ?`,
    [now, maxArticleAgeDays, now, maxArticleAgeDays, PODCASTS_AT_ONCE],
  )
  return rows.map((row) => ({ podcastId: row.id as string, before: Number(row.before) }))
}

async function someArticles(tx: Db, { podcastId, before }: Overdue, most: number): Promise<Gone> {
  if (!(await holdPodcastIfFree(tx, podcastId))) return { articles: 0, posts: 0 }
  const old = await tx.all(
    `SELECT id FROM articles
     WHERE podcast_id = ? AND is_processed = 0 AND COALESCE(published_at, created_at) < ?
     ORDER BY COALESCE(published_at, created_at) LIMIT ?`,
    [podcastId, before, most],
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

async function somePosts(tx: Db, { podcastId, before }: Overdue, most: number): Promise<number> {
  if (!(await holdPodcastIfFree(tx, podcastId))) return 0
  const old = await tx.all(
    `SELECT id, source_id, octet_length(body) AS size FROM posts
     WHERE podcast_id = ? AND links = 0 AND created_at < ? ORDER BY created_at, id LIMIT ?`,
    [podcastId, before, most],
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
