// Fills a store with posts whose words are as frequent as in a language. Always the same posts. What a store that was kept
// has already is not filled again, so the search index alone can be made anew.
import pg from 'pg'
import type { Store } from '../../src/ports/store.ts'
import type { Database, Db, Param } from '../../src/storage/database/db.ts'
import { insertRows } from '../../src/storage/database/insert-rows.ts'
import { TEST_START } from '../../test/support/manual-clock.ts'
import { putSource } from '../../test/support/posts.ts'

const SOURCES = 1000
const VOCABULARY = 100_000
const WORDS_PER_POST = 40
const AT_ONCE = 2000

const FIRST_COLUMNS = ['id', 'podcast_id', 'source_id', 'title', 'body', 'url']
const COLUMNS = [...FIRST_COLUMNS, 'published_at', 'categories', 'content_hash', 'created_at']

interface MadePost {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly sourceId: string
}

/** `url`: where the store is. */
export async function fillSearchStore({ store, db }: { store: Store; db: Database }, url: string, posts: number) {
  const hasPosts = await db.get('SELECT id FROM posts LIMIT 1')
  const hasWords = await db.get(`SELECT ${db.dialect.search.columns[0]} FROM posts_text LIMIT 1`)
  if (hasPosts && hasWords) return
  if (!hasPosts) for (let n = 0; n < SOURCES; n++) await putSource(store, { id: `s${n}` })
  if (db.dialect.engine === 'postgres') await db.run('DROP INDEX posts_by_word')
  const random = randomNumbers()
  for (let first = 1; first <= posts; first += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, posts - first + 1) }, (_, n) => makePost(first + n, random))
    await db.transaction(async (tx) => {
      if (!hasPosts) await insertRows(tx, { table: 'posts', columns: COLUMNS, rows: made.map(rowOf) })
      await indexPosts(tx, made)
    })
  }
  if (db.dialect.engine === 'postgres') await buildIndex(url)
  await db.run(`UPDATE counters SET value = ? WHERE name IN ('posts', 'searchable')`, [posts])
  await db.run(`UPDATE counters SET value = 0 WHERE name = 'search-backlog'`)
  if (db.dialect.engine === 'postgres') await db.get(`SELECT setval('posts_ids', ?)`, [posts])
}

function randomNumbers(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}

function makePost(id: number, random: () => number): MadePost {
  const words = (count: number) =>
    Array.from({ length: count }, () => `w${Math.floor(VOCABULARY ** random()).toString(36)}`).join(' ')
  const title = `${words(6)} ${id % 100_000 === 7 ? '大地震' : ''}`
  return { id, title, body: words(WORDS_PER_POST), sourceId: `s${id % SOURCES}` }
}

function rowOf({ id, title, body, sourceId }: MadePost): Param[] {
  const first = [id, 'default', sourceId, title, body, `https://e.example/${id}`]
  return [...first, TEST_START, '[]', String(id), TEST_START + id]
}

async function indexPosts(tx: Db, made: readonly MadePost[]): Promise<void> {
  const { search } = tx.dialect
  const rows = made.map(({ id, title, body, sourceId }) => [
    id,
    ...search.document({ postId: id, title, text: body, sourceId }),
  ])
  await insertRows(tx, { table: 'posts_text', columns: search.columns, rows })
  for (const merge of search.merges(rows.length * (WORDS_PER_POST + 6) * 6)) await tx.run(merge)
}

/** Takes longer than the store lets any statement take. */
async function buildIndex(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE INDEX posts_by_word ON posts_text USING gin (words) WITH (gin_pending_list_limit = 512)')
  await client.query('ANALYZE')
  await client.end()
}
