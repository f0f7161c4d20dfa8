// Costs at a hundred thousand sources, in processor time, so that a busy machine does not count.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forecast } from '../../src/catalogue/consumers/forecast.ts'
import { configFrom } from '../../src/config.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqlite } from '../../src/storage/database/sqlite-db.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { assertWithin, leastMs, longestStretchMs } from '../support/processor-time.ts'
import { type TempStore, tempStore } from '../support/temp-store.ts'
import { DAY_MS, NOW } from './fixtures.ts'
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

test('the forecast of a hundred thousand sources reads a sample of them, and its pages of hosts add up to all', async () => {
  const engine = { status: () => ({ outage: null }) }
  const parts = { store, clock: { now: () => NOW }, config: configFrom({}), engine, types: BUILT_IN_TYPES }
  const ask = (limit: number, cursor: string | null) =>
    forecast(parts as unknown as Parameters<typeof forecast>[0], { userId: null, hours: 24, limit, cursor })
  await assertWithin(300, async () => {
    const { estimated, hours, hosts } = await ask(50, null)
    assert.deepEqual([estimated, hours.length, hosts.length], [true, 24, 50])
    // Each is asked once an hour.
    for (const { requests } of hours) assert.equal(requests, SOURCES)
    assert.deepEqual(hosts[0], { host: 'host0.example', requests: 480, byHour: new Array(24).fill(20) })
  })
  const seen = new Set<string>()
  let [cursor, pages]: [string | null, number] = [null, 0]
  for (; pages < 4 && (cursor !== null || pages === 0); pages++) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(500, cursor)
    for (const { host } of page.hosts) seen.add(host)
    cursor = page.nextCursor
  }
  assert.equal(seen.size, 4 * 500)
})

test('an estimated forecast is at most half a minute old, and made anew when a source is disabled', async () => {
  let now = NOW
  const engine = { status: () => ({ outage: null }) }
  const parts = { store, clock: { now: () => now }, config: configFrom({}), engine, types: BUILT_IN_TYPES }
  const madeAt = async (at: number) => {
    now = at
    const request = { userId: null, hours: 24, limit: 1, cursor: null }
    const { from, hours } = await forecast(parts as unknown as Parameters<typeof forecast>[0], request)
    assert.equal(from, hours[0]?.from)
    return Date.parse(from)
  }
  const first = NOW + DAY_MS
  assert.equal(await madeAt(first), first)
  assert.equal(await madeAt(first + 29_999), first)
  assert.equal(await madeAt(first + 30_000), first + 30_000)
  assert.equal(await madeAt(first - 1), first - 1, 'the clock was set back')
  const [source] = (await store.listSources({ podcastId: null, limit: 1, cursor: null })).items
  await store.changeSource(source?.id ?? '', () => ({ set: { enabled: false }, events: [] }))
  assert.equal(await madeAt(first), first, 'a source was disabled')
  await store.changeSource(source?.id ?? '', () => ({ set: { enabled: true }, events: [] }))
})

test('looking for the few plans that lean on a setting, among a hundred thousand, does not block the event loop', async () => {
  const least = await leastMs(50, () =>
    longestStretchMs(async () => {
      assert.deepEqual(await store.plannedUnderCap('', 500), [])
      assert.deepEqual(await store.plannedUnderInterval('', 500), [])
    }),
  )
  assert.ok(least < 50, `the event loop stood still for ${least.toFixed(1)} ms of work`)
})

test('every source without an interval of its own follows the configured one, and is found by it once', async () => {
  const db = await openSqlite(temp.url.slice('file:'.length))
  try {
    await db.run('UPDATE sources SET has_own_interval = created_at % 7 <> 0')
    const wanted = Number((await db.get('SELECT count(*) AS n FROM sources WHERE has_own_interval = 0'))?.n)
    for (let after: string | null = ''; after !== null; ) after = await store.followInterval(47, after)
    const following = await db.get(
      'SELECT count(*) AS n, sum(has_own_interval) AS own FROM sources WHERE poll_interval_minutes = 47',
    )
    assert.deepEqual([Number(following?.n), Number(following?.own)], [wanted, 0])
    const found: string[] = []
    for (let size = 500; size === 500; ) {
      const some = await store.plannedUnderInterval(found.at(-1) ?? '', 500)
      for (const { id } of some) found.push(id)
      size = some.length
    }
    assert.deepEqual([found.length, new Set(found).size], [wanted, wanted])
  } finally {
    await db.close()
  }
})
