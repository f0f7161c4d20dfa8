import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usePostgres } from '../../../test/support/postgres.ts'
import { openPostgres } from './postgres-db.ts'
import { nameOfPrepared, prepared } from './prepared.ts'

const postgres = usePostgres()
const COUNT = 'SELECT count(*) AS n FROM pg_prepared_statements WHERE name = ?'

test('frequent statements are prepared under a name that follows from their text', async () => {
  const db = await openPostgres(await postgres.freshDatabase())
  try {
    const sql = prepared('SELECT CAST(? AS TEXT) AS it')
    const name = nameOfPrepared(sql) ?? ''
    assert.equal((await db.get(sql, ['a']))?.it, 'a')
    assert.equal((await db.get(COUNT, [name]))?.n, 1)
    assert.equal(nameOfPrepared('SELECT 2'), undefined)
  } finally {
    await db.close()
  }
})

for (const inTransaction of [false, true]) {
  test(`a table that gets another column is read on (${inTransaction ? 'in a transaction' : 'alone'})`, async () => {
    const db = await openPostgres(await postgres.freshDatabase())
    try {
      await db.run('CREATE TABLE things (one TEXT)')
      await db.run(`INSERT INTO things VALUES ('a')`)
      const sql = prepared(`SELECT *, ${inTransaction} AS place FROM things`)
      const read = () => (inTransaction ? db.transaction((tx) => tx.get(sql)) : db.get(sql))
      assert.equal((await read())?.one, 'a')
      await db.run(`ALTER TABLE things ADD COLUMN two TEXT DEFAULT 'b'`)
      assert.deepEqual({ ...(await read()) }, { one: 'a', two: 'b', place: inTransaction })
    } finally {
      await db.close()
    }
  })

  test(`a pooler that gives each statement another connection ends the preparing, and nothing else (${inTransaction ? 'in a transaction' : 'alone'})`, async () => {
    const db = await openPostgres(await postgres.freshDatabase())
    try {
      const sql = prepared(`SELECT CAST(? AS TEXT) AS it, ${inTransaction} AS place`)
      const read = () => (inTransaction ? db.transaction((tx) => tx.get(sql, ['a'])) : db.get(sql, ['a']))
      await read()
      // The server forgets what the driver believes to be prepared, as after a change of connections.
      await db.run('DEALLOCATE ALL')
      assert.equal((await read())?.it, 'a')
      assert.equal((await db.get(COUNT, [nameOfPrepared(sql) ?? '']))?.n, 0)
      assert.equal((await read())?.it, 'a')
    } finally {
      await db.close()
    }
  })
}
