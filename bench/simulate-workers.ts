// Several workers share one PostgreSQL while some of them are killed, and some are stopped for longer than their host
// leases last. Prints what the hosts saw: overlapping requests, visits closer than their spacing, and polls that were
// recorded twice. `npm run simulate:workers -- SECONDS` (default 150) exits with 1 if a promise was broken.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { LEASE_MS } from '../src/domain/host-lease.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { makeHosts, seen, serveHost } from './workers/hosts.ts'
import { WorkerProcesses } from './workers/processes.ts'

const SECONDS = Number(process.argv[2] ?? 150)
const WORKERS = 4
const HOSTS = 30
const SOURCES_PER_HOST = 12
const KILL_EVERY_MS = 9000
const STOP_EVERY_MS = 25_000
const STOPPED_MS = LEASE_MS + 5000

const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'tidings-workers-'))
// Below the ports that the system gives to others.
const port = 20_000 + Math.floor(Math.random() * 12_000)
const hosts = makeHosts(HOSTS)
const closers = await Promise.all(hosts.map((host) => serveHost(host, port)))
const configFile = join(folder, 'tidings.yaml')
await writeFile(configFile, configText())
const app = await createApp({ config: configFrom({ database: { url: postgres.url } }) })
const ids = await addSources()
const workers = new WorkerProcesses(configFile, WORKERS)
const endAt = Date.now() + SECONDS * 1000
let rounds = 0

console.log(`${WORKERS} workers, ${HOSTS} hosts, ${ids.length} sources, ${SECONDS} s`)
await wait(3000)
await Promise.all([
  every(100, pollAllAgain),
  every(KILL_EVERY_MS, () => workers.killOne()),
  every(STOP_EVERY_MS, () => workers.stopOne(STOPPED_MS)),
])
await workers.end()
const recorded = await countRecords()
await app.close()
await postgres.stop()
for (const close of closers) close()
await rm(folder, { recursive: true, force: true })
report()

function configText(): string {
  const overrides = hosts.map(({ name, spacingMs }) => `      ${name}: { poll-delay-seconds: ${spacingMs / 1000} }`)
  return `app:
  database: { url: "${postgres.url}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
  source:
    tick-seconds: 1
    host-overrides:
${overrides.join('\n')}
`
}

async function addSources(): Promise<string[]> {
  const added: string[] = []
  for (const host of hosts) {
    for (let n = 0; n < SOURCES_PER_HOST; n++) {
      const url = `http://${host.name}:${port}/${n}`
      const source = { type: 'rss', url, pollIntervalMinutes: 1440, validate: false } as const
      added.push((await app.catalogue.sources.create('default', source)).id)
    }
  }
  return added
}

async function every(ms: number, act: () => Promise<void> | void): Promise<void> {
  while (Date.now() + ms < endAt) {
    await wait(ms)
    await act()
  }
}

/** Makes every source due and waits until all of them have been polled. */
async function pollAllAgain(): Promise<void> {
  const now = Date.now()
  await app.store.planSources(ids.map((id) => ({ id, nextPollAt: now })))
  rounds++
  while (!(await allPolledSince(now))) await wait(200)
}

async function allPolledSince(instant: number): Promise<boolean> {
  for (const id of ids) if (((await app.store.getSource(id))?.lastPolled ?? 0) < instant) return false
  return true
}

async function countRecords(): Promise<number> {
  const polls = await Promise.all(
    ids.map(async (id) => (await app.store.listPolls(id, { limit: 100, cursor: null })).items.length),
  )
  return polls.reduce((sum, count) => sum + count, 0)
}

function report(): void {
  const due = rounds * ids.length
  const lines = workers.logLines()
  console.log(`killed ${workers.killedCount}, stopped for ${STOPPED_MS / 1000} s ${workers.stoppedCount}`)
  console.log(`${rounds} rounds, ${due} polls due, ${recorded} recorded, ${seen.requests} requests seen`)
  console.log(
    `overlapping requests ${seen.overlaps}, visits too soon ${seen.tooSoon}, recorded twice ${recorded - due}`,
  )
  console.log(`requests beyond those recorded ${seen.requests - recorded}`)
  console.log(`${lines.length} warnings in the logs`)
  for (const line of lines.slice(0, 8)) console.log(`  ${line.slice(0, 300)}`)
  process.exitCode = seen.overlaps + seen.tooSoon + (recorded - due) > 0 ? 1 : 0
}
