// Fills the full-text index behind the polls: indexing a post costs three to six times what storing it costs. Nothing is
// indexed until somebody searches; from then on clean-up keeps the index close, and a search does what is left.
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { wordsOf } from './search-words.ts'

const POSTS_AT_ONCE = 20

/** Indexes up to `most` posts; returns how many. */
export async function indexPosts(db: Database, most: number): Promise<number> {
  let indexed = 0
  while (indexed < most && (await isBehind(db))) {
    const some = await db.transaction(indexSome)
    if (some === 0) break
    indexed += some
  }
  return indexed
}

export async function hasSearched(db: Db): Promise<boolean> {
  return Number((await db.get(`SELECT value FROM counters WHERE name = 'searchable'`))?.value) > 0
}

/** Looked at without a lock: most searches find everything indexed, and need not wait for a writer to know. */
async function isBehind(db: Db): Promise<boolean> {
  const next = `SELECT id FROM posts WHERE id > (SELECT value FROM counters WHERE name = 'searchable') LIMIT 1`
  return (await db.get(next)) !== undefined
}

async function indexSome(tx: Db): Promise<number> {
  const { search, forUpdate, forUpdateKeepingKeys } = tx.dialect
  const counter = await tx.get(`SELECT value FROM counters WHERE name = 'searchable' ${forUpdate('counters')}`)
  // Kept from being deleted until their words are in.
  const posts = await tx.all(
    `SELECT id, title || ' ' || substr(body, 1, 20000) AS text FROM posts
     WHERE id > ? ORDER BY id LIMIT ? ${forUpdateKeepingKeys('posts')}`,
    [Number(counter?.value), POSTS_AT_ONCE],
  )
  const last = posts.at(-1)
  if (!last) return 0
  const rows = posts.map((post) => [Number(post.id), search.document(wordsOf(post.text as string))])
  await insertRows(tx, { table: 'posts_text', columns: search.columns, rows })
  if (search.merge) await tx.run(search.merge)
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [Number(last.id)])
  return posts.length
}
