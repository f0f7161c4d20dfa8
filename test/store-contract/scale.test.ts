// Costs at a hundred thousand sources, in processor time, so that a busy machine does not count.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../src/ports/store.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { assertWithin } from '../support/processor-time.ts'
import { type TempStore, tempStore } from '../support/temp-store.ts'
import { NOW } from './fixtures.ts'
import { seedSources } from './many-sources.ts'

const SOURCES = 100_000
let temp: TempStore
let store: Store

before(async () => {
  temp = await tempStore({ now: NOW })
  await temp.store.close()
  await seedSources(temp.url.slice('file:'.length), { sources: SOURCES, due: 200, lanes: 5000 })
  store = await openStore(temp.url)
})

after(async () => {
  await store.close()
  await temp.remove()
})

test('a store with a hundred thousand sources opens in under half a second', async () => {
  await store.close()
  await assertWithin(500, async () => {
    store = await openStore(temp.url)
    await store.close()
  })
  store = await openStore(temp.url)
})

test('finding two hundred due sources among a hundred thousand costs as much as among two hundred', async () => {
  // All hundred thousand cost twenty times this.
  await assertWithin(15, async () => assert.equal((await store.dueLanes(NOW)).length, 200))
})

test('a lane takes its next source without reading those of other lanes', async () => {
  const lanes = (await store.dueLanes(NOW)).map(({ lane }) => lane)
  await assertWithin(lanes.length, async () => {
    for (const lane of lanes) assert.ok(await store.nextDueOf(lane, NOW, []))
  })
})

test('totals, hosts and a page of sources are answered quickly', async () => {
  await assertWithin(1000, async () => {
    assert.equal((await store.totals({ userId: null, now: NOW })).hosts, 5000)
    assert.equal((await store.listHosts({ userId: null, now: NOW, limit: 50, cursor: null })).items.length, 50)
    assert.equal((await store.listSources({ podcastId: null, limit: 50, cursor: null, q: '/99999' })).items.length, 1)
  })
})
