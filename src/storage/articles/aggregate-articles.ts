// Creates articles from posts, in one transaction that locks the podcast. Two requests at the same time create each
// article once, and a crash leaves all of them or none. The rules are in domain/aggregate.ts; this module reads what they
// need and writes what they decide. The posts and articles involved are locked, so that clean-up skips them.
import { setImmediate } from 'node:timers/promises'
import {
  type Aggregation,
  type AggregationInput,
  aggregation,
  type DraftArticle,
  draftText,
} from '../../domain/aggregate.ts'
import type { Article } from '../../domain/article.ts'
import { joinedBodies } from '../../domain/article-text.ts'
import type { Post } from '../../domain/post.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Aggregated, AggregationRequest } from '../../ports/consumer-store.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows, slices } from '../database/insert-rows.ts'
import {
  aggregatedSources,
  articlesByContentHash,
  countWaiting,
  postsToReprocess,
  unlinkedPosts,
} from './article-facts.ts'
import { bodyHash, insertArticles, rewriteArticle } from './articles.ts'
import { lockPodcast } from './lock-podcast.ts'
import { earlierPosts } from './thread-posts.ts'

const ARTICLES_AT_ONCE = 25
const TURN_MS = 10

export async function aggregateArticles(
  db: Database,
  types: Pick<SourceTypes, 'find'>,
  request: AggregationRequest,
): Promise<Aggregated> {
  return db.transaction(async (tx) => {
    if (!(await lockPodcast(tx, request.podcastId))) return { kind: 'no-podcast' }
    const again = await postsToReprocess(tx, request)
    if (!again) return { kind: 'unknown-posts' }
    const chosen = new Set(again.map((post) => post.id))
    const posts = (await unlinkedPosts(tx, request)).filter((post) => !chosen.has(post.id))

    const fresh = await decideInTurns(await loadFacts(tx, types, request, posts))
    // Posts to reprocess get articles of their own, even if an article has the same text or the same thread.
    const reprocessed = await decideInTurns(await loadFacts(tx, types, request, again, false))
    await extendArticles(tx, fresh)
    const created = await insertDrafts(tx, [...fresh.drafts, ...reprocessed.drafts], request)
    return { kind: 'aggregated', created, waiting: await countWaiting(tx, request) }
  })
}

/** Decides in steps, and gives way to the event loop every 10 ms: there may be thousands of posts. */
async function decideInTurns(facts: AggregationInput): Promise<Aggregation> {
  const steps = aggregation(facts)
  for (let turnStartedAt = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - turnStartedAt < TURN_MS) continue
    await setImmediate()
    turnStartedAt = performance.now()
  }
}

async function loadFacts(
  tx: Db,
  types: Pick<SourceTypes, 'find'>,
  request: AggregationRequest,
  posts: readonly Post[],
  withEarlier = true,
): Promise<AggregationInput> {
  const sources = await aggregatedSources(tx, posts, types)
  const given = { sources, posts, mode: request.mode }
  if (!withEarlier) return { ...given, articleByHash: new Map(), earlier: [] }
  const known = { ...given, articleByHash: await articlesByContentHash(tx, request, posts) }
  return { ...known, earlier: request.mode === 'thread' ? await earlierPosts(tx, request.podcastId, known) : [] }
}

async function extendArticles(tx: Db, { joins, links }: Aggregation): Promise<void> {
  for (const { articleId, posts } of joins) await rewriteArticle(tx, Number(articleId), joinedBodies(posts))
  const rows = [
    ...joins.flatMap(({ articleId, added }) => added.map((post) => [Number(post.id), Number(articleId)])),
    ...links.map(({ articleId, post }) => [Number(post.id), Number(articleId)]),
  ]
  await insertRows(tx, { table: 'post_articles', columns: ['post_id', 'article_id'], rows })
}

async function insertDrafts(
  tx: Db,
  drafts: readonly DraftArticle[],
  { podcastId, at, mode }: AggregationRequest,
): Promise<Article[]> {
  const created: Article[] = []
  for (const some of slices(drafts, ARTICLES_AT_ONCE)) {
    const articles = some.map((draft) => {
      const text = draftText(draft, mode)
      const postIds = [...draft.posts, ...draft.copies].map((post) => post.id).sort((a, b) => Number(a) - Number(b))
      const contentHash = bodyHash(text.body)
      return {
        ...text,
        podcastId,
        sourceId: draft.source.id,
        contentHash,
        isProcessed: false,
        processedAt: null,
        createdAt: at,
        postIds,
      }
    })
    created.push(...(await insertArticles(tx, articles)))
  }
  return created
}
