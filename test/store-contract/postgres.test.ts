import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Store } from '../../src/ports/store.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { openPostgres } from '../../src/storage/postgres-db.ts'
import { usePostgres } from '../support/postgres.ts'
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
    const store = await openStore(database, { now: NOW - 1000 })
    stores.push(store)
    return store
  }
  return {
    store: await open(),
    again: open,
    async close() {
      for (const store of stores) await store.close()
    },
  }
})

test('PostgreSQL: words are found whatever the locale of the database', async () => {
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

test('PostgreSQL: connections that break are replaced, and what was under way fails as a whole', async () => {
  const database = await postgres.freshDatabase()
  const warnings: string[] = []
  const note = (_: unknown, message: string) => void warnings.push(message)
  const log = { debug: note, info: note, warn: note, error: note }
  const store = await openStore(database, { log })
  const admin = new pg.Client({ connectionString: database })
  await admin.connect()
  try {
    await withSources(store, aSource('s1'))
    await admin.query(BREAK_OTHERS)
    // The server ends a connection a little after it says so.
    await eventually(async () => assert.ok(warnings.length > 0))
    await eventually(() => store.ping())

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

test('PostgreSQL: a transaction that lost a deadlock is made again', async () => {
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
    assert.equal(attempts, 3)
    assert.deepEqual(
      (await db.all('SELECT n FROM pair')).map((row) => row.n),
      [2, 2],
    )
  } finally {
    await db.close()
  }
})
