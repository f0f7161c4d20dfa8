/**
 * Measures what a very large store costs: status, search of sources, pages of every list, ticks, clean-up, memory, and
 * the first start. Prints the median and the slowest answer of each question, as REST answers it.
 *
 *   npm run bench -- million
 *   node bench/million.ts sqlite 1000000 2000000       engine, sources, posts
 *   node bench/million.ts postgres 1000000 500000
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFrom } from '../src/config.ts'
import { silentLog } from '../src/log.ts'
import { openApp } from '../src/open-app.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { measureCleanUp } from './million/clean-up.ts'
import { fillStore } from './million/fill.ts'
import { QUESTIONS } from './million/questions.ts'
import { measureTicks } from './million/ticks.ts'

const [engine = 'sqlite', sources = '1000000', posts = '500000'] = process.argv.slice(2)
const size = { sources: Number(sources), hosts: 20_000, posts: Number(posts), due: 0, now: Date.now() }
const ROUNDS = 7

const folder = await mkdtemp(join(tmpdir(), 'tidings-million-'))
const server = engine === 'postgres' ? await startPostgres() : null
const url = server?.url ?? `file:${join(folder, 'tidings.db')}`
try {
  await seconds(`${sources} sources and ${posts} posts on ${engine}, filled`, async () => {
    const { store, db } = await openStoreAndDatabase(url)
    await fillStore(db, size)
    await store.close()
  })
  const config = configFrom({ database: { url } })
  const runToken = 'bench'
  const startedAt = performance.now()
  const app = await openApp({ config, log: silentLog, runToken })
  console.log(`opened in ${(performance.now() - startedAt).toFixed(0)} ms`)
  try {
    for (const [name, path] of Object.entries(QUESTIONS)) await measure(app.inject, name, path)
    console.log(`memory after these answers ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB (with this benchmark)`)
  } finally {
    await app.close(1000)
  }
  await measureTicks(url)
  await measureCleanUp(url)
} finally {
  await server?.stop()
  await rm(folder, { recursive: true })
}

async function seconds(name: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  await work()
  console.log(`${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

type Inject = Awaited<ReturnType<typeof openApp>>['inject']

async function measure(inject: Inject, name: string, path: string): Promise<void> {
  const [wall, cpu]: [number[], number[]] = [[], []]
  let items = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    const startedAt = performance.now()
    const { statusCode, payload } = await inject({
      method: 'GET',
      url: path,
      headers: { authorization: 'Bearer bench', host: 'localhost' },
    })
    wall.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${payload}`)
    items = payload.startsWith('{') ? (JSON.parse(payload).items?.length ?? 0) : 0
  }
  const [median, worst] = [wall.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0, Math.max(...wall)]
  const cpuMs = cpu.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0
  console.log(
    `${name.padEnd(48)} ${median.toFixed(1).padStart(8)} ms, worst ${worst.toFixed(1).padStart(8)}, CPU ${cpuMs.toFixed(1).padStart(8)} ${String(items).padStart(5)} items`,
  )
}
