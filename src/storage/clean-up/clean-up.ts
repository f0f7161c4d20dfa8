// One bounded run of clean-up. It removes at most `batch` rows of each kind, in small transactions, so that polls and the
// API can work in between. The rest waits for the next run; `done` tells whether anything may be left.
import type { CleanedUp, CleanUpLimits } from '../../ports/store.ts'
import type { Database } from '../database/db.ts'
import { cleanReceivers } from '../events/receiver-hosts.ts'
import { cleanHours } from '../hosts/lane-hours.ts'
import { indexNewPosts, NEW_AT_ONCE } from '../posts/index-posts.ts'
import { purgeRemovedSources } from '../sources/purge-removed.ts'
import { mergeSourceTexts } from '../sources/source-texts.ts'
import { cleanArticles, cleanPosts } from './clean-articles.ts'
import { cleanEvents, cleanPollHours, cleanPolls, cleanTotals } from './clean-history.ts'

/** For programs that only tick: a process that runs indexes in the background. */
const INDEX_MS = 100

export async function cleanUp(db: Database, limits: CleanUpLimits): Promise<CleanedUp> {
  const { batch } = limits
  const purged = await purgeRemovedSources(db, batch)
  const articles = await cleanArticles(db, limits)
  const posts = await cleanPosts(db, limits)
  const polls = await cleanPolls(db, limits)
  const totals = await cleanTotals(db, limits)
  const events = await cleanEvents(db, limits)
  const hours = (await cleanHours(db, limits)) + (await cleanPollHours(db, limits))
  const receivers = await cleanReceivers(db, limits)
  await indexNewPosts(db, { atLeast: NEW_AT_ONCE, budgetMs: INDEX_MS })
  await mergeSourceTexts(db)
  const done = [purged, articles.articles, posts, polls, totals, events, hours, receivers].every(
    (count) => count < batch,
  )
  return { articles: articles.articles, posts: articles.posts + posts, polls, events, done }
}
