/**
 * What indexing for search adds to polls, in CPU time of this process and of PostgreSQL. Feeds are polled without indexing,
 * and what they brought is indexed between the rounds, in the batches that `serve` makes of it.
 * - all new: every poll brings 35 posts of some 500 words;
 * - one new: every poll brings one post, and 34 entries that were there before;
 * - usual: one poll in ten brings two posts, and the others find nothing new;
 * - first day: of new sources. Their first poll brings 35 posts; then 47 polls follow, of which one in ten brings two.
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
import { openStore } from '../src/storage/open-store.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { costOf, postgresProcess } from './cpu-time.ts'

const [engine = 'sqlite', wantedRounds = '5', wantedFeeds = '100'] = process.argv.slice(2)
const [rounds, feeds] = [Number(wantedRounds), Number(wantedFeeds)]
/** As the background index has them. */
const AT_LEAST = 100

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
