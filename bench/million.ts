/**
 * Measures what a very large store costs: memory and start of `serve`, status, search of sources, pages of every list,
 * ticks, and clean-up. On PostgreSQL, CPU time has what the server takes.
 *
 *   npm run bench -- million
 *   node bench/million.ts sqlite 1000000 2000000       engine, sources (at least 20,000), posts
 *   node bench/million.ts postgres 1000000 500000 --json
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { configFrom } from '../src/config.ts'
import { silentLog } from '../src/log.ts'
import { openApp } from '../src/open-app.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openStoreAndDatabase } from '../test/support/store-and-database.ts'
import { postgresProcess } from './cpu-time.ts'
import { type Figure, printFigure, printJson, say, words } from './figures.ts'
import { askLists, askQuestions } from './million/ask.ts'
import { measureCleanUp } from './million/clean-up.ts'
import { fillStore } from './million/fill.ts'
import { postLists, questionsTo } from './million/questions.ts'
import { measureServe } from './million/serve.ts'
import { measureTicks } from './million/ticks.ts'

const [engine = 'sqlite', sources = '1000000', posts = '500000'] = words
const size = { sources: Number(sources), hosts: 20_000, posts: Number(posts), due: 0, now: Date.now() }

const folder = await mkdtemp(join(tmpdir(), 'tidings-million-'))
const server = engine === 'postgres' ? await startPostgres() : null
const url = server?.url ?? `file:${join(folder, 'tidings.db')}`
const serverPid = server && (await postgresProcess(url))
try {
  const startedAt = performance.now()
  await fill()
  const fillSeconds = Math.round((performance.now() - startedAt) / 1000)
  say(`${sources} sources and ${posts} posts on ${engine}, filled in ${fillSeconds} s`)
  const questions = questionsTo(size.sources)
  const figures = [
    ...(await measureServe(url, Object.values(questions))),
    ...(await measureAnswers(questions)),
    ...(await measureTicks(url, serverPid)),
    ...(await measureCleanUp(url, serverPid)),
  ]
  printJson({ engine, ...size, fillSeconds, questions: Object.keys(questions) }, figures)
} finally {
  await server?.stop()
  await rm(folder, { recursive: true })
}

async function fill(): Promise<void> {
  const { store, db } = await openStoreAndDatabase(url)
  await fillStore(db, size)
  await store.close()
  if (server) await vacuum()
}

/** The server would do it while the first questions are asked. */
async function vacuum(): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('VACUUM (ANALYZE)')
  await client.end()
}

async function measureAnswers(questions: Readonly<Record<string, string>>): Promise<readonly Figure[]> {
  const app = await openApp({ config: configFrom({ database: { url } }), log: silentLog, runToken: 'bench' })
  try {
    const asking = { inject: app.inject, serverPid }
    const answers = await askQuestions(asking, questions)
    const lists = await askLists(asking, postLists(size.sources))
    for (const figure of lists) printFigure(figure)
    return [...answers, ...lists]
  } finally {
    await app.close(1000)
  }
}
