// Posts that match a search: newest first, in commit order, or the most relevant of the newest matches. Posts that are not
// indexed yet are compared one by one, so a search finds what was just stored, and indexing can wait until it is cheap.
// See docs/decisions/0181-new-posts-searched-without-the-index.md
import type { Post } from '../../domain/post.ts'
import { relevanceOf } from '../../domain/relevance.ts'
import type { SearchQuery } from '../../domain/search-query.ts'
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Database } from '../database/db.ts'
import { TimeSlice } from '../database/time-slice.ts'
import { readPost } from '../polling/post-row.ts'
import { searchUnindexed } from './compare-posts.ts'
import { indexBeforeSearch } from './index-posts.ts'
import { filterSql } from './post-filters.ts'
import { type FoundPosts, searchIndexed } from './search-index.ts'
import { lowestId, sourcesOf } from './search-scope.ts'
import { AMPLE_BUDGET, type SearchBudget, SearchTime, USUAL_BUDGET } from './search-time.ts'

/** How many of the newest matches are ranked. */
const RANKED = 1000

export interface Wanted {
  readonly beforeId: number
  readonly wanted: number
  /** Posts before this id are not wanted. */
  readonly lowest?: number
  readonly budget?: SearchBudget
  /** Whether this goes on where an earlier search ended for want of time. */
  readonly goesOn?: boolean
  readonly fewMatches?: number
}

export async function searchNewest(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  { beforeId, wanted, lowest = 1, budget = USUAL_BUDGET, goesOn = false, fewMatches }: Wanted,
): Promise<FoundPosts> {
  if (search.all.length === 0) return { posts: [], goOnBefore: null }
  const { to, last } = await indexBeforeSearch(db)
  const asked = {
    ...{ filters, search, goesOn, time: new SearchTime(budget) },
    ...{ top: Math.min(beforeId, last + 1), lowest: Math.max(lowest, await lowestId(db, filters)) },
  }
  const newer = await searchUnindexed(db, asked, { after: Math.max(to, asked.lowest - 1), before: asked.top, wanted })
  if (newer.goOnBefore !== null || newer.posts.length >= wanted) return newer
  const before = Math.min(beforeId, to + 1)
  const older = await searchIndexed(db, asked, { before, wanted: wanted - newer.posts.length, fewMatches })
  return { posts: [...newer.posts, ...older.posts], goOnBefore: older.goOnBefore }
}

/** Posts within a range of ids that is indexed, oldest first. */
export async function searchWithin(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  range: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<Post[]> {
  if (search.all.length === 0) return []
  const { where, params } = filterSql(filters, 'p.')
  const [after, before] = [range.after, range.until + 1]
  const match = db.dialect.search.match(search, await sourcesOf(db, filters), { after, before })
  const values = [...match.values, after, before, ...params, range.limit]
  return (await db.all(db.dialect.search.select(match, where, 'ASC'), values)).map(readPost)
}

export interface RankedPosts {
  /** The best first; of equals the newest. */
  readonly posts: Post[]
  /** Matches before this id were not ranked. */
  readonly lowest: number
}

/** Only the newest matches are ranked, and only those that are found in time: common words match too many posts. */
export async function searchRelevant(
  db: Database,
  filters: PostFilters,
  search: SearchQuery,
  range: { readonly beforeId: number; readonly lowest: number; readonly isKnown: boolean },
): Promise<RankedPosts> {
  // If this ended earlier than the search behind the page before, other posts would be ranked.
  const budget = range.isKnown ? AMPLE_BUDGET : USUAL_BUDGET
  const found = await searchNewest(db, filters, search, { ...range, wanted: RANKED, budget })
  const slice = new TimeSlice()
  const scored: { post: Post; score: number }[] = []
  for (const post of found.posts) {
    if (slice.isUsedUp) await slice.nextTurn()
    scored.push({ post, score: relevanceOf(post, search) })
  }
  const oldest = found.posts.length < RANKED ? range.lowest : Number(found.posts.at(-1)?.id)
  return {
    posts: scored.sort((a, b) => b.score - a.score || Number(b.post.id) - Number(a.post.id)).map(({ post }) => post),
    lowest: found.goOnBefore ?? oldest,
  }
}
