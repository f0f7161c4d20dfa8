// Measures stores while polls bring new posts. First, on PostgreSQL and on SQLite: how many posts a second a `serve` stores
// whose feeds bring ENTRIES new ones with each poll, and how long people wait for a list of posts meanwhile. Then, on
// PostgreSQL: how many polls with a new post 1, 10 and 100 clients side by side commit in a second, which must not become
// fewer because they wait for each other, and how long they do. At the end: what a row takes, with its indexes.
// Settings: HOSTS, ENTRIES, SECONDS and CLIENTS (such as 10,100; empty for none); LISTS=0 leaves out the first part.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createProbe } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

const HOSTS = Number(process.env.HOSTS ?? 300)
const ENTRIES = Number(process.env.ENTRIES ?? 35)
const SECONDS = Number(process.env.SECONDS ?? 10)
const CLIENTS = (process.env.CLIENTS ?? '1,10,100').split(',').filter(Boolean).map(Number)
const ASK_EVERY_MS = 50
/** By hand, so that a host has the next poll as soon as its last one is over. */
const DUE_EVERY_MS = 250
/** Words that a search has to index, about as long as an entry of a feed. */
const BODY = Array.from({ length: 200 }, (_, n) => `word${(n * 7919) % 3000}`).join(' ')

const STARTED_AT = Date.now()

const postgres = await startPostgres(['-c', 'max_connections=300'])
const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const db = new pg.Client(postgres.url)
let entries = 0
const origin = createServer((_, response) => {
  const items = Array.from({ length: ENTRIES }, () => {
    const n = ++entries
    // Each is newer than those before it, and none lies ahead.
    const at = new Date(STARTED_AT - DAY_MS + n * 20).toUTCString()
    return `<item><title>Entry ${n}</title><guid>${n}</guid><pubDate>${at}</pubDate><description>${BODY} ${n}</description></item>`
  })
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(`<rss version="2.0"><channel><title>F</title>${items.join('')}</channel></rss>`)
})
try {
  await new Promise<void>((resolve) => origin.listen(0, '0.0.0.0', resolve))
  await db.connect()
  if (process.env.LISTS !== '0') {
    for (const url of [postgres.url, `file:${join(folder, 'tidings.db')}`]) await measureLists(url)
  }
  if (CLIENTS.length > 0) console.log(`\nclients   polls with a new post/s   ms a poll waited for locks of others`)
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

async function addSources(database: string): Promise<void> {
  const address = origin.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using app = await createApp({ config: configFrom({ database: { url: database } }) })
  for (let n = 0; n < HOSTS; n++) {
    const url = `http://127.2.${Math.floor(n / 250)}.${(n % 250) + 1}:${port}/feed`
    const settings = { pollIntervalMinutes: 30, backfillDays: 7, validate: false } as const
    await app.catalogue.sources.create('default', { type: 'rss', url, ...settings })
  }
}

async function measureLists(database: string): Promise<void> {
  await addSources(database)
  const port = await freePort()
  const configFile = join(folder, 'tidings.yaml')
  await writeFile(
    configFile,
    `app:
  database: { url: "${database}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
  source: { tick-seconds: 1 }
`,
  )
  const serve = new WorkerProcesses(configFile, 1, { command: ['serve', '--port', String(port)] })
  const api = `http://127.0.0.1:${port}/api`
  while (!(await fetch(`${api}/status`).catch(() => null))?.ok) await wait(200)
  console.log(`${database.startsWith('file:') ? 'SQLite' : 'PostgreSQL'}: ${HOSTS} hosts, ${ENTRIES} new posts a poll;`)
  console.log(`a list of 50 posts from a serve every ${ASK_EVERY_MS} ms, for ${SECONDS} s`)
  await reportLists('nothing is polled', api)
  const due = keepDue(database)
  // By then its code is compiled.
  while ((await postsOf(api)) < HOSTS * ENTRIES * 3) await wait(200)
  await reportLists('polls bring posts', api)
  await due.end()
  await serve.end()
  for (const line of serve.logLines().slice(0, 3)) console.log(`  ${line.slice(0, 300)}`)
}

/** Every source is due again soon after its poll. */
function keepDue(database: string): { end(): Promise<void> } {
  const file = database.startsWith('file:') ? new DatabaseSync(database.slice('file:'.length)) : null
  file?.exec('PRAGMA busy_timeout = 5000')
  const update = (placeholder: string) =>
    `UPDATE sources SET next_poll_at = ${placeholder} WHERE next_poll_at > ${placeholder}`
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      if (file) file.prepare(update('?1')).run(Date.now())
      else await db.query(update('$1'), [Date.now()])
      await wait(DUE_EVERY_MS)
    }
    file?.close()
  })()
  return {
    end: () => {
      isOver = true
      return running
    },
  }
}

async function postsOf(api: string): Promise<number> {
  const status = (await (await fetch(`${api}/status`)).json()) as { readonly totals: { readonly posts: number } }
  return status.totals.posts
}

async function reportLists(what: string, api: string): Promise<void> {
  const url = `${api}/posts?limit=50`
  const before = await postsOf(api)
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
  const perSecond = (((await postsOf(api)) - before) / SECONDS).toFixed(0)
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
  for (const tables of [
    ['sources'],
    ['hosts'],
    ['posts', 'posts_text', 'post_contents', 'html_bundles'],
    ['polls'],
    ['lane_hours'],
  ]) {
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
