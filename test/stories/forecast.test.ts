import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecast } from '../../src/catalogue/consumers/forecast.ts'
import { configFrom } from '../../src/config.ts'
import { HOUR_MS } from '../../src/domain/schedule.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const HOURS = 24
const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]) }

const foretold = (world: World) =>
  forecast(
    { ...world.app, clock: world.clock, config: configFrom({}) },
    { userId: null, hours: HOURS, limit: 50, cursor: null },
  )

/** What the origin is asked, hour by hour, in the day that begins now. */
async function happens(world: World, origin: Origin): Promise<number[]> {
  const from = world.clock.now()
  const before = origin.requests.length
  await world.run(HOURS * 60, 2)
  const hours = origin.requests.slice(before).map(({ at }) => Math.floor((at - from) / HOUR_MS))
  return Array.from({ length: HOURS }, (_, hour) => hours.filter((each) => each === hour).length)
}

test('what is foretold for a day comes true for sources whose answers stay fresh longer than their interval', async () => {
  await using world = await World.start()
  await using origin = await startOrigin({ now: () => world.clock.now() })
  for (const [path, maxAge] of Object.entries({ '/a': 10_800, '/b': 0, '/c': 60 })) {
    origin.route(path, { ...FEED, headers: { 'cache-control': `max-age=${maxAge}` } })
    await world.add(`${origin.url}${path}`, { pollIntervalMinutes: 60 })
  }
  await world.run(70, 2)
  const [host] = (await foretold(world)).hosts
  const actual = (await happens(world, origin)).reduce((all, count) => all + count, 0)
  assert.ok(Math.abs((host?.requests ?? 0) - actual) <= 3, `${host?.requests} foretold, ${actual} happened`)
})

test('what is foretold of a host whose breaker is open comes true when its next probe succeeds', async () => {
  await using world = await World.start()
  await using origin = await startOrigin({ now: () => world.clock.now() })
  const paths = Array.from({ length: 20 }, (_, index) => `/feed-${index}`)
  for (const path of paths) {
    origin.route(path, FEED)
    await world.add(`${origin.url}${path}`, { pollIntervalMinutes: 720 })
  }
  await world.run(730, 10)
  for (const path of paths) origin.route(path, { status: 403 })
  await world.run(20 * 60, 10)
  assert.equal((await world.app.store.troubledHosts()).length, 1)
  for (const path of paths) origin.route(path, FEED)
  const [host] = (await foretold(world)).hosts
  const actual = await happens(world, origin)
  assert.deepEqual(host?.byHour.findIndex(Boolean), actual.findIndex(Boolean), 'from the probe on')
  for (const [hour, requests] of actual.entries()) {
    const difference = Math.abs(requests - (host?.byHour[hour] ?? 0))
    assert.ok(difference <= 1, `${host?.byHour[hour]} foretold in hour ${hour}, ${requests} happened`)
  }
})

test('nothing is foretold for X sources whose owner has no key, until one is stored', async () => {
  await using world = await World.start()
  await world.app.catalogue.sources.create('default', { url: '@tidings', pollIntervalMinutes: 60 })
  const silent = (await foretold(world)).hosts.map(({ host, requests }) => [host, requests])
  assert.deepEqual(silent, [['x:default', 0]])
  await world.app.catalogue.keys.put('default', 'x', { apiKey: 'key' })
  assert.equal((await foretold(world)).hosts[0]?.requests, HOURS)
})

test('in an outage of our own the forecast says so, and what to expect once the line is back', async () => {
  await using world = await World.start()
  const origins = await Promise.all(['127.0.0.2', '127.0.0.3'].map((host) => startOrigin({ host })))
  for (const origin of origins) {
    origin.route('/feed', FEED)
    await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 60 })
  }
  await world.run(70, 2)
  assert.equal((await foretold(world)).outage, null)
  for (const origin of origins) await origin.close()
  while (!world.app.engine.status().outage) await world.run(2, 2)
  const { outage, hosts } = await foretold(world)
  assert.equal(Date.parse(outage?.since ?? ''), world.app.engine.status().outage?.since)
  assert.deepEqual(
    hosts.map(({ requests }) => requests),
    [HOURS, HOURS],
  )
})
