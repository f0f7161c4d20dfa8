// Fills the full-text index beside the polls, because indexing a post costs more than storing it. New posts come first,
// in the order in which they were stored. Posts that were stored before this index existed follow, the newest of them
// first. Everything from the counter 'search-backlog' (exclusive) to the counter 'searchable' is indexed.
// See docs/decisions/0141-search-index-filled-in-the-background.md
import { searchWords } from '../../domain/search-words.ts'
import type { Database, Db, Row } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'

const POSTS_AT_ONCE = 20
const TEXT_CHARACTERS = 20_000
/** PostgreSQL knows no positions beyond 16383. */
const WORDS_PER_POST = 16_000

/** Indexes some posts. Returns how many; 0 when all are indexed, or when another process is indexing. */
export async function indexPosts(db: Database): Promise<number> {
  if (await hasNewPosts(db)) return db.transaction((tx) => indexNew(tx, tx.dialect.forUpdateSkipLocked('counters')))
  return (await indexedRange(db)).from > 0 ? db.transaction(indexBacklog) : 0
}

/** Indexes new posts, so that a search finds what was just stored. Gives up after a while: the rest follows by itself. */
export async function indexNewPosts(db: Database, budgetMs: number): Promise<void> {
  const giveUpAt = performance.now() + budgetMs
  while (performance.now() < giveUpAt && (await hasNewPosts(db))) {
    if ((await db.transaction((tx) => indexNew(tx, tx.dialect.forUpdate('counters')))) === 0) return
  }
}

/** Posts after `from`, up to and including `to`, are indexed. `last` is the newest post of all. */
export async function indexedRange(db: Db): Promise<{ from: number; to: number; last: number }> {
  const counters = await db.all('SELECT name, value FROM counters')
  const value = (name: string) => Number(counters.find((row) => row.name === name)?.value ?? 0)
  return { from: value('search-backlog'), to: value('searchable'), last: value('posts') }
}

/** How many posts at most are not in the index yet. */
export async function unindexedPosts(db: Db): Promise<number> {
  const { from, to, last } = await indexedRange(db)
  return last - to + from
}

/** Checks without a lock: for most searches everything is indexed, and they need not wait for a writer. */
async function hasNewPosts(db: Db): Promise<boolean> {
  const next = `SELECT id FROM posts WHERE id > (SELECT value FROM counters WHERE name = 'searchable') LIMIT 1`
  return (await db.get(next)) !== undefined
}

async function indexNew(tx: Db, lock: string): Promise<number> {
  const counter = await tx.get(`SELECT value FROM counters WHERE name = 'searchable' ${lock}`)
  if (!counter) return 0
  const posts = await readPosts(tx, 'id > ? ORDER BY id', Number(counter.value))
  const last = posts.at(-1)
  if (!last) return 0
  await writeWords(tx, posts)
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [Number(last.id)])
  return posts.length
}

async function indexBacklog(tx: Db): Promise<number> {
  const lock = tx.dialect.forUpdateSkipLocked('counters')
  const counter = await tx.get(`SELECT value FROM counters WHERE name = 'search-backlog' ${lock}`)
  if (!counter) return 0
  const posts = await readPosts(tx, 'id <= ? ORDER BY id DESC', Number(counter.value))
  await writeWords(tx, posts)
  const rest = posts.length < POSTS_AT_ONCE ? 0 : Number(posts.at(-1)?.id) - 1
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'search-backlog'`, [rest])
  return posts.length
}

/** The lock prevents that a post is deleted before its words are indexed. */
function readPosts(tx: Db, which: string, id: number): Promise<Row[]> {
  return tx.all(
    `SELECT id, title, substr(body, 1, ${TEXT_CHARACTERS}) AS text, source_id FROM posts
     WHERE ${which} LIMIT ? ${tx.dialect.forNoKeyUpdate('posts')}`,
    [id, POSTS_AT_ONCE],
  )
}

async function writeWords(tx: Db, posts: readonly Row[]): Promise<void> {
  const { search } = tx.dialect
  const rows = posts.map((post) => {
    const title = searchWords(post.title as string).slice(0, WORDS_PER_POST / 2)
    const text = searchWords(post.text as string).slice(0, WORDS_PER_POST - title.length)
    return [Number(post.id), ...search.document({ title, text, sourceId: post.source_id as string })]
  })
  await insertRows(tx, { table: 'posts_text', columns: search.columns, rows })
  if (search.merge) await tx.run(search.merge)
}
