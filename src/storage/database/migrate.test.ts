import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openStore } from '../open-store.ts'
import type { Database } from './db.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openSqlite } from './sqlite-db.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-migrate-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openSqlite(join(folder, 'x.db'))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const first = { version: 1, name: '0001-a.sql', sql: 'CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER)' }
const second = { version: 2, name: '0002-b.sql', sql: 'INSERT INTO a VALUES (1)' }

test('each migration is applied once, in order, and new ones are added later', async () => {
  await withDatabase((db) => migrate(db, [first]))
  await withDatabase(async (db) => {
    assert.equal(await migrate(db, [first, second]), 2)
    assert.equal(await migrate(db, [first, second]), 2)
    assert.deepEqual((await db.all('SELECT x FROM a')).length, 1)
  })
})

test('a migration that fails changes nothing', async () => {
  const broken = { version: 2, name: '0002-b.sql', sql: 'INSERT INTO a VALUES (1); INSERT INTO nowhere VALUES (1)' }
  await withDatabase(async (db) => {
    await assert.rejects(migrate(db, [first, broken]), /nowhere/)
    assert.equal((await db.all('SELECT x FROM a')).length, 0)
    assert.equal(await migrate(db, [first, second]), 2)
  })
})

test('a database with a newer schema is refused, and the error says what to do', async () => {
  const url = `file:${join(folder, 'store.db')}`
  const store = await openStore(url)
  const known = await store.schemaVersion()
  await store.close()
  const db = await openSqlite(join(folder, 'store.db'))
  await db.run('INSERT INTO schema_migrations (version, name) VALUES (?, ?)', [known + 1, 'from-the-future'])
  await db.close()
  await assert.rejects(openStore(url), {
    message:
      `The database has schema version ${known + 1}, this version of Tidings knows ${known}. ` +
      'Run the newer Tidings that wrote it, or restore a backup from before the upgrade.',
  })
})

test('two processes that open an empty file at the same time both succeed', async () => {
  const url = `file:${join(folder, 'store.db')}`
  const stores = await Promise.all([openStore(url), openStore(url), openStore(url)])
  for (const store of stores) {
    assert.equal((await store.getUser('default'))?.id, 'default')
    await store.close()
  }
})

test('migrations exist for both engines, with the same names and numbers without a gap', async () => {
  const names = (engine: 'sqlite' | 'postgres') => readMigrations(engine).map(({ name }) => name)
  assert.deepEqual(names('sqlite'), names('postgres'))
  for (const engine of ['sqlite', 'postgres']) await mkdir(join(folder, engine))
  await writeFile(join(folder, 'sqlite', '0001-a.sql'), '')
  assert.throws(() => readMigrations('sqlite', folder), /not in pairs/)
  await writeFile(join(folder, 'postgres', '0001-a.sql'), '')
  assert.equal(readMigrations('sqlite', folder).length, 1)
  for (const engine of ['sqlite', 'postgres']) await writeFile(join(folder, engine, '0003-c.sql'), '')
  assert.throws(() => readMigrations('sqlite', folder), /0003-c.sql should have the number 2/)
})
