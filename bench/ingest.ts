// Measures stores while polls bring new posts. First, on PostgreSQL and on SQLite: how many posts a second a `serve` stores
// whose feeds bring ENTRIES new ones with each poll, and how long people wait for a list of posts meanwhile. Then, on
// PostgreSQL: how many polls with a new post 1, 10 and 100 clients side by side commit in a second, which must not become
// fewer because they wait for each other, and how long they do. At the end: what a row takes, with its indexes.
// Settings: HOSTS, ENTRIES, SECONDS, ROUNDS and CLIENTS (such as 10,100; empty for none); LISTS=0 leaves out the first part.
// With --json it prints one line of JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Figure, figureOf, printFigure, printJson, say } from './figures.ts'
import { type Commits, measureCommits, rowSizes } from './ingest/commits.ts'
import { startEntriesOrigin } from './ingest/entries-origin.ts'
import { measureLists } from './ingest/lists.ts'

const hosts = Number(process.env.HOSTS ?? 300)
const entries = Number(process.env.ENTRIES ?? 35)
const seconds = Number(process.env.SECONDS ?? 5)
const rounds = Number(process.env.ROUNDS ?? 5)
const CLIENTS = (process.env.CLIENTS ?? '1,10,100').split(',').filter(Boolean).map(Number)

const postgres = await startPostgres(['-c', 'max_connections=300'])
const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const db = new pg.Client(postgres.url)
const origin = await startEntriesOrigin(entries)
try {
  await db.connect()
  const figures = [...(process.env.LISTS === '0' ? [] : await listFigures()), ...(await commitFigures())]
  if (CLIENTS.length > 0) say(`\nbytes of a row with its indexes: ${await rowSizes(db)}`)
  printJson({ hosts, entries, seconds, rounds }, figures)
} finally {
  await db.end()
  await postgres.stop()
  origin.close()
  await rm(folder, { recursive: true, force: true })
}
process.exit(process.exitCode ?? 0)

async function listFigures(): Promise<readonly Figure[]> {
  const urls = Array.from({ length: hosts }, (_, host) => origin.urlOf(host))
  const figures: Figure[] = []
  for (const database of [postgres.url, `file:${join(folder, 'tidings.db')}`]) {
    const found = await measureLists(database, folder, { urls, entries, seconds, rounds })
    for (const figure of found) printFigure(figure)
    figures.push(...found)
  }
  return figures
}

/** In turns, so that whatever else the machine does falls on all. */
async function commitFigures(): Promise<readonly Figure[]> {
  const all = new Map(CLIENTS.map((clients) => [clients, [] as Commits[]]))
  if (CLIENTS.length > 0) say('\npolls with a new post on PostgreSQL, and how long each waited for locks of others')
  for (let round = 0; round < rounds; round++) {
    for (const [clients, found] of all) found.push(await measureCommits(postgres.url, db, clients, seconds))
  }
  return [...all].flatMap(([clients, found]) => {
    const of = (name: string, unit: string, values: number[]) => figureOf(`${clients} clients, ${name}`, unit, values)
    const polls = of(
      'polls',
      'polls/s',
      found.map(({ perSecond }) => perSecond),
    )
    const waits = of(
      'waited',
      'ms',
      found.map(({ waitedMs }) => waitedMs),
    )
    for (const figure of [polls, waits]) printFigure(figure)
    const statements = new Set(found.flatMap((commits) => commits.statements.slice(0, 3)))
    for (const text of statements) say(`  ${text.replace(/\s+/g, ' ').slice(0, 150)}`)
    return [polls, waits]
  })
}
