// Posts that are not in the index yet are compared with a search one by one. That costs less than indexing them would.
// See docs/decisions/0181-new-posts-searched-without-the-index.md
import type { Post } from '../../domain/post.ts'
import { matchesSearch } from '../../domain/relevance.ts'
import type { SearchQuery } from '../../domain/search-query.ts'
import type { Db, Row } from '../database/db.ts'
import { readPost } from '../polling/post-row.ts'
import { indexedTexts } from './index-posts.ts'
import { filterSql } from './post-filters.ts'
import type { Asked, FoundPosts } from './search-index.ts'

/** Their words are compared here, on the main thread. */
const POSTS_AT_ONCE = 100

interface Range {
  readonly after: number
  readonly before: number
  readonly wanted: number
}

/** Newest first, in slices, until the time is over. */
export async function searchUnindexed(db: Db, asked: Asked, { after, before, wanted }: Range): Promise<FoundPosts> {
  const { filters, search, time } = asked
  const { where, params } = filterSql(filters, 'p.')
  const posts: Post[] = []
  for (let end = before; end > after + 1; ) {
    const slice = `SELECT id FROM posts WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ${POSTS_AT_ONCE}`
    const first = await db.get(`SELECT min(id) AS id FROM (${slice}) AS newest`, [after, end])
    if (first?.id == null) break
    const rows = await db.all(
      `SELECT p.* FROM posts p JOIN sources s ON s.id = p.source_id
       WHERE ${where} AND p.id >= ? AND p.id < ? ORDER BY p.id DESC`,
      [...params, Number(first.id), end],
    )
    posts.push(...(await comparedPosts(db, rows, search)))
    if (posts.length >= wanted) return { posts: posts.slice(0, wanted), goOnBefore: null }
    end = Number(first.id)
    if (time.isOver(before - end)) return { posts, goOnBefore: end }
  }
  return { posts, goOnBefore: null }
}

/** Those of these posts that match, by what would be indexed of them. */
export async function comparedPosts(db: Db, rows: readonly Row[], search: SearchQuery): Promise<Post[]> {
  const texts = await indexedTexts(db, rows)
  return rows.map(readPost).filter((post, n) => matchesSearch({ title: post.title, body: texts[n] ?? '' }, search))
}
