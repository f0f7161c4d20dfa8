import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { isStoreAway } from '../../src/domain/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { openPostgres } from '../../src/storage/database/postgres-db.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { usePostgres } from '../support/postgres.ts'
import { openStoreAndDatabase } from '../support/store-and-database.ts'
import { crashContract } from './crash.ts'
import { aCandidate, aSource, NOW, poll, withSources } from './fixtures.ts'
import { storeContract } from './store-contract.ts'

const postgres = usePostgres()
let url: string | null = null

storeContract('PostgreSQL', async () => {
  // Emptying one database is quicker than making another.
  if (url === null) url = await postgres.freshDatabase()
  else await empty(url)
  const database = url
  const stores: Store[] = []
  const open = async () => {
    const opened = await openStoreAndDatabase(database, { now: NOW - 1000 })
    stores.push(opened.store)
    return opened
  }
  return {
    ...(await open()),
    again: async () => (await open()).store,
    async close() {
      for (const store of stores) await store.close()
    },
  }
})

test('PostgreSQL: a search finds words in any locale of the database', async () => {
  const database = await postgres.freshDatabase(`TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'`)
  const store = await openStore(database, { now: NOW })
  try {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1, { body: 'ÉCOLE…ΣΊΣΥΦΟΣ «ПРИВЕТ»' })] })
    for (const q of ['école', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'привет']) {
      const { items } = await store.listPosts({ podcastId: 'default', q, limit: 5, cursor: null })
      assert.equal(items.length, 1, q)
    }
  } finally {
    await store.close()
  }
})

async function empty(database: string): Promise<void> {
  const { rows } = await asAdmin(
    database,
    `SELECT string_agg(tablename, ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'counters')`,
  )
  await asAdmin(database, `TRUNCATE ${rows[0].tables} RESTART IDENTITY; UPDATE counters SET value = 0`)
}

async function asAdmin(database: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

crashContract('PostgreSQL', async () => {
  const database = await postgres.freshDatabase()
  const settled = () =>
    // The server notices a dead client when it next speaks to it.
    eventually(async () => assert.equal((await asAdmin(database, `SELECT pid ${OTHERS}`)).rowCount, 0))
  return { url: database, settled, remove: async () => {} }
})

test('PostgreSQL: broken connections are replaced, and transactions in progress fail completely', async () => {
  const database = await postgres.freshDatabase()
  const warnings: string[] = []
  const note = (_: unknown, message: string) => void warnings.push(message)
  const log = { debug: note, info: note, warn: note, error: note }
  const store = await openStore(database, { log })
  const admin = new pg.Client({ connectionString: database })
  await admin.connect()
  try {
    await withSources(store, aSource('s1'))
    const { rowCount } = await admin.query(BREAK_OTHERS)
    // The server ends a connection a little after it says so.
    await eventually(async () => assert.equal(warnings.length, rowCount))
    await eventually(() => store.ping())
    assert.equal(warnings.length, rowCount, 'each is told once')

    await admin.query('BEGIN; SELECT id FROM sources FOR UPDATE')
    const change = store.changeSource('s1', () => ({ set: { label: 'new' }, events: [] }))
    const failed = assert.rejects(change)
    await eventually(async () => assert.equal((await admin.query(WAITING)).rowCount, 1))
    await admin.query(BREAK_OTHERS)
    await failed
    await admin.query('COMMIT')
    await eventually(async () => assert.equal((await store.getSource('s1'))?.label, null))
  } finally {
    await admin.end()
    await store.close()
  }
})

const OTHERS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
const BREAK_OTHERS = `SELECT pg_terminate_backend(pid) ${OTHERS}`
const WAITING = `SELECT pid ${OTHERS} AND wait_event_type = 'Lock'`

/** Until it holds; the runner's own time limit ends a wait for ever. */
async function eventually(holds: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await holds()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

test('PostgreSQL: an error of the connection is marked as such, an error of a statement is not', async () => {
  const database = await postgres.freshDatabase()
  const db = await openPostgres(database)
  const nobody = new URL(database)
  nobody.port = '1'
  const away = await openPostgres(nobody.href)
  const admin = new pg.Client({ connectionString: database })
  await admin.connect()
  const saysAway = async (work: Promise<unknown>) => isStoreAway(await work.catch((error: unknown) => error))
  try {
    assert.equal(await saysAway(away.get('SELECT 1')), true)
    assert.equal(await saysAway(away.transaction((tx) => tx.get('SELECT 1'))), true)
    assert.equal(await saysAway(db.get('SELECT nothing')), false)
    const sleeping = saysAway(db.transaction((tx) => tx.get('SELECT pg_sleep(60)')))
    await eventually(async () =>
      assert.equal((await admin.query(`SELECT pid ${OTHERS} AND query LIKE '%pg_sleep(60)'`)).rowCount, 1),
    )
    await admin.query(BREAK_OTHERS)
    assert.equal(await sleeping, true)
  } finally {
    await admin.end()
    await db.close()
    await away.close()
  }
})

test('PostgreSQL: a server that stops answering times out, and later queries use other connections', async () => {
  const database = new URL(await postgres.freshDatabase())
  await using line = await startLine(Number(database.port))
  database.port = String(line.port)
  const db = await openPostgres(database.href, undefined, 200)
  try {
    // On a machine that stands still for a moment an ordinary query meets the limit too.
    await eventually(() => db.transaction((tx) => tx.get('SELECT 1')))
    line.fallSilent()
    assert.equal(isStoreAway(await db.get('SELECT 1').catch((error: unknown) => error)), true)
    await eventually(() => db.get('SELECT 1'))
    const halfway = db.transaction(async (tx) => {
      await tx.get('SELECT 1')
      line.fallSilent()
      return tx.get('SELECT 1')
    })
    assert.equal(isStoreAway(await halfway.catch((error: unknown) => error)), true)
    await eventually(() => db.get('SELECT 1'))
    // A migration may take longer.
    await eventually(() => db.transaction((tx) => tx.script('SELECT pg_sleep(0.4)')))
  } finally {
    await db.close()
  }
})

/** A way to the server on which connections made so far can fall silent, without being closed. */
async function startLine(toPort: number) {
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(toPort, '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => [near, far].forEach((one) => void one.destroy()))
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent: () => ends.forEach((end) => void end.unpipe().pause()),
    async [Symbol.asyncDispose]() {
      for (const end of ends) end.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('PostgreSQL: a transaction that lost a deadlock is repeated', async () => {
  const database = await postgres.freshDatabase()
  const db = await openPostgres(database)
  try {
    await db.transaction((tx) => tx.script('CREATE TABLE pair (id TEXT PRIMARY KEY, n INTEGER NOT NULL)'))
    await db.run(`INSERT INTO pair VALUES ('a', 0), ('b', 0)`)
    let attempts = 0
    let inside = 0
    const both = Promise.withResolvers<void>()
    const bump = (first: string, second: string) =>
      db.transaction(async (tx) => {
        attempts++
        await tx.run('UPDATE pair SET n = n + 1 WHERE id = ?', [first])
        if (++inside === 2) both.resolve()
        await both.promise
        await tx.run('UPDATE pair SET n = n + 1 WHERE id = ?', [second])
      })
    await Promise.all([bump('a', 'b'), bump('b', 'a')])
    // On a busy machine both may lose.
    assert.ok(attempts > 2, `${attempts} attempts`)
    assert.deepEqual(
      (await db.all('SELECT n FROM pair')).map((row) => row.n),
      [2, 2],
    )
  } finally {
    await db.close()
  }
})
