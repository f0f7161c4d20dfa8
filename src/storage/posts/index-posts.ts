// Fills the full-text index after posts are stored, because indexing a post costs three to six times what storing it
// costs. Nothing is indexed until the first search. From then on clean-up indexes new posts, and a search indexes what is
// left before it looks.
// See docs/decisions/0013-search-index-filled-after-polls.md
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { searchWords } from './search-words.ts'

const POSTS_AT_ONCE = 20

/** Indexes up to `limit` posts. Returns how many it indexed. */
export async function indexPosts(db: Database, limit: number): Promise<number> {
  let indexed = 0
  while (indexed < limit && (await isBehind(db))) {
    const some = await db.transaction(indexSome)
    if (some === 0) break
    indexed += some
  }
  return indexed
}

export async function hasSearched(db: Db): Promise<boolean> {
  return Number((await db.get(`SELECT value FROM counters WHERE name = 'searchable'`))?.value) > 0
}

/** Checks without a lock: for most searches everything is indexed, and they need not wait for a writer. */
async function isBehind(db: Db): Promise<boolean> {
  const next = `SELECT id FROM posts WHERE id > (SELECT value FROM counters WHERE name = 'searchable') LIMIT 1`
  return (await db.get(next)) !== undefined
}

async function indexSome(tx: Db): Promise<number> {
  const { search, forUpdate, forNoKeyUpdate } = tx.dialect
  const counter = await tx.get(`SELECT value FROM counters WHERE name = 'searchable' ${forUpdate('counters')}`)
  // The lock prevents that a post is deleted before its words are indexed.
  const posts = await tx.all(
    `SELECT id, title || ' ' || substr(body, 1, 20000) AS text FROM posts
     WHERE id > ? ORDER BY id LIMIT ? ${forNoKeyUpdate('posts')}`,
    [Number(counter?.value), POSTS_AT_ONCE],
  )
  const last = posts.at(-1)
  if (!last) return 0
  const rows = posts.map((post) => [Number(post.id), search.document(searchWords(post.text as string))])
  await insertRows(tx, { table: 'posts_text', columns: search.columns, rows })
  if (search.merge) await tx.run(search.merge)
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [Number(last.id)])
  return posts.length
}
