// Fills the full-text index beside the polls, because indexing a post costs more than storing it. New posts come first,
// in the order in which they were stored. Posts that were stored before this index existed follow, the newest of them
// first. Everything from the counter 'search-backlog' (exclusive) to the counter 'searchable' is indexed.
// See docs/decisions/0141-search-index-filled-in-the-background.md
import type { Database, Db, Row } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { settledId } from '../database/next-ids.ts'
import { postContents } from './post-contents.ts'

/** FTS5 writes many posts at once for half of what it takes to write them one by one. With more it is slower again. */
export const NEW_AT_ONCE = 100
/** A search compares so many new posts itself. Only if there are more, it indexes some of them first, for so long. */
const COMPARED_AT_MOST = 500
const BEFORE_SEARCH_MS = 100
/** Fewer: nobody waits for them, and polls should not either. */
const BACKLOG_AT_ONCE = 20
const TEXT_CHARACTERS = 20_000

/**
 * Indexes some posts. Returns how many; 0 when all are indexed, or when another process is indexing. New posts may wait
 * until there are `atLeast` so many: a search indexes them itself.
 */
export async function indexPosts(db: Database, atLeast = 1): Promise<number> {
  if (await hasNewPosts(db, atLeast))
    return db.transaction((tx) => indexNew(tx, tx.dialect.forUpdateSkipLocked('counters')))
  return (await indexedRange(db)).from > 0 ? db.transaction(indexBacklog) : 0
}

/** What is indexed. A process that does not index in the background, or is behind with it, indexes some before. */
export async function indexBeforeSearch(db: Database): Promise<IndexedRange> {
  const range = await indexedRange(db)
  // Ids may have holes, so there may be fewer.
  if (range.last - range.to < COMPARED_AT_MOST) return range
  await indexNewPosts(db, { atLeast: COMPARED_AT_MOST, budgetMs: BEFORE_SEARCH_MS })
  return indexedRange(db)
}

/** Indexes new posts while there are so many, for a while: the rest follows by itself. */
export async function indexNewPosts(
  db: Database,
  { atLeast, budgetMs }: { readonly atLeast: number; readonly budgetMs: number },
): Promise<void> {
  const giveUpAt = performance.now() + budgetMs
  while (performance.now() < giveUpAt && (await hasNewPosts(db, atLeast))) {
    if ((await db.transaction((tx) => indexNew(tx, tx.dialect.forUpdate('counters')))) === 0) return
  }
}

/** Posts after `from`, up to and including `to`, are indexed. `last` is the newest post of all. */
export interface IndexedRange {
  readonly from: number
  readonly to: number
  readonly last: number
}

export async function indexedRange(db: Db): Promise<IndexedRange> {
  const counters = await db.all('SELECT name, value FROM counters')
  const value = (name: string) => Number(counters.find((row) => row.name === name)?.value ?? 0)
  return { from: value('search-backlog'), to: value('searchable'), last: await settledId(db, 'posts') }
}

/** How many posts at most a search cannot find yet: ids may have holes. New posts are found without the index. */
export async function unindexedPosts(db: Db): Promise<number> {
  return (await indexedRange(db)).from
}

/** Checks without a lock: for most searches everything is indexed, and they need not wait for a writer. */
async function hasNewPosts(db: Db, atLeast = 1): Promise<boolean> {
  const waiting = `SELECT id FROM posts WHERE id > (SELECT value FROM counters WHERE name = 'searchable') AND id <= ?
    ORDER BY id LIMIT 1 OFFSET ?`
  return (await db.get(waiting, [await settledId(db, 'posts'), atLeast - 1])) !== undefined
}

async function indexNew(tx: Db, lock: string): Promise<number> {
  const counter = await tx.get(`SELECT value FROM counters WHERE name = 'searchable' ${lock}`)
  if (!counter) return 0
  const ids = [Number(counter.value), await settledId(tx, 'posts')]
  const posts = await readPosts(tx, 'id > ? AND id <= ? ORDER BY id LIMIT ?', [...ids, NEW_AT_ONCE])
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
  const posts = await readPosts(tx, 'id <= ? ORDER BY id DESC LIMIT ?', [Number(counter.value), BACKLOG_AT_ONCE])
  await writeWords(tx, posts)
  const rest = posts.length < BACKLOG_AT_ONCE ? 0 : Number(posts[0]?.id) - 1
  await tx.run(`UPDATE counters SET value = ? WHERE name = 'search-backlog'`, [rest])
  return posts.length
}

/**
 * The full text of a post has arrived. What is not indexed yet gets it with the rest. The caller has locked the row of the
 * post, so nobody indexes it between this look at the counters and the end of the transaction.
 */
export async function indexAgain(tx: Db, postId: number): Promise<void> {
  const { from, to } = await indexedRange(tx)
  if (postId <= from || postId > to) return
  await tx.run(`DELETE FROM posts_text WHERE ${tx.dialect.search.columns[0]} = ?`, [postId])
  await writeWords(tx, await readPosts(tx, 'id = ? LIMIT ?', [postId, 1]))
}

/** Most are short: to count their characters takes PostgreSQL longer than to read them. */
const TEXT = `CASE WHEN octet_length(body) <= ${TEXT_CHARACTERS} THEN body ELSE substr(body, 1, ${TEXT_CHARACTERS}) END`

/** In the order of ids. The lock prevents that a post is deleted, or gets its full text, before its words are indexed. */
function readPosts(tx: Db, which: string, params: readonly number[]): Promise<Row[]> {
  return tx.all(
    `SELECT id, title, ${TEXT} AS body, source_id, full_text_state FROM posts
     WHERE id IN (SELECT id FROM posts WHERE ${which}) ORDER BY id ${tx.dialect.forNoKeyUpdate('posts')}`,
    params,
  )
}

/** The text of each post, as far as it is indexed. */
export async function indexedTexts(db: Db, posts: readonly Row[]): Promise<string[]> {
  const fetched = posts.filter((post) => post.full_text_state === 'fetched').map((post) => String(post.id))
  const contents = await postContents(db, fetched, { html: false })
  return posts.map((post) => {
    const body = (post.body as string).slice(0, TEXT_CHARACTERS)
    const page = contents.get(String(post.id))?.fullText?.slice(0, TEXT_CHARACTERS)
    return page ? `${body} ${page}` : body
  })
}

async function writeWords(tx: Db, posts: readonly Row[]): Promise<void> {
  const { search } = tx.dialect
  const texts = await indexedTexts(tx, posts)
  const rows = posts.map((post, n) => {
    const [postId, title, sourceId] = [Number(post.id), post.title as string, post.source_id as string]
    return [postId, ...search.document({ postId, title, text: texts[n] ?? '', sourceId })]
  })
  const { columns, documentsPerInsert: rowsPerInsert } = search
  await insertRows(tx, { table: 'posts_text', columns, rows, rowsPerInsert })
  const bytes = rows
    .flat()
    .reduce<number>((sum, one) => sum + (typeof one === 'string' ? Buffer.byteLength(one) : 0), 0)
  for (const merge of search.merges(bytes)) await tx.run(merge)
}
