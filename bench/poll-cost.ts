/**
 * What a poll costs beside what cannot be avoided, in CPU time of this process with all its threads:
 * - a feed of 130 KB with new entries only, beside one GET and gunzip of the same answer, and beside the least that a
 *   program on this runtime has to do to store the same posts, without any safety (bare-pipeline.ts);
 * - a 304, beside one conditional GET and one row updated durably in SQLite.
 * New posts are indexed for search after their polls, which is a figure of its own: otherwise a part of it would fall on
 * the polls that come next.
 * All make a new connection for each answer. They take turns, so that whatever else the machine does falls on all.
 *
 *   node bench/poll-cost.ts [rounds] [feeds] [--json] [--postgres] [--one-new]
 *
 * With --one-new each edition of a feed has one new entry, and 34 that were there before.
 * With --postgres a server is started, and what its processes take counts as well. DATABASE_URL=postgres://... uses
 * another server, whose time does not count.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { createTidings, type Tidings } from '../src/index.ts'
import { openStore } from '../src/storage/open-store.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openBarePipeline } from './bare-pipeline.ts'
import { costOf as costOfAll, cpuMsOfServer, postgresProcess } from './cpu-time.ts'

const isJson = process.argv.includes('--json')
const [rounds = 5, feeds = 100] = process.argv.slice(2).map(Number).filter(Number.isFinite)
/** Code is slow until it is compiled, which does not matter to a server that runs for days. */
const WARM_UP_ROUNDS = 4
const AT_ONCE = 64
const ENTRIES = 35
const newEntries = process.argv.includes('--one-new') ? 1 : ENTRIES
const whatIsNew = newEntries === 1 ? 'one new' : 'all new'

const originFile = fileURLToPath(new URL('./poll-cost-origin.ts', import.meta.url))
const origin = fork(originFile, [String(ENTRIES), String(newEntries)])
const [{ port }] = (await once(origin, 'message')) as [{ port: number }]
const urls = Array.from(
  { length: feeds },
  (_, n) => `http://127.3.${Math.floor(n / 250)}.${(n % 250) + 1}:${port}/feed`,
)
const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const postgres = process.argv.includes('--postgres') ? await startPostgres([]) : null
const serverPid = postgres ? await postgresProcess(postgres.url) : null

/** CPU in milliseconds for one of them. */
async function costOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  const waiting = [...all]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / all.length
}

/** Moved on by hand, so that everything is due again. */
let now = Date.now()
const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) }

async function publish(): Promise<string> {
  now += 90_000
  origin.send({ now })
  const [{ edition }] = (await once(origin, 'message')) as [{ edition: number }]
  return `"${edition}"`
}

async function later(): Promise<void> {
  now += 90_000
}

/** Every source was polled in every round, and every second time it found nothing new. */
async function check({ catalogue, polls }: Tidings, rounds: number): Promise<void> {
  const { items } = await catalogue.sources.list('default', { limit: 3 })
  for (const { id, postCount } of items) {
    const records = (await polls.list(id)).items
    const unchanged = records.filter(({ notModified }) => notModified).length
    if (unchanged !== rounds || postCount !== ENTRIES + (rounds - 1) * newEntries)
      throw new Error(`${unchanged} of ${rounds}, ${postCount} posts`)
  }
}

