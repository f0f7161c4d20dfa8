import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, TEST_START } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { rss, startProduct } from '../support/product.ts'
import { DAY, HOUR, MINUTE, startWorld } from '../support/world.ts'

for (const [when, firstTick] of [
  ['without any tick before', false],
  ['long after the last tick', true],
] as const) {
  test(`a poll that a clock set back puts into the future counts as one just now, ${when}`, async () => {
    await using world = await startWorld()
    world.origin.route('/feed', { body: rss([]) })
    const { id } = await world.add('/feed')
    if (firstTick) await world.tidings.tick()
    await world.clock.advance(2 * DAY)
    await world.tidings.poll(id)
    world.clock.setTo(TEST_START + HOUR)
    await world.pass(0)
    const { lastPolled, nextPollAt } = await world.tidings.catalogue.sources.get(id)
    assert.equal(lastPolled, new Date(TEST_START + HOUR).toISOString())
    assert.equal(nextPollAt, new Date(TEST_START + HOUR + 30 * MINUTE).toISOString())
    await world.pass(30 * MINUTE)
    assert.equal(world.origin.requests.length, 2)
  })
}

test('a clock that was set back is noticed by the first tick also when something was polled by hand since', async () => {
  await using world = await startWorld()
  for (const path of ['/a', '/b']) world.origin.route(path, { body: rss([]) })
  const [a, b] = [await world.add('/a'), await world.add('/b')]
  await world.clock.advance(5 * HOUR)
  await world.tidings.poll(a.id)
  world.clock.setTo(TEST_START + HOUR)
  await world.tidings.poll(b.id)
  await world.pass(0)
  const { lastPolled } = await world.tidings.catalogue.sources.get(a.id)
  assert.equal(lastPolled, new Date(TEST_START + HOUR).toISOString())
})

test('plans follow another max-backoff-hours after a restart; sources with a cap of their own keep theirs', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  origin.route('/feed', { status: 500 })
  origin.route('/own', { status: 500 })
  const before = await startProduct({ clock })
  const add = (path: string, maxBackoffHours: number | null) =>
    before.tidings.catalogue.sources.create('default', { type: 'rss', url: origin.url + path, maxBackoffHours })
  const sources = [await add('/feed', null), await add('/own', 12)]
  for (const { id } of sources) for (let n = 0; n < 8; n++) await before.tidings.poll(id)
  await before.stop()
  await using after = await startProduct({ clock, dir: before.dir, config: { source: { maxBackoffHours: 6 } } })
  await after.tidings.tick()
  const plans = sources.map(async ({ id }) => (await after.tidings.catalogue.sources.get(id)).nextPollAt)
  const inHours = (hours: number) => new Date(TEST_START + hours * HOUR).toISOString()
  assert.deepEqual(await Promise.all(plans), [inHours(6), inHours(12)])
})

test('what is planned for now stays so when the first tick finds plans of no known or another max-backoff-hours', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  origin.route('/feed', { body: rss([]), headers: { 'cache-control': 'max-age=20000' } })
  const again = async (product: Awaited<ReturnType<typeof startProduct>>, id: string) => {
    for (const enabled of [false, true]) await product.tidings.catalogue.sources.update(id, { enabled })
  }
  const before = await startProduct({ clock })
  const { id } = await before.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  await before.tidings.poll(id)
  await again(before, id)
  assert.equal((await before.tidings.tick()).due, 1)
  await before.tidings.drain()
  await again(before, id)
  await before.stop()
  await using after = await startProduct({ clock, dir: before.dir, config: { source: { maxBackoffHours: 6 } } })
  assert.equal((await after.tidings.tick()).due, 1)
})

for (const [how, before, change] of [
  ['another URL', {}, { url: 'http://127.0.0.2:9/other' }],
  ['being enabled', { enabled: false }, { enabled: true }],
] as const) {
  for (const wasPolled of [true, false]) {
    const whose = `a source ${wasPolled ? 'polled' : 'never polled'} before`
    test(`${whose} that ${how} made due stays due when its interval is changed as well`, async () => {
      await using world = await startWorld()
      world.origin.route('/feed', { body: rss([]) })
      const { id } = await world.add('/feed')
      if (wasPolled) await world.tidings.poll(id)
      const { update, get } = world.tidings.catalogue.sources
      await world.clock.advance(MINUTE)
      await update(id, before)
      await update(id, change)
      const { nextPollAt } = await get(id)
      assert.equal(nextPollAt, new Date(TEST_START + MINUTE).toISOString())
      await update(id, { pollIntervalMinutes: 1440 })
      assert.equal((await get(id)).nextPollAt, nextPollAt)
    })
  }
}

