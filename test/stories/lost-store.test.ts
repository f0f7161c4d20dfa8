// The database file disappears under a running product.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWholeProduct } from '../support/whole-product.ts'

test('a database file that is deleted under a running server: writes are refused, nothing answers 201, one line tells', async () => {
  await using product = await startWholeProduct({ config: { server: { auth: 'auto' } } })
  const path = '/api/users/default/podcasts'
  assert.equal((await product.ask('POST', path, { body: { name: 'before' } })).status, 201)
  assert.equal((await product.ask('GET', '/readyz')).status, 200)
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(product.dir, `tidings.db${suffix}`))
  assert.equal((await product.ask('GET', '/readyz')).status, 503)
  const told = await product.ask('POST', path, { body: { name: 'after' } })
  assert.deepEqual([told.status, told.body.code], [503, 'store-away'])
  for (let n = 0; n < 3; n++) await product.app.engine.tick().catch(() => {})
  assert.equal((await product.ask('GET', '/healthz')).status, 200)
  const errors = product.lines().filter(({ level }) => level === 'error')
  assert.equal(errors.length, 1, JSON.stringify(errors))
  assert.match(errors[0]?.msg ?? '', /cannot be written/)
})
