// Measures PostgreSQL while polls bring new posts. First: how long people wait for a list of posts from a `serve` that
// polls at the same time. Then: how many polls with a new post 1, 10 and 100 clients side by side commit in a second, which
// must not become fewer because they wait for each other, and how long they do. At the end: what a row takes, with its indexes.
// Settings: HOSTS, SECONDS and CLIENTS (such as 10,100); LISTS=0 leaves out the first part.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createProbe } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { DAY_MS } from '../src/domain/schedule.ts'
import { openStore } from '../src/storage/open-store.ts'
import { aCandidate, anEvent, aRecord, aSource, poll } from '../test/store-contract/fixtures.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { watchLockWaits } from './workers/lock-waits.ts'
import { WorkerProcesses } from './workers/processes.ts'

const HOSTS = Number(process.env.HOSTS ?? 200)
const SECONDS = Number(process.env.SECONDS ?? 10)
const CLIENTS = (process.env.CLIENTS ?? '1,10,100').split(',').map(Number)
const ASK_EVERY_MS = 50
/** Words that a search has to index, about as long as an entry of a feed. */
const BODY = Array.from({ length: 200 }, (_, n) => `word${(n * 7919) % 3000}`).join(' ')

const STARTED_AT = Date.now()

const postgres = await startPostgres(['-c', 'max_connections=300'])
const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const db = new pg.Client(postgres.url)
let entries = 0
const origin = createServer((_, response) => {
  const n = ++entries
  // Each is newer than all before it, and none lies ahead.
  const at = new Date(STARTED_AT - DAY_MS + n * 1000).toUTCString()
  const item = `<item><title>Entry ${n}</title><guid>${n}</guid><pubDate>${at}</pubDate><description>${BODY} ${n}</description></item>`
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(`<rss version="2.0"><channel><title>F</title>${item}</channel></rss>`)
})
try {
  await new Promise<void>((resolve) => origin.listen(0, '0.0.0.0', resolve))
  await db.connect()
  await addSources()
  if (process.env.LISTS !== '0') await measureLists()
  console.log(`\nclients   polls with a new post/s   ms a poll waited for locks of others`)
  for (const clients of CLIENTS) await measureCommits(clients)
  await printRowSizes()
} finally {
  await db.end()
  await postgres.stop()
  origin.close()
  origin.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
}
process.exit(process.exitCode ?? 0)

async function addSources(): Promise<void> {
  const address = origin.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using app = await createApp({ config: configFrom({ database: { url: postgres.url } }) })
  for (let n = 0; n < HOSTS; n++) {
    const url = `http://127.2.${Math.floor(n / 250)}.${(n % 250) + 1}:${port}/feed`
    await app.catalogue.sources.create('default', {
      type: 'rss',
      url,
      pollIntervalMinutes: 30,
      backfillDays: 7,
      validate: false,
    })
  }
}

async function measureLists(): Promise<void> {
  const port = await freePort()
  const configFile = join(folder, 'tidings.yaml')
  await writeFile(
    configFile,
    `app:
  database: { url: "${postgres.url}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
`,
  )
  const serve = new WorkerProcesses(configFile, 1, { command: ['serve', '--port', String(port)] })
  const url = `http://127.0.0.1:${port}/api/posts?limit=50`
  while (!(await fetch(url).catch(() => null))?.ok) await wait(200)
  console.log(`lists of 50 posts from a serve, one every ${ASK_EVERY_MS} ms, for ${SECONDS} s`)
  await reportLists('nothing is polled', url)
  let isOver = false
  const keepingDue = (async () => {
    while (!isOver) {
      await db.query('UPDATE sources SET next_poll_at = $1 WHERE next_poll_at > $1', [Date.now()])
      await wait(500)
    }
  })()
  const enough = HOSTS * 3
  while (Number((await db.query('SELECT count(*) AS n FROM posts')).rows[0].n) < enough) await wait(200)
  await reportLists('polls bring posts', url)
  isOver = true
  await keepingDue
  await serve.end()
  for (const line of serve.logLines().slice(0, 3)) console.log(`  ${line.slice(0, 300)}`)
}

async function reportLists(what: string, url: string): Promise<void> {
  const posts = async (): Promise<number> => Number((await db.query('SELECT count(*) AS n FROM posts')).rows[0].n)
  const before = await posts()
  const tookMs: number[] = []
  const endAt = performance.now() + SECONDS * 1000
  while (performance.now() < endAt) {
    const startedAt = performance.now()
    await (await fetch(url)).arrayBuffer()
    tookMs.push(performance.now() - startedAt)
    await wait(ASK_EVERY_MS)
  }
  tookMs.sort((a, b) => a - b)
  const at = (share: number): string => `${(tookMs[Math.floor(share * (tookMs.length - 1))] ?? 0).toFixed(0)} ms`
  const perSecond = (((await posts()) - before) / SECONDS).toFixed(0)
  console.log(`  ${what}: ${perSecond} new posts/s, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`)
}

/** Each with a connection and a source of its own. */
async function measureCommits(clients: number): Promise<void> {
  const stores = await Promise.all(Array.from({ length: clients }, () => openStore(postgres.url)))
  const ids = stores.map((_, n) => `client-${clients}-${n}`)
  await Promise.all(
    stores.map((store, n) =>
      store.addSource(aSource(ids[n] ?? '', { host: `${ids[n]}.example`, enabled: false }), [], null),
    ),
  )
  let written = 0
  const lockWaits = watchLockWaits(db)
  const startedAt = performance.now()
  const endAt = startedAt + SECONDS * 1000
  await Promise.all(
    stores.map(async (store, n) => {
      const id = ids[n] ?? ''
      while (performance.now() < endAt) {
        const candidate = aCandidate(`${id} ${++written}`, { body: BODY })
        const effects = {
          record: aRecord(id, { created: 1 }),
          events: [anEvent({ type: 'posts.created', sourceId: id })],
        }
        await poll(store, id, { posts: [candidate], lane: `${id}.example`, effects: { host: {}, ...effects } })
      }
    }),
  )
  const tookMs = performance.now() - startedAt
  const { waiting, statements } = await lockWaits.end()
  const waitedMs = (waiting * tookMs) / written
  const perSecond = (1000 * written) / tookMs
  console.log(
    `${String(clients).padStart(7)}   ${perSecond.toFixed(0).padStart(23)}   ${waitedMs.toFixed(2).padStart(36)}`,
  )
  for (const text of statements.slice(0, 3)) console.log(`  ${text.replace(/\s+/g, ' ').slice(0, 150)}`)
  for (const store of stores) await store.close()
}

async function printRowSizes(): Promise<void> {
  await db.query('VACUUM FULL')
  const sizes: string[] = []
  for (const tables of [['sources'], ['hosts'], ['posts', 'posts_text', 'post_contents'], ['polls'], ['lane_hours']]) {
    const sum = tables.map((table) => `COALESCE(pg_total_relation_size(to_regclass('${table}')), 0)`).join(' + ')
    const { rows } = await db.query(`SELECT (${sum}) / greatest(count(*), 1) AS bytes, count(*) AS n FROM ${tables[0]}`)
    sizes.push(`${tables[0]} ${rows[0].bytes} (of ${rows[0].n})`)
  }
  console.log(`\nbytes of a row with its indexes: ${sizes.join(', ')}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createProbe().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