test('sources without an interval of their own follow the configured one after a restart, and are planned anew', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  for (const path of ['/a', '/b', '/c', '/off']) origin.route(path, { body: rss([]) })
  const before = await startProduct({ clock, config: { source: { pollIntervalMinutes: 60 } } })
  const { sources } = before.tidings.catalogue
  const add = async (path: string, settings = {}) =>
    (await sources.create('default', { type: 'rss', url: origin.url + path, ...settings })).id
  const follows = await add('/a')
  const own = await add('/b', { pollIntervalMinutes: 60 })
  const given = await add('/c', { pollIntervalMinutes: 7 })
  const disabled = await add('/off', { enabled: false })
  await sources.update(given, { pollIntervalMinutes: null })
  for (const id of [follows, own, given]) await before.tidings.poll(id)
  const polledAt = clock.now()
  const exported = (await sources.exportJson('default')).sources.map((source) => source.pollIntervalMinutes)
  assert.deepEqual(exported.toSorted(), [60, null, null, null])
  await before.stop()
  await using after = await startProduct({
    ...{ clock, dir: before.dir, config: { source: { pollIntervalMinutes: 20 } } },
  })
  await after.tidings.tick()
  const seen = async (id: string) => {
    const { pollIntervalMinutes, nextPollAt } = await after.tidings.catalogue.sources.get(id)
    return [pollIntervalMinutes, nextPollAt === null ? null : (Date.parse(nextPollAt) - polledAt) / MINUTE]
  }
  assert.deepEqual(await seen(follows), [20, 20])
  assert.deepEqual(await seen(given), [20, 20], 'what was taken back is nobody’s own')
  assert.deepEqual(await seen(own), [60, 60])
  assert.deepEqual(await seen(disabled), [20, null])
})

test('documents are read again, though unchanged, when the configured rules of choosing are others after a restart', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  const entries = [
    { title: 'New', guid: 'new', publishedAt: TEST_START + HOUR },
    { title: 'Out of order', guid: 'late', publishedAt: TEST_START + MINUTE },
  ]
  origin.route('/feed', { body: rss(entries.slice(0, 1)), etag: '"1"' })
  const before = await startProduct({ clock })
  const { id } = await before.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  await clock.advance(2 * HOUR)
  await before.tidings.poll(id)
  origin.route('/feed', { body: rss(entries), etag: '"2"' })
  assert.equal((await before.tidings.poll(id)).skipped.late, 1)
  await before.stop()
  const same = await startProduct({ clock, dir: before.dir })
  assert.equal((await same.tidings.poll(id)).httpStatus, 304)
  await same.stop()
  await using after = await startProduct({ clock, dir: before.dir, config: { source: { lateArrivalHours: 24 } } })
  const read = await after.tidings.poll(id)
  assert.deepEqual([read.httpStatus, read.created], [200, 1])
  assert.equal((await after.tidings.poll(id)).httpStatus, 304)
})

test('ticks that are far apart by configuration poll all the same, however many sources there are', async () => {
  await using world = await startWorld({ config: { source: { tickSeconds: 900 } } })
  for (let n = 0; n < 120; n++) {
    world.origin.route(`/${n}`, { body: rss([]) })
    await world.add(`/${n}`, { pollIntervalMinutes: 10 })
  }
  await world.tidings.tick()
  for (let n = 0; n < 3; n++) await world.pass(15 * MINUTE)
  assert.equal(world.origin.requests.length, 3 * 120)
})

test('a machine that wakes for a moment now and then still polls some of what is overdue each time, oldest first', async () => {
  await using world = await startWorld()
  for (let n = 0; n < 60; n++) {
    world.origin.route(`/${n}`, { body: rss([]) })
    await world.add(`/${n}`)
  }
  await world.tidings.tick()
  for (let n = 1; n <= 3; n++) {
    await world.pass(HOUR)
    assert.equal(world.origin.requests.length, 2 * n)
  }
  assert.equal(new Set(world.origin.requests.map(({ path }) => path)).size, 6)
})

test('a clock that tells fractions of a millisecond is read in whole ones', async () => {
  const clock = new ManualClock(TEST_START + 0.75)
  await using origin = await startOrigin({ host: '127.0.0.2' })
  origin.route('/feed', { body: rss([]) })
  await using product = await startProduct({ clock })
  const { tidings } = product
  const { id } = await tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  await tidings.poll(id)
  const { lastPolled, nextPollAt } = await tidings.catalogue.sources.get(id)
  const at = (ms: number) => new Date(TEST_START + ms).toISOString()
  assert.deepEqual([lastPolled, nextPollAt], [at(0), at(30 * MINUTE)])
})
