// `npm run chaos`: workers and a serve as real processes on one PostgreSQL, while workers are killed and suspended for
// longer than a heartbeat, the clocks of two of them are three minutes apart, PostgreSQL is restarted, and all its
// connections are broken. Prints what the hosts saw and what was stored, and exits with 1 if a promise was broken:
// overlapping requests, visits closer than their spacing, posts that are lost or stored twice. Settings: HOSTS, WORKERS,
// KILLS, STOPS, RESTARTS, BREAKS, SECONDS. With PGBOUNCER=/usr/sbin/pgbouncer all processes go through it (and it is
// restarted as often); PREPARED is its max_prepared_statements (200; "none" for versions without that setting).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { GrowingFeeds } from './chaos/growing-feeds.ts'
import { PgBouncer } from './chaos/pgbouncer.ts'
import { makeHosts, seen, serveHost } from './workers/hosts.ts'
import { WorkerProcesses } from './workers/processes.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const SECONDS = setting('SECONDS', 420)
const [KILLS, STOPS, RESTARTS] = [setting('KILLS', 20), setting('STOPS', 10), setting('RESTARTS', 2)]
const BREAKS = setting('BREAKS', 3)
const STOPPED_MS = 35_000
const CLOCK_SHIFTS_MS = [0, 180_000]
const SETTLE_MS = setting('SETTLE_SECONDS', 120) * 1000

const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'tidings-chaos-'))
// Below the ports that the system gives to others.
const port = 20_000 + Math.floor(Math.random() * 12_000)
const { PGBOUNCER, PREPARED = '200' } = process.env
const pooler = PGBOUNCER
  ? await PgBouncer.inFrontOf(postgres.url, {
      program: PGBOUNCER,
      port: port + 1,
      maxPreparedStatements: PREPARED === 'none' ? null : Number(PREPARED),
    })
  : null
const hosts = makeHosts(setting('HOSTS', 60), (n) => [200, 500, 1000, 5000][n % 4] ?? 0)
const feeds = new GrowingFeeds()
const closers = await Promise.all(hosts.map((host) => serveHost(host, port, (path) => feeds.document(path))))
const configFile = join(folder, 'tidings.yaml')
await writeFile(configFile, configText())
const app = await createApp({ config: configFrom({ database: { url: postgres.url } }) })
const ids = await addSources()
const serve = new WorkerProcesses(configFile, 1, { command: ['serve', '--port', '0'] })
const workers = new WorkerProcesses(configFile, setting('WORKERS', 3), { clockShiftsMs: CLOCK_SHIFTS_MS })
/** A stop takes as long as the time between two of them. */
const stopped: Promise<void>[] = []
const endAt = Date.now() + SECONDS * 1000

console.log(`${hosts.length} hosts, ${SECONDS} s, ${KILLS} kills, ${STOPS} stops, ${RESTARTS} restarts of PostgreSQL`)
console.log(`all connections broken ${BREAKS} times${pooler ? `, through PgBouncer (${PREPARED} prepared)` : ''}`)
await Promise.all([
  spread(Math.floor(SECONDS / 2), () => makeDue(ids)),
  spread(KILLS, async () => workers.killOne()),
  spread(STOPS, async () => void stopped.push(workers.stopOne(STOPPED_MS))),
  spread(RESTARTS, () => postgres.restart()),
  spread(BREAKS, breakConnections),
  spread(pooler ? RESTARTS + 1 : 0, async () => pooler?.restart()),
])
await Promise.all(stopped)
const longestGapSeconds = seen.longestGapMs / 1000
feeds.stop()
const missing = await untilAllStored()
const duplicates = await countDuplicates()
await Promise.all([workers.end(), serve.end()])
await app.close()
await pooler?.stop()
await postgres.stop()
for (const close of closers) close()
await rm(folder, { recursive: true, force: true })
report()
process.exit(process.exitCode ?? 0)

function configText(): string {
  const overrides = hosts.map(({ name, spacingMs }) => `      ${name}: { poll-delay-seconds: ${spacingMs / 1000} }`)
  return `app:
  database: { url: "${(pooler ?? postgres).url}" }
  log: { level: error, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
  source:
    tick-seconds: 1
    breaker: { failures: 0 }
    host-overrides:
${overrides.join('\n')}
`
}

async function addSources(): Promise<string[]> {
  const added: string[] = []
  for (const { name } of hosts) {
    for (const path of ['a', 'b']) {
      const url = `http://${name}:${port}/${path}`
      const source = { type: 'rss', url, pollIntervalMinutes: 1440, backfillDays: 7, validate: false } as const
      added.push((await app.catalogue.sources.create('default', source)).id)
    }
  }
  return added
}

/** So many times, evenly over the run. PostgreSQL may be away at that moment. */
async function spread(times: number, act: () => Promise<void>): Promise<void> {
  const everyMs = (SECONDS * 1000) / (times + 1)
  for (let n = 0; n < times && Date.now() + everyMs < endAt; n++) {
    await wait(everyMs)
    await act().catch(() => {})
  }
  await wait(Math.max(0, endAt - Date.now()))
}

async function makeDue(which: readonly string[]): Promise<void> {
  const now = app.clock.now()
  await app.store.planSources(which.map((id) => ({ id, nextPollAt: now })))
}

/** As a fail-over does, in the middle of whatever is under way. */
async function breakConnections(): Promise<void> {
  const client = new pg.Client(postgres.url)
  await client.connect()
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
  await client.end()
}

/** Resolves with how many posts are missing: 0 as soon as all are there. */
async function untilAllStored(): Promise<number> {
  const expected = feeds.titles().length
  const giveUpAt = Date.now() + SETTLE_MS
  for (;;) {
    const counts = await app.store.countsOf(ids).catch(() => null)
    const stored = (id: string) => counts?.get(id)?.postCount ?? 0
    const behind = ids.filter((id) => stored(id) < expected)
    const lost = behind.reduce((sum, id) => sum + expected - stored(id), 0)
    if (lost === 0 || Date.now() > giveUpAt) return lost
    // Only these: with all of them due again and again, a host with a long spacing would never come to its last one.
    await makeDue(behind).catch(() => {})
    await wait(2000)
  }
}

/** In commit order, as a consumer follows them. */
async function countDuplicates(): Promise<number> {
  const known = new Set<string>()
  let count = 0
  for (let after = '0'; ; ) {
    const { posts, position } = await app.store.followPosts({ podcastId: 'default', after, limit: 500 })
    if (posts.length === 0) return count - known.size
    for (const { sourceId, title } of posts) known.add(`${sourceId} ${title}`)
    count += posts.length
    after = position
  }
}

function report(): void {
  console.log(`killed ${workers.killedCount}, suspended ${workers.stoppedCount}, ${seen.requests} requests seen`)
  console.log(`overlapping requests ${seen.overlaps}, visits too soon ${seen.tooSoon}`)
  // All of them are always due: a longer gap than the spacing is that of a process which took its hosts with it.
  console.log(`longest time without a request to one host ${longestGapSeconds.toFixed(1)} s`)
  console.log(`posts lost ${missing}, posts stored twice ${duplicates}`)
  const broken = seen.overlaps + seen.tooSoon + Math.abs(missing) + duplicates
  if (broken > 0) for (const line of workers.logLines().slice(0, 8)) console.log(`  ${line.slice(0, 300)}`)
  process.exitCode = broken > 0 ? 1 : 0
}
