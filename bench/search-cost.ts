/**
 * What indexing for search adds to polls, in CPU time of this process and of PostgreSQL. Feeds are polled without indexing,
 * and what they brought is indexed between the rounds, in the batches that `serve` makes of it.
 * - all new: every poll brings 35 posts of some 500 words;
 * - one new: every poll brings one post, and 34 entries that were there before;
 * - usual: one poll in ten brings two posts, and the others find nothing new.
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
import { startPostgres } from '../test/support/postgres-server.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { costOf } from './search/cpu.ts'

const [engine = 'sqlite', rounds = '5', feeds = '100'] = process.argv.slice(2)
const WARM_UP_ROUNDS = 3
/** As the background index has them. */
const AT_LEAST = 100
/** How many entries the feeds have that change, and how many of them are new each time. */
const CASES = { 'all new': [35, 35], 'one new': [35, 1], usual: [2, 2] } as const

const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const server = engine === 'postgres' ? await startPostgres() : null
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
    urls: Array.from({ length: Number(feeds) }, (_, n) => `http://127.${network}.0.${n + 1}:${port}/feed`),
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
  const { store, db } = await openStoreAndDatabase(url)
  const add = (address: string) =>
    tidings.catalogue.sources.create('default', { type: 'rss', url: address, pollIntervalMinutes: 1, backfillDays: 7 })
  const idsOf = async (addresses: readonly string[]) => (await Promise.all(addresses.map(add))).map(({ id }) => id)
  for (const [network, [name, [entries, newEntries]]] of Object.entries(CASES).entries()) {
    const changing = await openOrigin(entries, newEntries, 10 + network)
    const unchanged = await openOrigin(35, 35, 20 + network)
    origins.push(changing, unchanged)
    const tenth = Math.ceil(Number(feeds) / 10)
    const some = name === 'usual' ? [...changing.urls.slice(0, tenth), ...unchanged.urls.slice(tenth)] : changing.urls
    const ids = await idsOf(some)
    const spent = { polls: 0, index: 0 }
    let posts = 0
    const index = async (atLeast: number) => {
      for (let indexed = 1; indexed > 0; posts += indexed) indexed = await store.indexPosts(atLeast)
    }
    for (let round = 0; round < Number(rounds) + WARM_UP_ROUNDS; round++) {
      now += 90_000
      await changing.publish()
      if (round === WARM_UP_ROUNDS) {
        await index(1)
        posts = 0
      }
      const polled = await costOf(db, () => Promise.all(ids.map((id) => tidings.poll(id))))
      const isLast = round === Number(rounds) + WARM_UP_ROUNDS - 1
      const indexed = await costOf(db, () => index(isLast ? 1 : AT_LEAST))
      if (round < WARM_UP_ROUNDS) continue
      spent.polls += polled.cpuMs
      spent.index += indexed.cpuMs
    }
    const polls = Number(rounds) * ids.length
    console.log(
      `${engine}, ${name.padEnd(8)} ${(spent.polls / polls).toFixed(2)} ms CPU for each of ${polls} polls, ` +
        `${((spent.index * 1000) / posts).toFixed(0)} µs for each of ${posts} posts: ` +
        `${((100 * spent.index) / spent.polls).toFixed(1)} % more`,
    )
  }
  await store.close()
} finally {
  for (const origin of origins) origin.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}
