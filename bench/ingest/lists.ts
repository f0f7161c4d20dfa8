// How many posts a second a `serve` stores while all its sources are always due, and how long a list takes meanwhile.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { type Figure, figureOf, say } from '../figures.ts'
import { freePort } from '../free-port.ts'
import { quantileOf } from '../spread.ts'
import { WorkerProcesses } from '../workers/processes.ts'

const ASK_EVERY_MS = 50
/** By hand, so that a host has the next poll as soon as its last one is over. */
const DUE_EVERY_MS = 250

export interface ListsSize {
  readonly urls: readonly string[]
  readonly entries: number
  readonly seconds: number
  readonly rounds: number
}

export async function measureLists(database: string, folder: string, size: ListsSize): Promise<readonly Figure[]> {
  const engine = database.startsWith('file:') ? 'SQLite' : 'PostgreSQL'
  await addSources(database, size.urls)
  const port = await freePort()
  const configFile = join(folder, 'tidings.yaml')
  await writeFile(configFile, configText(database))
  const serve = new WorkerProcesses(configFile, 1, { command: ['serve', '--port', String(port)] })
  const api = `http://127.0.0.1:${port}/api`
  while (!(await fetch(`${api}/status`).catch(() => null))?.ok) await wait(200)
  say(`${engine}: ${size.urls.length} hosts, ${size.entries} new posts a poll;`)
  say(
    `a list of 50 posts from a serve every ${ASK_EVERY_MS} ms, for ${size.seconds} s in each of ${size.rounds} rounds`,
  )
  const idle = await askRounds(`${engine}, nothing is polled`, api, size)
  const due = keepDue(database)
  // By then its code is compiled.
  while ((await postsOf(api)) < size.urls.length * size.entries * 3) await wait(200)
  const busy = await askRounds(`${engine}, polls bring posts`, api, size)
  await due.end()
  await serve.end()
  for (const line of serve.logLines().slice(0, 3)) say(`  ${line.slice(0, 300)}`)
  return [...idle, ...busy]
}

async function addSources(database: string, urls: readonly string[]): Promise<void> {
  await using app = await createApp({ config: configFrom({ database: { url: database } }) })
  const settings = { pollIntervalMinutes: 30, backfillDays: 7, validate: false } as const
  for (const url of urls) await app.catalogue.sources.create('default', { type: 'rss', url, ...settings })
}

function configText(database: string): string {
  return `app:
  database: { url: "${database}" }
  log: { level: warn, format: json }
  http: { allow-private-networks: [127.0.0.0/8] }
  source: { tick-seconds: 1 }
`
}

/** Every source is due again soon after its poll. */
function keepDue(database: string): { end(): Promise<void> } {
  const update = (placeholder: string) =>
    `UPDATE sources SET next_poll_at = ${placeholder} WHERE next_poll_at > ${placeholder}`
  let isOver = false
  const running = (async () => {
    const file = database.startsWith('file:') ? new DatabaseSync(database.slice('file:'.length)) : null
    const server = file ? null : new pg.Client(database)
    file?.exec('PRAGMA busy_timeout = 5000')
    await server?.connect()
    while (!isOver) {
      file?.prepare(update('?1')).run(Date.now())
      await server?.query(update('$1'), [Date.now()])
      await wait(DUE_EVERY_MS)
    }
    file?.close()
    await server?.end()
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

interface Asked {
  readonly tookMs: readonly number[]
  readonly postsPerSecond: number
}

async function askRounds(what: string, api: string, { seconds, rounds }: ListsSize): Promise<readonly Figure[]> {
  const asked: Asked[] = []
  for (let round = 0; round < rounds; round++) asked.push(await askFor(seconds, api))
  const quantile = (name: string, share: number) =>
    figureOf(
      `${what}, ${name}`,
      'ms',
      asked.map(({ tookMs }) => quantileOf(tookMs, share)),
    )
  const posts = asked.map(({ postsPerSecond }) => postsPerSecond)
  const figures = [quantile('p50', 0.5), quantile('p99', 0.99), quantile('longest', 1)]
  return [figureOf(`${what}, new posts`, 'posts/s', posts), ...figures]
}

async function askFor(seconds: number, api: string): Promise<Asked> {
  const before = await postsOf(api)
  const tookMs: number[] = []
  const startedAt = performance.now()
  while (performance.now() < startedAt + seconds * 1000) {
    const askedAt = performance.now()
    await (await fetch(`${api}/posts?limit=50`)).arrayBuffer()
    tookMs.push(performance.now() - askedAt)
    await wait(ASK_EVERY_MS)
  }
  const posts = (await postsOf(api)) - before
  return { tookMs, postsPerSecond: (1000 * posts) / (performance.now() - startedAt) }
}
