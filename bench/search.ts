// Measures searches in a store with many posts, on SQLite or PostgreSQL, and how fast posts are indexed.
//
//   node bench/search.ts sqlite 2000000
//   node bench/search.ts postgres 2000000
//   STORE=postgres://... node bench/search.ts postgres 2000000     keeps the store, and asks it again the next time

import { loadavg } from 'node:os'
import type { PostQuery } from '../src/ports/consumer-store.ts'
import type { Store } from '../src/ports/store.ts'
import { TEST_START } from '../test/support/manual-clock.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { tempStore } from '../test/support/temp-store.ts'
import { costOf, postgresProcess } from './cpu-time.ts'
import { fillSearchStore } from './search/fill.ts'

const engine = process.argv[2] ?? 'sqlite'
const posts = Number(process.argv[3] ?? 2_000_000)
const kept = process.env.STORE
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const NOT_INDEXED = 20_000

const common = 'w1'
const rare = `w${(60_000).toString(36)}`
const SEARCHES: Record<string, Partial<PostQuery>> = {
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

async function measure(store: Store, name: string, query: Partial<PostQuery>): Promise<number[]> {
  const cpuMs: number[] = []
  const ms: number[] = []
  let told = ''
  for (let n = 0; n < ROUNDS; n++) {
    const cost = await costOf(async () => {
      const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, ...query })
      told = `${page.items.length} found${page.nextCursor ? ', goes on' : ''}`
    }, serverPid)
    ms.push(cost.wallMs)
    cpuMs.push(cost.cpuMs)
  }
  const columns = (all: number[]) =>
    all
      .slice(0, 5)
      .map((each) => String(Math.round(each)).padStart(5))
      .join('')
  const most = ROUNDS > 5 ? ` at most ${Math.round(Math.max(...ms))} ms` : ''
  console.log(`${name.padEnd(34)} ${columns(cpuMs)} ms CPU ${columns(ms)} ms${most}  ${told}`)
  return ms
}

await using temp = engine === 'sqlite' && !kept ? await tempStore({ now: TEST_START }) : null
const server = engine === 'postgres' && !kept ? await startPostgres() : null
const url = kept ?? server?.url ?? temp?.url ?? ''
const serverPid = engine === 'postgres' ? await postgresProcess(url) : null
const { store, db } = temp ?? (await openStoreAndDatabase(url, { now: TEST_START }))
try {
  const startedAt = performance.now()
  await fillSearchStore({ store, db }, url, posts)
  console.log(`${posts} posts on ${engine}, filled in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const load = () => loadavg().map(Math.round).join(' ')
  console.log(`load ${load()}; CPU (that of PostgreSQL included) and wall time, first five of ${ROUNDS}`)
  const all: number[] = []
  for (const [name, query] of Object.entries(SEARCHES)) all.push(...(await measure(store, name, query)))
  all.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(all[Math.ceil(all.length * share) - 1] ?? 0)
  console.log(`load ${load()}; of all: median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms`)
  await db.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [posts - NOT_INDEXED])
  await db.run(`DELETE FROM posts_text WHERE ${engine === 'sqlite' ? 'rowid' : 'post_id'} > ?`, [posts - NOT_INDEXED])
  const { cpuMs, wallMs } = await costOf(async () => {
    while ((await store.indexPosts()) > 0);
  }, serverPid)
  const each = (ms: number) => `${Math.round((ms * 1000) / NOT_INDEXED)} µs`
  console.log(`indexing a post: ${each(cpuMs)} CPU, ${each(wallMs)} in all`)
} finally {
  if (!temp) await store.close()
  await server?.stop()
}
