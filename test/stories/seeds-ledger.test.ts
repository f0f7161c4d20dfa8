// The ledger of the seeded worlds: what it does not read, no promise is compared with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../../bench/seeds/ledger.ts'
import { aSource, NOW, poll, withSources } from '../store-contract/fixtures.ts'
import { openStoreAndDatabase } from '../support/store-and-database.ts'

test('the ledger reads every poll once, also after the source with the newest one was removed', async () => {
  const { store, db } = await openStoreAndDatabase('file::memory:', { now: NOW })
  try {
    const ledger = new Ledger(
      db,
      () => NOW,
      (violation) => assert.fail(violation),
    )
    const read = async () => (await ledger.readRecords()).map((record) => [Number(record.id), record.source_id])
    await withSources(store, aSource('stays'), aSource('goes'))
    await poll(store, 'stays')
    await poll(store, 'goes')
    assert.deepEqual(await read(), [
      [1, 'stays'],
      [2, 'goes'],
    ])
    await store.removeSource('goes')
    await poll(store, 'stays')
    assert.deepEqual(await read(), [[3, 'stays']])
    assert.deepEqual(await read(), [])
  } finally {
    await store.close()
  }
})
