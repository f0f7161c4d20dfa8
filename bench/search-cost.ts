/**
 * What indexing for search adds to polls, in CPU time of this process and of PostgreSQL. Feeds are polled without indexing,
 * and what they brought is indexed between the rounds, in the batches that `serve` makes of it.
 * - all new: every poll brings 35 posts of some 500 words;
 * - one new: every poll brings one post, and 34 entries that were there before;
 * - usual: one poll in ten brings two posts, and the others find nothing new;
 * - first day: of new sources. Their first poll brings 35 posts; then 47 polls follow, of which one in ten brings two.
 * Last, the worst moment: every poll brings 35 posts, in turns without indexing and beside the background index of `serve`,
 * which works a thirteenth of the time at most while polls are under way and leaves the rest for later.
 *
 *   node bench/search-cost.ts [sqlite|postgres] [rounds] [feeds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTidings } from '../src/index.ts'
import { silentLog } from '../src/log.ts'
import { openStore } from '../src/storage/open-store.ts'
import { BackgroundIndex } from '../src/storage/posts/background-index.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Cost, costOf, postgresProcess } from './cpu-time.ts'

const [engine = 'sqlite', wantedRounds = '5', wantedFeeds = '100'] = process.argv.slice(2)
const [rounds, feeds] = [Number(wantedRounds), Number(wantedFeeds)]
/** As the background index has them. */
const AT_LEAST = 100

const BESIDE_ROUNDS = 15
const BESIDE_WARM_UP_ROUNDS = 3

interface Case {
  readonly name: string
  readonly entries: number
  /** How many of them are new in each edition. */
  readonly newEntries: number
  /** Which part of the feeds has new editions. */
  readonly share: number
  readonly warmUpRounds: number
  readonly rounds: number
  hasNewEdition(round: number): boolean
}

const always = { warmUpRounds: 3, rounds, share: 1, hasNewEdition: () => true }
const CASES: readonly Case[] = [
  { name: 'all new', entries: 35, newEntries: 35, ...always },
  { name: 'one new', entries: 35, newEntries: 1, ...always },
  { name: 'usual', entries: 2, newEntries: 2, ...always, share: 0.1 },
  {
    name: 'first day',
    entries: 35,
    newEntries: 2,
    share: 1,
    warmUpRounds: 0,
    rounds: 48,
    hasNewEdition: (round) => round % 10 === 5,
  },
]

const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const server = engine === 'postgres' ? await startPostgres() : null
const serverPid = server && (await postgresProcess(server.url))
const url = server?.url ?? `file:${join(folder, 'tidings.db')}`
let now = Date.now()
const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) }

async function openOrigin(entries: number, newEntries: number, network: number) {
  const origin = fork(fileURLToPath(new URL('./poll-cost-origin.ts', import.meta.url)), [
    String(entries),
    String(newEntries),
  ])
  const [{ port }] = (await once(origin, 'message')) as [{ port: number }]
  return {
    urls: Array.from({ length: feeds }, (_, n) => `http://127.${network}.0.${n + 1}:${port}/feed`),
    async publish() {
      origin.send({ now })
      await once(origin, 'message')
    },
    close: () => origin.disconnect(),
  }
}

type Origin = Awaited<ReturnType<typeof openOrigin>>
const origins: Origin[] = []
try {
  await using tidings = await createTidings({
    clock,
    config: { database: { url }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } },
  })
  const store = await openStore(url)
  const add = (address: string) =>
    tidings.catalogue.sources.create('default', { type: 'rss', url: address, pollIntervalMinutes: 1, backfillDays: 7 })
  const index = async (atLeast: number): Promise<number> => {
    let posts = 0
    for (let indexed = 1; indexed > 0; posts += indexed) indexed = await store.indexPosts(atLeast)
    return posts
  }

  const measure = async (measured: Case, network: number): Promise<void> => {
    const changing = await openOrigin(measured.entries, measured.newEntries, 10 + network)
    const unchanged = await openOrigin(35, 35, 20 + network)
    origins.push(changing, unchanged)
    const some = Math.ceil(feeds * measured.share)
    const added = await Promise.all([...changing.urls.slice(0, some), ...unchanged.urls.slice(some)].map(add))
    const spent = { pollMs: 0, indexMs: 0, posts: 0 }
    for (let round = -measured.warmUpRounds; round < measured.rounds; round++) {
      now += 90_000
      if (measured.hasNewEdition(round)) await changing.publish()
      if (round === 0) await index(1)
      const polled = await costOf(() => Promise.all(added.map(({ id }) => tidings.poll(id))), serverPid)
      const atLeast = round === measured.rounds - 1 ? 1 : AT_LEAST
      let posts = 0
      const indexed = await costOf(async () => {
        posts = await index(atLeast)
      }, serverPid)
      if (round < 0) continue
      spent.pollMs += polled.cpuMs
      spent.indexMs += indexed.cpuMs
      spent.posts += posts
    }
    tell(measured.name, measured.rounds * feeds, spent)
  }
  for (const [network, measured] of CASES.entries()) await measure(measured, network)

  /** The rest is indexed before the next round, and does not count. */
  const measureBeside = async (): Promise<void> => {
    const origin = await openOrigin(35, 35, 30)
    origins.push(origin)
    const added = await Promise.all(origin.urls.map(add))
    const pollAll = () => Promise.all(added.map(({ id }) => tidings.poll(id)))
    const publishNext = () => {
      now += 90_000
      return origin.publish()
    }
    const costs: Record<'alone' | 'beside', Cost[]> = { alone: [], beside: [] }
    for (let round = -BESIDE_WARM_UP_ROUNDS; round < BESIDE_ROUNDS; round++) {
      for (const which of ['alone', 'beside'] as const) {
        // The posts of this edition wait to be indexed from the first moment on.
        await publishNext()
        await pollAll()
        await publishNext()
        const background = new BackgroundIndex({ store, log: silentLog, isPolling: () => true })
        if (which === 'beside') background.start()
        const cost = await costOf(pollAll, serverPid)
        await background.stop()
        await index(1)
        if (round >= 0) costs[which].push(cost)
      }
    }
    tellBeside(costs)
  }
  await measureBeside()
  await store.close()
} finally {
  for (const origin of origins) origin.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}

function tell(name: string, polls: number, { pollMs, indexMs, posts }: Record<'pollMs' | 'indexMs' | 'posts', number>) {
  console.log(
    `${engine}, ${name.padEnd(9)} ${(pollMs / polls).toFixed(2)} ms CPU for each of ${polls} polls, ` +
      `${((indexMs * 1000) / posts).toFixed(0)} µs for each of ${posts} posts: ` +
      `${((100 * indexMs) / pollMs).toFixed(1)} % more`,
  )
}

function tellBeside({ alone, beside }: Record<'alone' | 'beside', readonly Cost[]>): void {
  const compared = (unit: 'cpuMs' | 'wallMs'): string => {
    const [without, with_] = [alone, beside].map((costs) => median(costs.map((cost) => cost[unit])) / feeds)
    const more = 100 * ((with_ ?? 0) / (without ?? 0) - 1)
    return `${without?.toFixed(2)} ms without, ${with_?.toFixed(2)} ms beside it: ${more.toFixed(1)} % more`
  }
  console.log(`${engine}, all new, beside the background index, medians of ${BESIDE_ROUNDS} rounds of ${feeds} polls:`)
  console.log(`  CPU of a poll ${compared('cpuMs')}`)
  console.log(`  wall time of a poll ${compared('wallMs')}`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
