// Several workers on one PostgreSQL while some of them are killed and some are stopped for longer than their holds last.
// Prints what real hosts saw: requests that overlapped, visits closer than their spacing, sources asked more often than
// they were due. `npm run simulate:workers -- SECONDS` (default 150); exit 1 when a promise was broken.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { LEASE_MS } from '../src/domain/host-lease.ts'
import { startPostgres } from '../test/support/postgres-server.ts'

const SECONDS = Number(process.argv[2] ?? 150)
const WORKERS = 4
const HOSTS = 30
const SOURCES_PER_HOST = 12
const SPACING_MS = 300
/** Timers of a server that is busy come late, and a reservation is stamped before its request arrives. */
const TOLERANCE_MS = 40
const KILL_EVERY_MS = 9000
const STOP_EVERY_MS = 25_000
const STOPPED_MS = LEASE_MS + 5000
const BUSY_MS = [2, 60] as const

interface Host {
  readonly name: string
  readonly spacingMs: number
  open: number
  lastEndedAt: number
  readonly asked: Map<string, number>
}

const seen = { requests: 0, overlaps: 0, tooSoon: 0 }
const hosts: Host[] = Array.from({ length: HOSTS }, (_, n) => ({
  name: `127.0.1.${n + 1}`,
  spacingMs: n % 2 === 0 ? 0 : SPACING_MS,
  open: 0,
  lastEndedAt: 0,
  asked: new Map(),
}))
const FEED = '<rss version="2.0"><channel><title>F</title><item><title>One</title><guid>1</guid></item></channel></rss>'

function serveHost(host: Host, port: number): Promise<() => void> {
  const server = createServer((request, response) => {
    const now = performance.now()
    seen.requests++
    host.asked.set(request.url ?? '', (host.asked.get(request.url ?? '') ?? 0) + 1)
    if (host.open++ > 0) seen.overlaps++
    else if (host.lastEndedAt > 0 && now - host.lastEndedAt < host.spacingMs - TOLERANCE_MS) seen.tooSoon++
    response.once('close', () => {
      host.open--
      host.lastEndedAt = performance.now()
    })
    const [least, most] = BUSY_MS
    setTimeout(() => response.end(FEED), least + Math.random() * (most - least))
  })
  return new Promise((resolve) => {
    server.listen(port, host.name, () =>
      resolve(() => {
        server.close()
        server.closeAllConnections()
      }),
    )
  })
}

const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'tidings-workers-'))
const port = 20_000 + Math.floor(Math.random() * 20_000)
const closers = await Promise.all(hosts.map((host) => serveHost(host, port)))
const overrides = hosts.map(({ name, spacingMs }) => `      ${name}: { poll-delay-seconds: ${spacingMs / 1000} }`)
const file = join(folder, 'tidings.yaml')
await writeFile(
  file,
  `app:
  database: { url: "${postgres.url}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
  source:
    tick-seconds: 1
    host-overrides:
${overrides.join('\n')}
`,
)

const launcher = fileURLToPath(new URL('../bin/tidings.js', import.meta.url))
const logs: string[] = []
const counts = { killed: 0, stopped: 0 }
function startWorker(): ChildProcess {
  const child = spawn(process.execPath, [launcher, 'worker', '--config', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr?.on('data', (text) => logs.push(String(text)))
  return child
}

const app = await createApp({ config: configFrom({ database: { url: postgres.url } }) })
const ids: string[] = []
for (const host of hosts) {
  for (let n = 0; n < SOURCES_PER_HOST; n++) {
    const url = `http://${host.name}:${port}/${n}`
    const source = { type: 'rss', url, pollIntervalMinutes: 1440, validate: false } as const
    ids.push((await app.catalogue.sources.create('default', source)).id)
  }
}
const workers = Array.from({ length: WORKERS }, startWorker)
const endAt = Date.now() + SECONDS * 1000
const stopped = new Set<ChildProcess>()
let rounds = 0

async function every(ms: number, act: () => Promise<void> | void): Promise<void> {
  while (Date.now() + ms < endAt) {
    await wait(ms)
    await act()
  }
}

async function allPolledSince(instant: number): Promise<boolean> {
  for (const id of ids) if (((await app.store.getSource(id))?.lastPolled ?? 0) < instant) return false
  return true
}

async function dueAgain(): Promise<void> {
  const now = Date.now()
  await app.store.planSources(ids.map((id) => ({ id, nextPollAt: now })))
  rounds++
  while (!(await allPolledSince(now))) await wait(200)
}

async function killOne(): Promise<void> {
  const index = workers.findIndex((worker) => !stopped.has(worker))
  const [worker] = workers.splice(index, 1)
  worker?.kill('SIGKILL')
  counts.killed++
  workers.push(startWorker())
}

async function stopOne(): Promise<void> {
  const worker = workers.find((each) => !stopped.has(each))
  if (!worker) return
  stopped.add(worker)
  worker.kill('SIGSTOP')
  counts.stopped++
  await wait(STOPPED_MS)
  worker.kill('SIGCONT')
  stopped.delete(worker)
}

console.log(`${WORKERS} workers, ${HOSTS} hosts, ${ids.length} sources, ${SECONDS} s`)
await wait(3000)
await Promise.all([every(100, dueAgain), every(KILL_EVERY_MS, killOne), every(STOP_EVERY_MS, stopOne)])
for (const worker of workers) worker.kill('SIGTERM')
await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'close')))
const polls = await Promise.all(
  ids.map(async (id) => (await app.store.listPolls(id, { limit: 100, cursor: null })).items.length),
)
const recorded = polls.reduce((sum, count) => sum + count, 0)
const due = rounds * ids.length
await app.close()
await postgres.stop()
for (const close of closers) close()
await rm(folder, { recursive: true, force: true })

console.log(`killed ${counts.killed}, stopped for ${STOPPED_MS / 1000} s ${counts.stopped}`)
console.log(`${rounds} rounds, ${due} polls due, ${recorded} recorded, ${seen.requests} requests seen`)
console.log(`overlapping requests ${seen.overlaps}, visits too soon ${seen.tooSoon}, recorded twice ${recorded - due}`)
console.log(`requests beyond those recorded ${seen.requests - recorded}`)
const lines = logs.join('').trim().split('\n').filter(Boolean)
console.log(`${lines.length} warnings in the logs`)
for (const line of lines.slice(0, 8)) console.log(`  ${line.slice(0, 300)}`)
process.exitCode = seen.overlaps + seen.tooSoon + (recorded - due) > 0 ? 1 : 0
