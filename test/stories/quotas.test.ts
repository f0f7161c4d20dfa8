import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostView as hostViewOf } from '../../src/catalogue/shapes/host-view.ts'
import { configFrom } from '../../src/config.ts'
import { HOUR_MS } from '../../src/domain/schedule.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const body = rss([{ title: 'One', guid: '1' }])

async function twoFeeds(headers: Record<string, string>) {
  const world = await World.start()
  const origin = await startOrigin({ now: () => world.clock.now() })
  const ids: string[] = []
  for (const path of ['/a', '/b']) {
    origin.route(path, { body, headers })
    ids.push(await world.add(origin.url + path, { pollIntervalMinutes: 60 }))
  }
  const hostView = async () => {
    const now = world.clock.now()
    const listing = await world.app.store.hostListing(origin.host, { userId: null, now })
    assert.ok(listing)
    return hostViewOf(listing, configFrom({}).source, now, null)
  }
  return { world, origin, ids, hostView }
}

test('a quota that a good answer says is spent closes the lane until it is filled again, without a failure', async () => {
  const { world, origin, ids, hostView } = await twoFeeds({ ratelimit: '"minute";r=0;t=300' })
  await using _world = world
  await using _origin = origin
  const [a = '', b = ''] = ids
  assert.equal((await world.app.engine.poll(a)).outcome, 'success')
  const until = new Date(world.clock.now() + 300_000).toISOString()
  const host = await hostView()
  assert.deepEqual([host.notBefore, host.notBeforeReason], [until, 'says that our quota is spent'])
  await world.app.catalogue.sources.update(b, { enabled: false })
  await world.app.catalogue.sources.update(b, { enabled: true })
  const why = await world.app.engine.why(b)
  assert.equal(why.code, 'lane-closed')
  assert.match(why.sentence, /left alone until .*quota is spent/)
  await world.run(5)
  assert.equal(origin.requests.length, 1)
  await world.run(1)
  assert.equal(origin.requests.length, 2)
  const { consecutiveFailures, enabled } = await world.source(a)
  assert.deepEqual([consecutiveFailures, enabled], [0, true])
})

test('a quota that is left is spread over the time it has to last, and why and /hosts name it', async () => {
  const { world, origin, ids, hostView } = await twoFeeds({
    'x-ratelimit-remaining': '4.0',
    'x-ratelimit-reset': '480',
  })
  await using _world = world
  await using _origin = origin
  const [a = '', b = ''] = ids
  await world.app.engine.poll(a)
  const host = await hostView()
  assert.match(host.notBeforeReason ?? '', /quota of 4 more requests in 480 s/)
  assert.equal(host.notBefore, new Date(world.clock.now() + 120_000).toISOString())
  await world.app.catalogue.sources.update(b, { enabled: false })
  await world.app.catalogue.sources.update(b, { enabled: true })
  assert.match((await world.app.engine.why(b)).sentence, /has a quota of 4 more requests in 480 s/)
  const polled = world.app.engine.poll(b)
  await world.clock.advance(119_000)
  assert.equal(origin.requests.length, 1)
  await world.clock.advance(1000)
  assert.equal((await polled).outcome, 'success')
})

test('a quota of days is left alone for no longer than the backoff cap, and one on an error counts too', async () => {
  const { world, origin, ids } = await twoFeeds({})
  await using _world = world
  await using _origin = origin
  origin.route('/a', { status: 404, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '999999' } })
  await world.app.engine.poll(ids[0] ?? '')
  const host = await world.app.store.hostState(origin.host)
  assert.equal(host?.closedUntil, world.clock.now() + 24 * HOUR_MS)
})

test('a preview that is told of a spent quota closes the lane', async () => {
  const { world, origin } = await twoFeeds({ ratelimit: 'limit=10, remaining=0, reset=600' })
  await using _world = world
  await using _origin = origin
  const asking = { userId: 'default', basicAuth: null, trusted: true }
  await world.app.engine.testFetch({ ...asking, url: `${origin.url}/a`, type: 'rss' })
  assert.equal((await world.app.store.hostState(origin.host))?.closedUntil, world.clock.now() + 600_000)
})
