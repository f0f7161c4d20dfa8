import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]) }
const GONE = { status: 404, body: 'gone' }

async function worked(count: number, settings: Readonly<Record<string, unknown>> = {}) {
  const world = await World.start()
  const origin = await startOrigin({ now: () => world.clock.now() })
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    origin.route(`/feed-${index}`, FEED)
    ids.push(await world.add(`${origin.url}/feed-${index}`, { pollIntervalMinutes: 60, ...settings }))
  }
  await world.run(70, 5)
  const answer = (from: number, what: Parameters<Origin['route']>[1]) => {
    for (let index = from; index < count; index++) origin.route(`/feed-${index}`, what)
  }
  const enabled = async () =>
    (await Promise.all(ids.map((id) => world.source(id)))).filter((each) => each.enabled).length
  return { world, origin, ids, answer, enabled, [Symbol.asyncDispose]: () => dispose(world, origin) }
}

async function dispose(...all: AsyncDisposable[]): Promise<void> {
  for (const one of all) await one[Symbol.asyncDispose]()
}

for (const count of [3, 10]) {
  test(`${count} feeds of a host that all answer 404 for weeks are not disabled, and all are back when it is`, async () => {
    await using story = await worked(count)
    const { world, origin, answer, enabled } = story
    answer(0, GONE)
    await world.run(120, 5)
    const [opened, ...more] = await world.events('host.opened')
    assert.equal(more.length, 0)
    assert.match(String(opened?.data.reason), /of \d+ sources that worked fail for good since its last success/)
    const asked = origin.requests.length
    await world.run(21 * 24 * 60, 60)
    assert.ok(origin.requests.length - asked < 30, `${origin.requests.length - asked} requests in three weeks`)
    assert.equal(await enabled(), count)
    assert.deepEqual(await world.events('source.disabled'), [])
    answer(0, FEED)
    await world.run(26 * 60, 30)
    assert.equal((await world.events('host.closed')).length, 1)
    assert.equal(await enabled(), count)
  })
}

test('what a storm disabled before it was one is enabled again when a success ends it', async () => {
  await using story = await worked(8, { maxFailures: 1 })
  const { world, origin, answer, enabled, ids } = story
  answer(0, GONE)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  const disabled = (await world.events('source.disabled')).length
  assert.ok(disabled >= 3 && disabled <= 4, `${disabled} disabled`)
  answer(0, FEED)
  const last = (await world.events('source.disabled'))[0]?.sourceId ?? ''
  assert.equal((await world.app.engine.poll(last)).outcome, 'success')
  assert.equal((await world.app.store.hostState(origin.host))?.breaker.state, 'closed')
  assert.equal(await enabled(), 8)
  assert.equal((await world.events('source.enabled')).length, disabled)
  for (const id of ids) {
    const { disabledReason, consecutiveFailures, nextPollAt } = await world.source(id)
    assert.deepEqual([disabledReason, consecutiveFailures], [null, 0])
    assert.ok(nextPollAt !== null && nextPollAt > world.clock.now())
  }
})

test('fewer than half of a host’s feeds make no storm: they are disabled', async () => {
  await using story = await worked(10)
  const { world, answer, enabled } = story
  answer(6, GONE)
  await world.run(40 * 60, 10)
  assert.deepEqual(await world.events('host.opened'), [])
  assert.equal(await enabled(), 6)
})

test('what a person disabled, or was disabled long before, stays disabled', async () => {
  await using story = await worked(6, { maxFailures: 1 })
  const { world, ids, answer, enabled, origin } = story
  const [first = '', second = ''] = ids
  await world.app.catalogue.sources.update(first, { enabled: false })
  origin.route('/feed-1', GONE)
  await world.app.engine.poll(second)
  await world.run(70, 5)
  answer(2, GONE)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  answer(2, FEED)
  while ((await world.events('host.closed')).length === 0) await world.run(10, 10)
  assert.equal(await enabled(), 4)
})

test('a host all of whose feeds were disabled in the storm is still probed, and all are back when it is', async () => {
  await using story = await worked(3, { maxFailures: 1 })
  const { world, origin, ids, answer, enabled } = story
  answer(0, GONE)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  assert.equal(await enabled(), 0)
  await world.app.catalogue.sources.update(ids[0] ?? '', { enabled: true })
  await world.app.catalogue.sources.update(ids[0] ?? '', { enabled: false })
  const asked = origin.requests.length
  await world.run(3 * 24 * 60, 60)
  const probes = origin.requests.slice(asked).map(({ path }) => path)
  assert.ok(probes.length > 0 && probes.length < 10, `${probes.length} probes in three days`)
  assert.deepEqual(new Set(probes), new Set(['/feed-1', '/feed-2']), 'whoever a person disabled is left alone')
  answer(0, FEED)
  while ((await world.events('host.closed')).length === 0) await world.run(10, 10)
  assert.equal(await enabled(), 2)
  assert.equal((await world.events('source.enabled')).filter(({ sourceId }) => sourceId !== ids[0]).length, 2)
})

for (const count of [3, 6]) {
  test(`a reset by hand enables what the storm disabled on a host with ${count} feeds, and nothing that a person did`, async () => {
    await using story = await worked(count, { maxFailures: 1 })
    const { world, origin, ids, answer, enabled } = story
    answer(0, GONE)
    while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
    const disabled = (await world.events('source.disabled')).map(({ sourceId }) => sourceId ?? '')
    const [byPerson = '', ...byStorm] = disabled
    await world.app.catalogue.sources.update(byPerson, { enabled: true })
    await world.app.catalogue.sources.update(byPerson, { enabled: false })
    answer(0, FEED)
    await world.app.engine.resetBreaker(origin.host)
    assert.equal(await enabled(), count - 1)
    const told = (await world.events('source.enabled')).filter(({ sourceId }) => sourceId !== byPerson)
    assert.deepEqual(told.map(({ sourceId }) => sourceId).sort(), byStorm.sort())
    assert.ok(told.every(({ data }) => data.reason === 'its host is asked again'))
    await world.run(120, 5)
    for (const id of ids.filter((each) => each !== byPerson)) {
      const { lastSucceededAt, lastPermanentAt, consecutiveFailures } = await world.source(id)
      assert.ok((lastSucceededAt ?? 0) > (lastPermanentAt ?? 0), 'it was asked again')
      assert.equal(consecutiveFailures, 0)
    }
  })
}

test('a reset by hand of a host that still answers 404 loses nobody: all are back when it is', async () => {
  await using story = await worked(6, { maxFailures: 1 })
  const { world, origin, answer, enabled } = story
  answer(0, GONE)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  await world.app.engine.resetBreaker(origin.host)
  while ((await world.events('host.opened')).length < 2) await world.run(5, 5)
  answer(0, FEED)
  while ((await world.events('host.closed')).length < 2) await world.run(10, 10)
  assert.equal(await enabled(), 6)
})
