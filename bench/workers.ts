// Measures what a poll costs when several workers share one PostgreSQL: 1, 2, 4 and 8 workers, one after the other, on
// hosts that answer 304 and always have due work. Prints polls per second, CPU time of the workers and of PostgreSQL
// per poll, and statements per poll (BEGIN and COMMIT count). Settings: HOSTS, SECONDS, WARM_UP_POLLS and WORKERS
// (such as 1,8); STATEMENTS=1 lists the most frequent ones.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { cpuMsOf, cpuMsOfServer } from './cpu-time.ts'
import { WorkerProcesses } from './workers/processes.ts'

const HOSTS = Number(process.env.HOSTS ?? 500)
const SECONDS = Number(process.env.SECONDS ?? 10)
const COUNTS = (process.env.WORKERS ?? '1,2,4,8').split(',').map(Number)
/** Of each worker: before that its code is not compiled and its connections have no plans, which says nothing of a poll. */
const WARM_UP_POLLS = Number(process.env.WARM_UP_POLLS ?? 1000)
const DUE_AGAIN_MS = 1000

const postgres = await startPostgres(['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'max_connections=200'])
const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const origin = createServer((request, response) => {
  const etag = '"same"'
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': 'application/rss+xml', etag }).end(FEED)
})
const FEED = '<rss version="2.0"><channel><title>F</title><item><title>One</title><guid>1</guid></item></channel></rss>'
const db = new pg.Client(postgres.url)
try {
  await new Promise<void>((resolve) => origin.listen(0, '0.0.0.0', resolve))
  await db.connect()
  await db.query('CREATE EXTENSION pg_stat_statements')
  const configFile = join(folder, 'tidings.yaml')
  await writeFile(configFile, CONFIG())
  await addSources()
  await pollEachOnce(configFile)
  console.log(`${HOSTS} hosts that answer 304, ${SECONDS} s each, CPU in ms per poll`)
  console.log('workers   polls/s   workers CPU   PostgreSQL CPU   together   statements')
  for (const count of COUNTS) await measure(configFile, count)
} finally {
  await db.end()
  await postgres.stop()
  origin.close()
  origin.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
}
process.exit(process.exitCode ?? 0)

function CONFIG(): string {
  return `app:
  database: { url: "${postgres.url}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
`
}

async function addSources(): Promise<void> {
  const address = origin.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using app = await createApp({ config: configFrom({ database: { url: postgres.url } }) })
  for (let n = 0; n < HOSTS; n++) {
    const url = `http://127.1.${Math.floor(n / 250)}.${(n % 250) + 1}:${port}/feed`
    await app.catalogue.sources.create('default', { type: 'rss', url, pollIntervalMinutes: 30, validate: false })
  }
}

/** The first poll of a source stores a post: it is not what is measured. */
async function pollEachOnce(configFile: string): Promise<void> {
  const workers = new WorkerProcesses(configFile, 1)
  const left = 'SELECT count(*) AS n FROM sources WHERE last_succeeded_at IS NULL'
  await db.query('UPDATE sources SET next_poll_at = $1', [Date.now()])
  while (Number((await db.query(left)).rows[0].n) > 0) await wait(200)
  await workers.end()
}

async function measure(configFile: string, count: number): Promise<void> {
  const workers = new WorkerProcesses(configFile, count)
  let isOver = false
  const keepingDue = (async () => {
    while (!isOver) {
      await db.query(`UPDATE sources SET next_poll_at = $1 WHERE next_poll_at > $1`, [Date.now()])
      await wait(DUE_AGAIN_MS)
    }
  })()
  await untilAllPoll(count)
  await untilPolls((await pollsSoFar()) + count * WARM_UP_POLLS)
  await db.query('SELECT pg_stat_statements_reset()')
  const before = await figures(workers.pids)
  const startedAt = performance.now()
  await wait(SECONDS * 1000)
  const seconds = (performance.now() - startedAt) / 1000
  const after = await figures(workers.pids)
  isOver = true
  await keepingDue
  await workers.end()
  const polls = after.polls - before.polls
  const perPoll = (a: number, b: number) => ((b - a) / polls).toFixed(2)
  const both = [before.workers + before.postgres, after.workers + after.postgres] as const
  const columns = [
    String(count).padStart(7),
    (polls / seconds).toFixed(0).padStart(9),
    perPoll(before.workers, after.workers).padStart(13),
    perPoll(before.postgres, after.postgres).padStart(16),
    perPoll(...both).padStart(10),
    ((after.statements - before.statements) / polls).toFixed(1).padStart(12),
  ]
  console.log(columns.join(' '))
  if (process.env.STATEMENTS) await printStatements(polls)
  const lines = workers.logLines()
  if (lines.length > 0) console.log(`  ${lines.length} warnings, the first: ${lines[0]?.slice(0, 300)}`)
}

/** On a small machine it takes long until many processes have started. */
async function untilAllPoll(count: number): Promise<void> {
  const connected = `SELECT count(*) AS n FROM meta WHERE key LIKE 'process:%'`
  while (Number((await db.query(connected)).rows[0].n) < count) await wait(200)
}

async function untilPolls(wanted: number): Promise<void> {
  while ((await pollsSoFar()) < wanted) await wait(200)
}

async function pollsSoFar(): Promise<number> {
  return Number((await db.query('SELECT sum(polls) AS n FROM poll_hours')).rows[0].n)
}

async function figures(workerPids: readonly number[]) {
  const counted = await db.query(
    `SELECT (SELECT sum(polls) FROM poll_hours) AS polls, (SELECT sum(calls) FROM pg_stat_statements) AS statements`,
  )
  const started = await db.query(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`)
  return {
    polls: Number(counted.rows[0].polls),
    statements: Number(counted.rows[0].statements),
    workers: workerPids.reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    postgres: cpuMsOfServer(started.rows[0].pid),
  }
}

/** The most frequent statements, for whoever wants to have fewer. */
async function printStatements(polls: number): Promise<void> {
  const { rows } = await db.query(
    'SELECT calls, mean_exec_time, query FROM pg_stat_statements ORDER BY calls DESC LIMIT 20',
  )
  for (const { calls, mean_exec_time, query } of rows) {
    const text = String(query).replace(/\s+/g, ' ').slice(0, 110)
    console.log(
      `  ${(Number(calls) / polls).toFixed(2).padStart(6)} ${mean_exec_time.toFixed(2).padStart(7)} ms  ${text}`,
    )
  }
}
