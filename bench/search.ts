// Measures searches in a store with many posts, on SQLite or PostgreSQL, and how fast posts are indexed.
//
//   node bench/search.ts sqlite 2000000
//   node bench/search.ts postgres 2000000

import { loadavg } from 'node:os'
import pg from 'pg'
import { searchWords } from '../src/domain/search-words.ts'
import type { PostQuery } from '../src/ports/consumer-store.ts'
import type { Store } from '../src/ports/store.ts'
import type { Database } from '../src/storage/database/db.ts'
import { insertRows } from '../src/storage/database/insert-rows.ts'
import { TEST_START } from '../test/support/manual-clock.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { putSource } from '../test/support/posts.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { tempStore } from '../test/support/temp-store.ts'

const engine = process.argv[2] ?? 'sqlite'
const posts = Number(process.argv[3] ?? 2_000_000)
const SOURCES = 1000
const VOCABULARY = 100_000
const WORDS_PER_POST = 40
const AT_ONCE = 2000
const NOT_INDEXED = 20_000

// Always the same posts.
let seed = 1
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

/** Words are as frequent as in a language: the second half as often as the first, and so on. */
function words(count: number): string {
  return Array.from({ length: count }, () => `w${Math.floor(VOCABULARY ** random()).toString(36)}`).join(' ')
}

const FIRST_COLUMNS = ['id', 'podcast_id', 'source_id', 'title', 'body', 'url']
const COLUMNS = [...FIRST_COLUMNS, 'published_at', 'categories', 'content_hash', 'created_at']

async function fill(db: Database): Promise<void> {
  const { search, engine } = db.dialect
  if (engine === 'postgres') await db.run('DROP INDEX posts_by_word')
  for (let first = 1; first <= posts; first += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, posts - first + 1) }, (_, n) => {
      const id = first + n
      return {
        id,
        title: `${words(6)} ${id % 100_000 === 7 ? '大地震' : ''}`,
        body: words(WORDS_PER_POST),
        sourceId: `s${id % SOURCES}`,
      }
    })
    await db.transaction(async (tx) => {
      const rows = made.map(({ id, title, body, sourceId }) => [
        ...[id, 'default', sourceId, title, body, `https://e.example/${id}`],
        ...[TEST_START, '[]', String(id), TEST_START + id],
      ])
      await insertRows(tx, { table: 'posts', columns: COLUMNS, rows })
      const indexed = made.map(({ id, title, body, sourceId }) => [
        id,
        ...search.document({ postId: id, title: searchWords(title), text: searchWords(body), sourceId }),
      ])
      await insertRows(tx, { table: 'posts_text', columns: search.columns, rows: indexed })
      for (const merge of search.merges(made.length * (WORDS_PER_POST + 6))) await tx.run(merge)
    })
  }
  if (server) await buildIndex(server.url)
  await db.run(`UPDATE counters SET value = ? WHERE name IN ('posts', 'searchable')`, [posts])
  if (db.dialect.engine === 'postgres') await db.get(`SELECT setval('posts_ids', ?)`, [posts])
}

/** Takes longer than the store lets any statement take. */
async function buildIndex(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE INDEX posts_by_word ON posts_text USING gin (words)')
  await client.query('ANALYZE')
  await client.end()
}

async function measure(store: Store, name: string, query: Partial<PostQuery>): Promise<void> {
  const cpuMs: number[] = []
  const ms: number[] = []
  let told = ''
  for (let n = 0; n < 3; n++) {
    const [cpu, at] = [process.cpuUsage(), performance.now()]
    const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, ...query })
    ms.push(performance.now() - at)
    const { user, system } = process.cpuUsage(cpu)
    cpuMs.push((user + system) / 1000)
    told = `${page.items.length} found${page.nextCursor ? ', goes on' : ''}`
  }
  const columns = (all: number[]) => all.map((each) => String(Math.round(each)).padStart(5)).join('')
  console.log(`${name.padEnd(34)} ${columns(cpuMs)} ms CPU ${columns(ms)} ms  ${told}`)
}

await using temp = engine === 'sqlite' ? await tempStore({ now: TEST_START }) : null
const server = engine === 'postgres' ? await startPostgres() : null
const opened = temp ?? (await openStoreAndDatabase(server?.url ?? '', { now: TEST_START }))
const { store, db } = opened
try {
  for (let n = 0; n < SOURCES; n++) await putSource(store, { id: `s${n}` })
  const startedAt = performance.now()
  await fill(db)
  console.log(`${posts} posts on ${engine}, filled in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const common = 'w1'
  const rare = `w${(60_000).toString(36)}`
  const searches: Record<string, Partial<PostQuery>> = {
    'a common word': { q: common },
    'a rare word': { q: rare },
    'a word that nobody wrote': { q: 'nowhere' },
    'two common words': { q: `${common} w2` },
    'a common and a rare word': { q: `${common} ${rare}` },
    'nine common words': { q: 'w9 w8 w7 w6 wa wb wc wd we' },
    'two rare words': { q: `${rare} w${(60_001).toString(36)}` },
    'a phrase of common words': { q: `"${common} w2 w3"` },
    'a phrase that is rare': { q: '"w1 w1 w1 w1 w1"' },
    'a phrase that nobody wrote': { q: '"w1 w2 w3 w4 w5 w6"' },
    'a common word without itself': { q: `${common} -${common}` },
    'a common word without another': { q: `${common} -w2` },
    'a word of the title': { q: `title:${rare}` },
    'a common word of the title': { q: `title:${common}` },
    Japanese: { q: '地震' },
    'one Japanese character': { q: '震' },
    'a common word in one source': { q: common, sourceId: 's17' },
    'a rare word in one source': { q: rare, sourceId: 's17' },
    'a common word of the last posts': { q: 'w5 w6 w7', since: TEST_START + posts - 1000 },
    'a common word by relevance': { q: common, sort: 'relevance' },
    'a rare word by relevance': { q: rare, sort: 'relevance' },
    'two medium words': { q: 'wrs wrt' },
  }
  console.log(`load ${loadavg().map(Math.round).join(' ')}; CPU of this process and wall time, three times each`)
  for (const [name, query] of Object.entries(searches)) await measure(store, name, query)
  console.log(`load ${loadavg().map(Math.round).join(' ')}`)
  await db.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [posts - NOT_INDEXED])
  await db.run(`DELETE FROM posts_text WHERE ${engine === 'sqlite' ? 'rowid' : 'post_id'} > ?`, [posts - NOT_INDEXED])
  const [cpu, at] = [process.cpuUsage(), performance.now()]
  while ((await store.indexPosts()) > 0);
  const { user, system } = process.cpuUsage(cpu)
  const each = (us: number) => `${Math.round(us / NOT_INDEXED)} µs`
  console.log(`indexing a post: ${each(user + system)} CPU, ${each((performance.now() - at) * 1000)} in all`)
} finally {
  if (!temp) await store.close()
  await server?.stop()
}
