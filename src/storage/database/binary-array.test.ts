import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { usePostgres } from '../../../test/support/postgres.ts'
import { type ArrayType, binaryArray } from './binary-array.ts'

const postgres = usePostgres()

const CASES: readonly (readonly [ArrayType, readonly (string | number | Uint8Array | null)[]])[] = [
  ['text', []],
  ['text', ['a', null, '', 'NULL', '{"a",\\}', 'Grüße 😀 地震', 'x'.repeat(100_000)]],
  ['bigint', [0, -1, null, 2 ** 31, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['bytea', [Buffer.from([0, 1, 255]), null, Buffer.alloc(0)]],
]

test('PostgreSQL reads arrays as they were written', async () => {
  const client = new pg.Client(await postgres.freshDatabase())
  await client.connect()
  try {
    for (const [type, values] of CASES) {
      const sql = `SELECT value FROM unnest(CAST($1 AS ${type}[])) WITH ORDINALITY AS t (value, place) ORDER BY place`
      const { rows } = await client.query(sql, [binaryArray(type, values)])
      const read = rows.map(({ value }) => (type === 'bigint' && value !== null ? Number(value) : value))
      assert.deepEqual(read, values)
    }
  } finally {
    await client.end()
  }
})
