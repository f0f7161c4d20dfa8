import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqlite } from './sqlite-db.ts'

const [ON_DISK, IN_MEMORY] = [1, 2]

test('what undoes a statement is kept in memory, and only migrations sort on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-'))
  const db = await openSqlite(join(folder, 'store.db'))
  try {
    await db.transaction(async (tx) => {
      await tx.script('CREATE TABLE seen AS SELECT temp_store FROM pragma_temp_store -- as a migration may end')
      assert.equal((await tx.get('SELECT temp_store FROM seen'))?.temp_store, ON_DISK)
      assert.equal((await tx.get('PRAGMA temp_store'))?.temp_store, IN_MEMORY)
    })
    await assert.rejects(db.transaction((tx) => tx.script('SELECT nothing')))
    await db.transaction(async (tx) => assert.equal((await tx.get('PRAGMA temp_store'))?.temp_store, IN_MEMORY))
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})
