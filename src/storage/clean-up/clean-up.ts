// One bounded call of clean-up: at most `batch` rows of each kind, in transactions of a slice each, so that polls and
// the API get their turn in between. What is left is left for the next call.
import type { CleanedUp, CleanUpLimits } from '../../ports/store.ts'
import type { Database } from '../database/db.ts'
import { cleanHours } from '../hosts/lane-hours.ts'
import { hasSearched, indexPosts } from '../posts/index-posts.ts'
import { purge } from '../sources/remove.ts'
import { cleanArticles, cleanPosts } from './clean-articles.ts'
import { cleanEvents, cleanPolls, cleanTotals } from './clean-history.ts'

export async function cleanUp(db: Database, limits: CleanUpLimits): Promise<CleanedUp> {
  const { batch } = limits
  const purged = await purge(db, batch)
  const withArticles = await cleanArticles(db, limits)
  const posts = await cleanPosts(db, limits)
  const polls = await cleanPolls(db, limits)
  const totals = await cleanTotals(db, limits)
  const events = await cleanEvents(db, limits)
  const hours = await cleanHours(db, limits)
  if (await hasSearched(db)) await indexPosts(db, batch)
  const done = [purged, withArticles.articles, posts, polls, totals, events, hours].every((count) => count < batch)
  return { articles: withArticles.articles, posts: withArticles.posts + posts, polls, events, done }
}
