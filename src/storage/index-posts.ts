// Fills the full-text index behind the polls, where the engine does not do that by itself: indexing a post costs three
// to six times what storing it costs. Nothing is indexed until somebody searches; from then on clean-up keeps the
// index close, and a search does what is left.
import type { Database, Db } from './db.ts'

const POSTS_AT_ONCE = 20
const PAGES_MERGED = 64

/** Indexes up to `most` posts; returns how many. */
export async function indexPosts(db: Database, most: number): Promise<number> {
  if (!db.dialect.search.isFilledBehind) return 0
  let indexed = 0
  while (indexed < most) {
    const some = await db.transaction(indexSome)
    if (some === 0) break
    indexed += some
  }
  return indexed
}

export async function hasSearched(db: Db): Promise<boolean> {
  if (!db.dialect.search.isFilledBehind) return false
  return Number((await db.get(`SELECT value FROM counters WHERE name = 'searchable'`))?.value) > 0
}

async function indexSome(tx: Db): Promise<number> {
  const rows = await tx.all(
    `SELECT id, title || ' ' || substr(body, 1, 20000) AS text FROM posts
     WHERE id > (SELECT value FROM counters WHERE name = 'searchable') ORDER BY id LIMIT ?`,
    [POSTS_AT_ONCE],
  )
  const last = rows.at(-1)
  if (!last) return 0
  for (const row of rows) {
    await tx.run('INSERT INTO posts_text (rowid, text) VALUES (?, ?)', [Number(row.id), row.text as string])
  }
  await tx.run(`INSERT INTO posts_text (posts_text, rank) VALUES ('merge', ?)`, [PAGES_MERGED])
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [Number(last.id)])
  return rows.length
}
