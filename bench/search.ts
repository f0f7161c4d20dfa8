// Measures searches in a store with many posts, on SQLite or PostgreSQL, and how fast posts are indexed. In each of ROUNDS
// every search is made ASKED times.
//
//   node bench/search.ts sqlite 2000000
//   node bench/search.ts postgres 2000000 --json
//   STORE=postgres://... node bench/search.ts postgres 2000000     keeps the store, and asks it again the next time

import { loadavg } from 'node:os'
import type { PostQuery } from '../src/ports/consumer-store.ts'
import type { Store } from '../src/ports/store.ts'
import type { Database } from '../src/storage/database/db.ts'
import { TEST_START } from '../test/support/manual-clock.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { tempStore } from '../test/support/temp-store.ts'
import { type Cost, costOf, postgresProcess } from './cpu-time.ts'
import { digits, type Figure, figureOf, printFigure, printJson, say, words } from './figures.ts'
import { fillSearchStore } from './search/fill.ts'
import { quantileOf } from './spread.ts'

const engine = words[0] ?? 'sqlite'
const posts = Number(words[1] ?? 2_000_000)
const kept = process.env.STORE
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const ASKED = Number(process.env.ASKED ?? 5)
const NOT_INDEXED = 5000

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

interface Searched {
  readonly name: string
  readonly query: Partial<PostQuery>
  /** Of each round. */
  readonly costs: Cost[][]
  told: string
}

async function search(store: Store, { query }: Searched): Promise<{ readonly cost: Cost; readonly told: string }> {
  let told = ''
  const cost = await costOf(async () => {
    const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, ...query })
    told = `${page.items.length} found${page.nextCursor ? ', goes on' : ''}`
  }, serverPid)
  return { cost, told }
}

async function searchAll(store: Store, all: readonly Searched[]): Promise<void> {
  for (const one of all) {
    const costs: Cost[] = []
    for (let n = 0; n < ASKED; n++) {
      const { cost, told } = await search(store, one)
      costs.push(cost)
      one.told = told
    }
    one.costs.push(costs)
  }
}

/** What each search takes, and the slowest of a hundred of all searches. */
function figuresOf(all: readonly Searched[]): readonly Figure[] {
  const each = all.flatMap(({ name, costs, told }) => {
    const [cpu, wall] = (['cpuMs', 'wallMs'] as const).map((what) => costs.flat().map((cost) => cost[what]))
    const figures = [figureOf(`${name}, CPU`, 'ms', cpu ?? []), figureOf(`${name}, wall`, 'ms', wall ?? [])]
    const texts = figures.map(
      ({ median, most }) => `${digits(median, 'ms').padStart(6)}, at most ${digits(most, 'ms').padStart(6)}`,
    )
    say(`${name.padEnd(34)} ${texts[0]} ms CPU   ${texts[1]} ms   ${told}`)
    return figures
  })
  const ofRounds = (what: keyof Cost, share: number) =>
    Array.from({ length: ROUNDS }, (_, round) => {
      const costs = all.flatMap((one) => one.costs[round] ?? [])
      return quantileOf(
        costs.map((cost) => cost[what]),
        share,
      )
    })
  const together = [
    figureOf('all searches, median, CPU', 'ms', ofRounds('cpuMs', 0.5)),
    figureOf('all searches, p99, CPU', 'ms', ofRounds('cpuMs', 0.99)),
    figureOf('all searches, p99, wall', 'ms', ofRounds('wallMs', 0.99)),
  ]
  for (const figure of together) printFigure(figure)
  return [...each, ...together]
}

async function measureIndexing({ store, db }: { store: Store; db: Database }): Promise<readonly Figure[]> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const indexed = posts - NOT_INDEXED
    await db.run(`UPDATE counters SET value = ? WHERE name = 'searchable'`, [indexed])
    await db.run(`DELETE FROM posts_text WHERE ${engine === 'sqlite' ? 'rowid' : 'post_id'} > ?`, [indexed])
    costs.push(
      await costOf(async () => {
        while ((await store.indexPosts()) > 0);
      }, serverPid),
    )
  }
  const each = (what: keyof Cost) => costs.map((cost) => (cost[what] * 1000) / NOT_INDEXED)
  const figures = [
    figureOf('indexing a post, CPU', 'µs', each('cpuMs')),
    figureOf('indexing a post, wall', 'µs', each('wallMs')),
  ]
  for (const figure of figures) printFigure(figure)
  return figures
}

await using temp = engine === 'sqlite' && !kept ? await tempStore({ now: TEST_START }) : null
const server = engine === 'postgres' && !kept ? await startPostgres() : null
const url = kept ?? server?.url ?? temp?.url ?? ''
const serverPid = engine === 'postgres' ? await postgresProcess(url) : null
const { store, db } = temp ?? (await openStoreAndDatabase(url, { now: TEST_START }))
try {
  const startedAt = performance.now()
  await fillSearchStore({ store, db }, url, posts)
  const fillSeconds = Math.round((performance.now() - startedAt) / 1000)
  say(`${posts} posts on ${engine}, filled in ${fillSeconds} s`)
  const load = () => loadavg().map(Math.round).join(' ')
  const all = Object.entries(SEARCHES).map(([name, query]): Searched => ({ name, query, costs: [], told: '' }))
  const loadBefore = load()
  for (let round = 0; round < ROUNDS; round++) await searchAll(store, all)
  say(`load ${loadBefore}, then ${load()}; median CPU (that of PostgreSQL included) and wall time`)
  const searches = figuresOf(all)
  const indexing = await measureIndexing({ store, db })
  const names = all.map(({ name }) => name)
  printJson({ engine, posts, rounds: ROUNDS, asked: ASKED, fillSeconds, searches: names }, [...searches, ...indexing])
} finally {
  if (!temp) await store.close()
  await server?.stop()
}
