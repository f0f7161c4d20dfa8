import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isNearlyFull } from '../../domain/disk-space.ts'
import { isStorageFull, isStoreAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import { SqliteAvailability } from './sqlite-availability.ts'
import { openSqlite } from './sqlite-db.ts'

async function opened() {
  const logged: string[] = []
  const write = (fields: Readonly<Record<string, unknown>>, message: string) => {
    logged.push(`${message} ${fields.reason ?? ''}`.trim())
  }
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const dir = mkdtempSync(join(tmpdir(), 'tidings-away-'))
  const path = join(dir, 'x.db')
  const db = await openSqlite(path, log)
  await db.run('CREATE TABLE t (a TEXT)')
  const put = (text = 'x') => db.run('INSERT INTO t (a) VALUES (?)', [text])
  const dispose = async () => {
    await db.close().catch(() => {})
    rmSync(dir, { recursive: true, force: true })
  }
  return { db, path, put, logged, [Symbol.asyncDispose]: dispose }
}

for (const [what, harm] of [
  ['the file is deleted', (path: string) => rmSync(path)],
  ['the file is moved away', (path: string) => renameSync(path, `${path}.old`)],
  [
    'the file is replaced by a copy',
    (path: string) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    },
  ],
  ['the write-ahead log is deleted', (path: string) => rmSync(`${path}-wal`)],
] as const) {
  test(`when ${what}, no write succeeds any more, and one log line says so`, async () => {
    await using store = await opened()
    await store.put()
    harm(store.path)
    for (let n = 0; n < 3; n++) await assert.rejects(store.put(), isStoreAway)
    assert.equal(store.logged.length, 1)
    assert.match(store.logged[0] ?? '', /^The database cannot be written: .* was deleted or replaced/)
  })
}

test('a full disk refuses writes until there is room again; one log line tells of each', async () => {
  await using store = await opened()
  // As SQLite behaves on a full disk: it cannot add a page.
  await store.db.transaction((tx) => tx.script('PRAGMA max_page_count = 3'))
  const large = 'x'.repeat(100_000)
  for (let n = 0; n < 3; n++) {
    await assert.rejects(store.put(large), (error) => isStorageFull(error) && isStoreAway(error))
  }
  assert.equal(store.logged.length, 1)
  await store.db.transaction((tx) => tx.script('PRAGMA max_page_count = 100000'))
  await store.put(large)
  assert.equal(store.logged.length, 2)
  assert.match(store.logged[1] ?? '', /^The database can be written again/)
  assert.equal((await store.db.all('SELECT a FROM t')).length, 1)
})

test('a file that becomes read-only refuses writes, with one log line, and can still be read', async () => {
  await using store = await opened()
  await store.put()
  // As SQLite behaves when the file system was mounted again, read-only: SQLITE_READONLY.
  await store.db.transaction((tx) => tx.script('PRAGMA query_only = ON'))
  for (let n = 0; n < 3; n++) await assert.rejects(store.put(), isStoreAway)
  assert.equal((await store.db.all('SELECT a FROM t')).length, 1)
  assert.equal(store.logged.length, 1)
})

test('a file that cannot be read is marked as away, for whoever reads from it', () => {
  const failed = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode })
  const availability = new SqliteAvailability(null)
  // SQLITE_IOERR_READ, SQLITE_IOERR and SQLITE_CANTOPEN; a statement that is wrong is another matter.
  for (const errcode of [266, 10, 14]) assert.equal(isStoreAway(availability.onReadError(failed(errcode))), true)
  assert.equal(isStoreAway(availability.onReadError(failed(1))), false)
})

test('errors of a statement are not taken for a database that cannot be written', async () => {
  await using store = await opened()
  await assert.rejects(store.db.run('INSERT INTO nothing VALUES (1)'), (error) => !isStoreAway(error))
  assert.deepEqual(store.logged, [])
})

test('a disk is nearly full below 50 MB or 1 %', () => {
  assert.equal(isNearlyFull({ freeBytes: 49_999_999, totalBytes: 1e9 }), true)
  assert.equal(isNearlyFull({ freeBytes: 50_000_000, totalBytes: 1e9 }), false)
  assert.equal(isNearlyFull({ freeBytes: 999_999_999, totalBytes: 1e11 }), true)
  assert.equal(isNearlyFull({ freeBytes: 1_000_000_000, totalBytes: 1e11 }), false)
})

test('a full disk is logged once, though small writes succeed on it, until it has room', () => {
  const logged: string[] = []
  const write = (_fields: unknown, message: string) => logged.push(message)
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
  let freeBytes = 4096
  const availability = new SqliteAvailability('/data/x.db', log, undefined, () => freeBytes)
  const full = () => availability.onError(Object.assign(new Error('database or disk is full'), { errcode: 13 }))
  for (let tick = 0; tick < 5; tick++) {
    availability.onWritten()
    full()
  }
  assert.equal(logged.length, 1)
  freeBytes = 1e9
  availability.onWritten()
  availability.onWritten()
  assert.deepEqual(
    logged.map((line) => line.slice(0, 23)),
    ['The database cannot be ', 'The database can be wri'],
  )
  full()
  assert.equal(logged.length, 3)
})