/** One row, updated in a transaction of its own, as durably as Tidings does it. */
function openRow() {
  const db = new DatabaseSync(join(folder, 'row.db'))
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE sources (url TEXT PRIMARY KEY, next_poll_at INTEGER); CREATE INDEX due ON sources (next_poll_at)`)
  for (const url of urls) db.prepare('INSERT INTO sources VALUES (?, 0)').run(url)
  const update = db.prepare('UPDATE sources SET next_poll_at = ? WHERE url = ?')
  return { update: (url: string) => update.run(Date.now(), url), close: () => db.close() }
}

const NAMES = ['GET + gunzip', 'bare pipeline', 'poll, new', 'indexing', 'GET 304 + row', 'poll, 304'] as const
const spent: Record<(typeof NAMES)[number], number[]> = {
  'GET + gunzip': [],
  'bare pipeline': [],
  'poll, new': [],
  indexing: [],
  'GET 304 + row': [],
  'poll, 304': [],
}

type Measured = 'new' | 'indexing' | 'unchanged'
/** What PostgreSQL took of each poll, also in the rounds that do not count. */
const ofServer: Record<Measured, number[]> = { new: [], indexing: [], unchanged: [] }

const url = postgres?.url ?? process.env.DATABASE_URL ?? `file:${join(folder, 'tidings.db')}`
const row = openRow()
const agent = new Agent()
const bare = openBarePipeline(folder, agent)
try {
  await using tidings = await createTidings({
    clock,
    config: {
      database: { url },
      http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    },
  })
  for (const url of urls)
    await tidings.catalogue.sources.create('default', { type: 'rss', url, pollIntervalMinutes: 1, backfillDays: 7 })
  const store = await openStore(url)
  await using _closing = { [Symbol.asyncDispose]: () => store.close() }
  const measured = async (what: Measured, work: () => Promise<void>): Promise<number> => {
    const serverBefore = cpuMsOfServer(serverPid)
    const { cpuMs } = await costOfAll(work, serverPid)
    ofServer[what].push((cpuMsOfServer(serverPid) - serverBefore) / feeds)
    return cpuMs / feeds
  }
  /** Everything is polled as the schedule does it. */
  const pollAll = async (): Promise<void> => {
    await tidings.tick()
    await tidings.drain()
  }
  const indexAll = async (): Promise<void> => {
    while ((await store.indexPosts()) > 0);
  }
  // The first tick only plans.
  await tidings.tick()
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round++) {
    const etag = await publish()
    const costs = {
      'GET + gunzip': await costOf(urls, async (url) => {
        const { body } = await request(url, { dispatcher: agent, headers: { 'accept-encoding': 'gzip' } })
        gunzipSync(await body.arrayBuffer())
      }),
      'bare pipeline': await costOf(urls, bare.poll),
      'poll, new': await measured('new', pollAll),
      indexing: await measured('indexing', indexAll),
      'GET 304 + row': await costOf(urls, async (url) => {
        const { body } = await request(url, { dispatcher: agent, headers: { 'if-none-match': etag } })
        await body.arrayBuffer()
        row.update(url)
      }),
      'poll, 304': await later().then(() => measured('unchanged', pollAll)),
    }
    await check(tidings, round + 1)
    if (bare.posts() !== feeds * (ENTRIES + round * newEntries)) throw new Error(`${bare.posts()} posts`)
    if (round >= WARM_UP_ROUNDS) for (const name of NAMES) spent[name].push(costs[name])
  }
} finally {
  origin.disconnect()
  await postgres?.stop()
  row.close()
  bare.close()
  await agent.close()
  await rm(folder, { recursive: true, force: true })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const figures = NAMES.map((name) => ({
  name,
  medianMs: median(spent[name]),
  leastMs: Math.min(...spent[name]),
  mostMs: Math.max(...spent[name]),
}))
const ratios = {
  new: median(spent['poll, new']) / median(spent['GET + gunzip']),
  newToBare: median(spent['poll, new']) / median(spent['bare pipeline']),
  bare: median(spent['bare pipeline']) / median(spent['GET + gunzip']),
  unchanged: median(spent['poll, 304']) / median(spent['GET 304 + row']),
}
const server = postgres && {
  new: median(ofServer.new.slice(WARM_UP_ROUNDS)),
  indexing: median(ofServer.indexing.slice(WARM_UP_ROUNDS)),
  unchanged: median(ofServer.unchanged.slice(WARM_UP_ROUNDS)),
}
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
if (isJson)
  console.log(JSON.stringify({ feeds, newEntries, rounds, node: process.version, figures, ratios, server, peakMb }))
else {
  console.log(
    `${feeds} feeds, ${whatIsNew}, ${rounds} rounds, CPU of each in ms: median (least to most), Node ${process.version}`,
  )
  for (const { name, medianMs, leastMs, mostMs } of figures) {
    console.log(
      `  ${name.padEnd(14)} ${medianMs.toFixed(2).padStart(6)} (${leastMs.toFixed(2)} to ${mostMs.toFixed(2)})`,
    )
  }
  console.log(
    `  ${whatIsNew}: ${ratios.new.toFixed(1)} times GET + gunzip, and ${ratios.newToBare.toFixed(1)} times the bare pipeline, which takes ${ratios.bare.toFixed(1)} times GET + gunzip`,
  )
  console.log(`  304: ${ratios.unchanged.toFixed(1)} times the bare one`)
  if (server)
    console.log(
      `  of that PostgreSQL: ${whatIsNew} ${server.new.toFixed(2)}, indexing ${server.indexing.toFixed(2)}, 304 ${server.unchanged.toFixed(2)}`,
    )
  console.log(`  peak memory ${peakMb} MB`)
}
