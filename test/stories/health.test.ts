import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { DAY, HOUR, MINUTE, startWorld, TEST_START, type World } from '../support/world.ts'
import { World as ClockWorld } from '../support/world-under-clock.ts'

async function stateOf(world: World, id: string) {
  return world.tidings.catalogue.sources.get(id)
}

/** Polls by hand, so that neither interval nor backing off matters. */
async function pollTimes(world: World, id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await world.tidings.poll(id)
}

for (const [status, expected] of [
  [401, 'permanent'],
  [403, 'permanent'],
  [404, 'permanent'],
  [410, 'permanent'],
  [400, 'transient'],
  [408, 'transient'],
  [500, 'transient'],
  [503, 'transient'],
] as const) {
  test(`the class of an HTTP ${status} survives from the socket to the source row: ${expected}`, async () => {
    await using world = await startWorld()
    world.origin.route('/feed', { status })
    const { id } = await world.add('/feed')
    const record = await world.tidings.poll(id)
    assert.deepEqual([record.outcome, record.httpStatus, record.created], [expected, status, 0])
    const source = await stateOf(world, id)
    assert.deepEqual([source.consecutiveFailures, source.lastFailureType], [1, expected])
    assert.match(source.lastFailureReason ?? '', new RegExp(String(status)))
    assert.equal(source.lastPolled, new Date(TEST_START).toISOString())
    assert.equal(source.lastSucceededAt, null)
  })
}

test('a host name that does not exist is a permanent failure', async () => {
  await using world = await startWorld()
  const { id } = await world.tidings.catalogue.sources.create('default', {
    type: 'rss',
    url: 'http://nowhere.invalid/feed',
  })
  assert.equal((await world.tidings.poll(id)).outcome, 'permanent')
})

test('a refused connection and a body that is no feed are transient failures', async () => {
  await using world = await startWorld()
  world.origin.route('/page', { body: '<html><body>Not a feed</body></html>', contentType: 'text/html' })
  world.origin.route('/empty', { body: '' })
  const refused = await world.tidings.catalogue.sources.create('default', {
    type: 'rss',
    url: 'http://127.0.0.9:9/feed',
  })
  for (const { id } of [refused, await world.add('/page'), await world.add('/empty')]) {
    assert.equal((await world.tidings.poll(id)).outcome, 'transient')
  }
})

test('five permanent failures in a row disable a source, with the reason in words and an event', async () => {
  await using world = await startWorld()
  world.origin.route('/gone', { status: 404 })
  const { id } = await world.add('/gone', { pollIntervalMinutes: 60 })
  const events = world.tidings.events.subscribe({ types: ['source.disabled'] })
  await world.pass(0)
  for (let hours = 0; hours < 40; hours++) await world.pass(HOUR)
  const source = await stateOf(world, id)
  assert.equal(source.enabled, false)
  assert.equal(source.disabledReason, 'Auto-disabled after 5 consecutive 404 errors')
  assert.equal(source.nextPollAt, null)
  assert.equal(world.origin.requests.length, 5)
  const { value } = await events.next()
  assert.deepEqual([value.type, value.sourceId, value.reason], ['source.disabled', id, source.disabledReason])
  await pollTimes(world, id, 2)
  const told = world.lines.filter(({ message }) => message.includes('Auto-disabled after 5 consecutive 404 errors'))
  assert.equal(told.length, 1, 'told when it happens, not with each poll by hand after it')
})

test('different permanent errors are named in order of appearance; max-failures is configurable and per source', async () => {
  await using world = await startWorld({ config: { source: { maxFailures: 3 } } })
  world.origin.route('/a', { status: 404 })
  const a = await world.add('/a')
  await pollTimes(world, a.id, 2)
  world.origin.route('/a', { status: 410 })
  await pollTimes(world, a.id, 1)
  assert.equal(
    (await stateOf(world, a.id)).disabledReason,
    'Auto-disabled after 3 consecutive permanent errors (404, 410)',
  )
  const b = await world.tidings.catalogue.sources.create('default', {
    type: 'rss',
    url: 'http://nowhere.invalid/x',
    maxFailures: 2,
  })
  await pollTimes(world, b.id, 2)
  assert.equal((await stateOf(world, b.id)).disabledReason, 'Auto-disabled after 2 consecutive DNS errors')
})

test('ten transient failures never disable; one between permanent ones restarts the run but not the count', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 500 })
  const { id } = await world.add('/a')
  await pollTimes(world, id, 10)
  assert.equal((await stateOf(world, id)).enabled, true)
  world.origin.route('/a', { status: 404 })
  await pollTimes(world, id, 4)
  world.origin.route('/a', { status: 502 })
  await pollTimes(world, id, 1)
  world.origin.route('/a', { status: 404 })
  await pollTimes(world, id, 4)
  const source = await stateOf(world, id)
  assert.deepEqual([source.enabled, source.consecutiveFailures], [true, 19])
  await pollTimes(world, id, 1)
  assert.equal((await stateOf(world, id)).enabled, false)
})

