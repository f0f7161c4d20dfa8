// Removes unprocessed articles older than their podcast's age limit, with those of their posts that no other article
// has. Then removes posts older than the limit that are in no article. Processed articles stay.
// Clean-up never waits: it skips a podcast or a source that another transaction has locked, until the next run.
import type { CleanUpLimits } from '../../ports/store.ts'
import { tryLockPodcast } from '../articles/lock-podcast.ts'
import type { Database, Db } from '../database/db.ts'
import { lockIdleSources, removePostsLeavingTombstones } from './remove-posts.ts'

/**
 * Posts and articles that end at the same time belong to sources all over the file, so each costs up to half a millisecond,
 * and others wait for the transaction. Larger ones cost no less for each post.
 */
const BATCH_SIZE = 25
const PODCASTS_AT_ONCE = 100

interface RemovedCounts {
  readonly articles: number
  readonly posts: number
}

interface PodcastWithOldRows {
  readonly podcastId: string
  /** Rows older than this are removed. */
  readonly before: number
}

export async function cleanArticles(db: Database, limits: CleanUpLimits): Promise<RemovedCounts> {
  const removedSoFar = { articles: 0, posts: 0 }
  for (const podcast of await podcastsWithOldRows(db, OLDEST_ARTICLE, limits)) {
    while (removedSoFar.articles < limits.batch) {
      const limit = Math.min(BATCH_SIZE, limits.batch - removedSoFar.articles)
      const batch = await db.transaction((tx) => removeArticleBatch(tx, podcast, limit))
      removedSoFar.articles += batch.articles
      removedSoFar.posts += batch.posts
      if (batch.articles === 0) break
    }
  }
  return removedSoFar
}

export async function cleanPosts(db: Database, limits: CleanUpLimits): Promise<number> {
  let removedSoFar = 0
  for (const podcast of await podcastsWithOldRows(db, OLDEST_POST, limits)) {
    while (removedSoFar < limits.batch) {
      const count = await db.transaction((tx) =>
        removePostBatch(tx, podcast, Math.min(BATCH_SIZE, limits.batch - removedSoFar)),
      )
      removedSoFar += count
      if (count === 0) break
    }
  }
  return removedSoFar
}

const OLDEST_ARTICLE = `SELECT COALESCE(a.published_at, a.created_at) FROM articles a
  WHERE a.podcast_id = d.id AND a.is_processed = 0 ORDER BY COALESCE(a.published_at, a.created_at) LIMIT 1`
const OLDEST_POST = `SELECT p.created_at FROM posts p
  WHERE p.podcast_id = d.id AND p.links = 0 ORDER BY p.created_at, p.id LIMIT 1`
/** The cast makes it a comparison of integers, which can use the index. */
const AGE_LIMIT = `CAST(CAST(? AS BIGINT)
  - COALESCE(d.max_article_age_days, CAST(? AS DOUBLE PRECISION)) * 86400000 AS BIGINT)`

/** Podcasts whose oldest row is over their age limit. The subquery makes this one index look-up for each podcast. */
async function podcastsWithOldRows(
  db: Db,
  oldest: string,
  { now, maxArticleAgeDays }: CleanUpLimits,
): Promise<PodcastWithOldRows[]> {
  const rows = await db.all(
    `SELECT d.id, ${AGE_LIMIT} AS before FROM podcasts d WHERE (${oldest}) < ${AGE_LIMIT} ORDER BY d.id LIMIT ?`,
    [now, maxArticleAgeDays, now, maxArticleAgeDays, PODCASTS_AT_ONCE],
  )
  return rows.map((row) => ({ podcastId: row.id as string, before: Number(row.before) }))
}

async function removeArticleBatch(
  tx: Db,
  { podcastId, before }: PodcastWithOldRows,
  limit: number,
): Promise<RemovedCounts> {
  if (!(await tryLockPodcast(tx, podcastId))) return { articles: 0, posts: 0 }
  const old = await tx.all(
    `SELECT id FROM articles
     WHERE podcast_id = ? AND is_processed = 0 AND COALESCE(published_at, created_at) < ?
     ORDER BY COALESCE(published_at, created_at) LIMIT ?`,
    [podcastId, before, limit],
  )
  if (old.length === 0) return { articles: 0, posts: 0 }
  const ids = old.map((row) => Number(row.id))
  const posts = await tx.all(
    `SELECT l.article_id, p.id, p.source_id, octet_length(p.body) AS size
     FROM post_articles l JOIN posts p ON p.id = l.post_id WHERE ${tx.dialect.oneOf('l.article_id')}`,
    [tx.dialect.list(ids)],
  )
  const idle = await lockIdleSources(
    tx,
    posts.map((post) => post.source_id as string),
  )
  const busy = new Set(
    posts.filter((post) => !idle.has(post.source_id as string)).map((post) => Number(post.article_id)),
  )
  const removed = await tx.all(
    `DELETE FROM articles WHERE ${tx.dialect.oneOf('id')} AND is_processed = 0 RETURNING id`,
    [tx.dialect.list(ids.filter((id) => !busy.has(id)))],
  )
  const removedIds = new Set(removed.map((row) => Number(row.id)))
  const removedPosts = await removePostsLeavingTombstones(
    tx,
    posts.filter((post) => removedIds.has(Number(post.article_id))),
  )
  return { articles: removed.length, posts: removedPosts }
}

async function removePostBatch(tx: Db, { podcastId, before }: PodcastWithOldRows, limit: number): Promise<number> {
  if (!(await tryLockPodcast(tx, podcastId))) return 0
  const old = await tx.all(
    `SELECT id, source_id, octet_length(body) AS size FROM posts
     WHERE podcast_id = ? AND links = 0 AND created_at < ? ORDER BY created_at, id LIMIT ?`,
    [podcastId, before, limit],
  )
  if (old.length === 0) return 0
  const idle = await lockIdleSources(
    tx,
    old.map((post) => post.source_id as string),
  )
  return removePostsLeavingTombstones(
    tx,
    old.filter((post) => idle.has(post.source_id as string)),
  )
}
