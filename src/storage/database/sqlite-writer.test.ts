import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { isStorageFull } from '../../domain/problem.ts'
import type { Transaction } from './db.ts'
import { openSqlite } from './sqlite-db.ts'

async function opened() {
  const dir = mkdtempSync(join(tmpdir(), 'tidings-'))
  const path = join(dir, 'x.db')
  const db = await openSqlite(path)
  await db.run('CREATE TABLE t (a TEXT UNIQUE)')
  const other = new DatabaseSync(path)
  /** What is committed, as another process sees it. */
  const committed = () =>
    other
      .prepare('SELECT a FROM t ORDER BY rowid')
      .all()
      .map(({ a }) => String(a))
  const put = (a: string) => db.run('INSERT INTO t (a) VALUES (?)', [a])
  const dispose = async () => {
    other.close()
    try {
      await db.close()
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
  return { dir, db, put, committed, [Symbol.asyncDispose]: dispose }
}

const insert = (tx: Transaction, a: string) => tx.run('INSERT INTO t (a) VALUES (?)', [a])

/** However slow the machine is: nothing takes so long that a group may not grow any more. */
function stopTime(t: TestContext): void {
  const now = performance.now()
  t.mock.method(performance, 'now', () => now)
}

test('transactions that wait for each other are committed together, and none returns before that', async (t) => {
  stopTime(t)
  await using store = await opened()
  const seen: string[][] = []
  const writes = ['a', 'b', 'c'].map((name) =>
    store.db.transaction(async (tx) => {
      await insert(tx, name)
      seen.push(store.committed())
    }),
  )
  const returned = writes.map(async (write) => {
    await write
    return store.committed()
  })
  const whole = ['a', 'b', 'c']
  assert.deepEqual(await Promise.all(returned), [whole, whole, whole])
  assert.deepEqual(seen, [[], [], []])
})

test('transactions of one turn of the event loop are committed together, also if one ends before the next begins', async (t) => {
  stopTime(t)
  await using store = await opened()
  const returned: string[][] = []
  const begin = async (name: string): Promise<void> => {
    await store.put(name)
    returned.push(store.committed())
  }
  const all: Promise<void>[] = []
  // What one of them begins, and what follows without waiting for anything else, is over before the next one.
  await new Promise<void>((done) => {
    setImmediate(() => all.push(begin('a')))
    setImmediate(() => {
      assert.deepEqual(store.committed(), [])
      all.push(begin('b'))
      done()
    })
  })
  await Promise.all(all)
  const whole = ['a', 'b']
  assert.deepEqual(returned, [whole, whole])
})

for (const failing of ['a', 'b', 'c']) {
  test(`of three transactions that wait for each other, ${failing} fails, and only its rows are missing`, async () => {
    await using store = await opened()
    const writes = ['a', 'b', 'c'].map((name) =>
      store.db.transaction(async (tx) => {
        await insert(tx, name)
        if (name === failing) throw new Error('on purpose')
      }),
    )
    const settled = await Promise.allSettled(writes)
    const rest = ['a', 'b', 'c'].filter((name) => name !== failing)
    assert.deepEqual(
      settled.flatMap(({ status }, n) => (status === 'fulfilled' ? [['a', 'b', 'c'][n]] : [])),
      rest,
    )
    assert.deepEqual(store.committed(), rest)
  })
}

test('a statement that fails and is caught undoes nothing else', async () => {
  await using store = await opened()
  await store.put('x')
  await Promise.all([
    store.put('a'),
    store.db.transaction(async (tx) => {
      await insert(tx, 'b')
      await assert.rejects(insert(tx, 'x'))
    }),
  ])
  assert.deepEqual(store.committed(), ['x', 'a', 'b'])
})

test('a disk that fills up in one transaction: whoever was told so is missing, everybody else is there', async () => {
  await using store = await opened()
  await store.db.transaction((tx) => tx.script('PRAGMA max_page_count = 6'))
  const names = ['a', 'b'.repeat(50_000), 'c']
  const settled = await Promise.allSettled(names.map((name) => store.put(name)))
  const written = names.filter((_, n) => settled[n]?.status === 'fulfilled')
  assert.deepEqual(store.committed(), written)
  for (const one of settled) if (one.status === 'rejected') assert.ok(isStorageFull(one.reason))
  assert.equal(settled[1]?.status, 'rejected')
})

test('while the folder cannot be read writes fail, and afterwards they go on', async () => {
  await using store = await opened()
  await store.put('a')
  renameSync(store.dir, `${store.dir}-away`)
  // As a folder behaves that may not be entered: it is there, and nothing is known of its files.
  symlinkSync(store.dir, store.dir)
  const settled = await Promise.allSettled([store.put('b'), store.put('c')])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  rmSync(store.dir)
  renameSync(`${store.dir}-away`, store.dir)
  await store.put('d')
  assert.deepEqual(store.committed(), ['a', 'd'])
})

test('closing waits for what was begun, and commits it', async () => {
  const store = await opened()
  const writes = [store.put('a'), store.put('b')]
  const closed = store.db.close()
  await Promise.all(writes)
  assert.deepEqual(store.committed(), ['a', 'b'])
  await closed
  await store[Symbol.asyncDispose]().catch(() => {})
})