test('enabling a source again clears its failures and makes it due', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 404 })
  const { id } = await world.add('/a', { maxFailures: 1 })
  await pollTimes(world, id, 1)
  await world.clock.advance(DAY)
  const source = await world.tidings.catalogue.sources.update(id, { enabled: true })
  assert.deepEqual(
    [source.consecutiveFailures, source.lastFailureType, source.lastFailureReason, source.disabledReason],
    [0, null, null, null],
  )
  assert.equal(source.nextPollAt, new Date(TEST_START + DAY).toISOString())
  await world.pass(0)
  assert.equal(world.origin.requests.length, 2)
})

test('backing off ends at the cap, globally and per source', async () => {
  await using world = await startWorld({ config: { source: { maxBackoffHours: 6 } } })
  world.origin.route('/a', { status: 500 })
  const a = await world.add('/a', { pollIntervalMinutes: 60 })
  const b = await world.add('/a?b', { pollIntervalMinutes: 60, maxBackoffHours: 12 })
  await pollTimes(world, a.id, 10)
  await pollTimes(world, b.id, 10)
  assert.equal((await stateOf(world, a.id)).effectivePollIntervalMinutes, 360)
  assert.equal((await stateOf(world, b.id)).effectivePollIntervalMinutes, 720)
})

test('a URL without a host is refused', async () => {
  await using world = await startWorld()
  await assert.rejects(world.tidings.catalogue.sources.create('default', { type: 'rss', url: 'http://' }), {
    code: 'invalid-input',
  })
})

test('a source without a parseable host fails in its own lane as an ordinary failure', async () => {
  await using world = await ClockWorld.start()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  origin.route('/feed', { body: rss([]) })
  const { store } = world.app
  const [broken, healthy] = [await world.add(`${origin.url}/broken`), await world.add(`${origin.url}/feed`)]
  // Nobody can create one: it is a row as a damaged store might have it.
  const nextPollAt = world.clock.now()
  await store.changeSource(broken, () => ({ set: { url: 'nowhere', host: null, lane: '', nextPollAt }, events: [] }))
  await store.changeSource(healthy, () => ({ set: { nextPollAt }, events: [] }))
  await world.run(1)
  const source = await world.source(broken)
  assert.deepEqual([source.consecutiveFailures, source.lastFailureType, source.enabled], [1, 'transient', true])
  assert.match(source.lastFailureReason ?? '', /address|URL/)
  assert.ok((source.nextPollAt ?? 0) > nextPollAt, 'it backs off')
  assert.equal(await store.hostState(''), null, 'no host is held responsible')
  assert.deepEqual(
    origin.requests.map(({ path }) => path),
    ['/feed'],
  )
  assert.equal((await world.source(healthy)).consecutiveFailures, 0)
})

test('what the server says about freshness moves the next poll, also on a 304, up to the cap', async () => {
  await using world = await startWorld()
  const headers = { 'cache-control': 'max-age=7200', age: '600' }
  world.origin.route('/a', { body: rss([]), etag: '"1"', headers })
  world.origin.route('/b', { body: rss([]), headers: { 'cache-control': 'max-age=31536000' } })
  world.origin.route('/c', { body: rss([], '<ttl>120</ttl>') })
  const [a, b, c] = [await world.add('/a'), await world.add('/b'), await world.add('/c', { honourFreshness: false })]
  for (const { id } of [a, b, c]) await world.tidings.poll(id)
  const next = async (id: string): Promise<number> =>
    Date.parse((await stateOf(world, id)).nextPollAt ?? '') - world.clock.now()
  assert.equal(await next(a.id), 6600_000)
  assert.equal(await next(b.id), DAY)
  assert.equal(await next(c.id), 30 * MINUTE)
  await world.clock.advance(MINUTE)
  assert.equal((await world.tidings.poll(a.id)).httpStatus, 304)
  assert.equal(await next(a.id), 6600_000)
})

test('what a feed says about how often to come holds for every 304 after it', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { body: rss([], '<ttl>120</ttl>'), etag: '"1"' })
  const { id } = await world.add('/a')
  await world.tidings.poll(id)
  await world.clock.advance(MINUTE)
  assert.equal((await world.tidings.poll(id)).httpStatus, 304)
  assert.equal((await stateOf(world, id)).nextPollAt, new Date(TEST_START + 121 * MINUTE).toISOString())
})
