import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { HOUR, MINUTE, startWorld } from '../support/world.ts'

test('a poll asked for while the product stops is refused, not left waiting for ever', async () => {
  await using world = await startWorld()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  world.origin.route('/slow', async (_request, response) => {
    await held
    response.end(rss([]))
  })
  const slow = await world.add('/slow')
  const other = await world.add('/other')
  const polled = world.tidings.poll(slow.id)
  await until('it is asked', () => world.origin.requests.length === 1)
  const stopping = world.tidings.stop()
  const late = assert.rejects(world.tidings.poll(other.id), { code: 'not-ready' })
  letGo()
  await stopping
  await late
  assert.equal((await polled).outcome, 'success')
})

test('what was stopped can be read, asked for polls and started again', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([{ title: 'One', publishedAt: world.clock.now() + HOUR }]) })
  const { id } = await world.add('/feed')
  const { tidings } = world
  await tidings.start()
  await tidings.stop()
  assert.equal(tidings.status().running, false)
  await world.clock.advance(2 * HOUR)
  assert.equal(world.origin.requests.length, 0, 'nothing goes on by itself')
  assert.equal((await tidings.poll(id)).created, 1)
  assert.equal((await tidings.posts.list('default')).items.length, 1)

  await tidings.start()
  assert.equal(tidings.status().running, true)
  await world.clock.advance(HOUR)
  // Minute by minute: a tick that is under way while the clock moves on by an hour has missed it, as if the machine had slept.
  await until('it is polled on schedule', async () => {
    await world.clock.advance(MINUTE)
    return world.origin.requests.length > 1
  })
  await Promise.all([tidings.stop(), tidings.stop(), tidings.start()])
  assert.equal(tidings.status().running, true, 'who starts it while it stops means afterwards')
  await tidings.stop()
  await tidings.tick()
  await tidings.drain()
})

test('lanes that wait for a free slot ask nobody once the product stops', async () => {
  await using world = await startWorld({
    hosts: 3,
    random: () => 0.999999,
    config: { source: { maxConcurrentHosts: 1 } },
  })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  for (const origin of world.origins) {
    origin.route('/feed', async (_request, response) => {
      await held
      response.end(rss([]))
    })
    await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  }
  const asked = (): number => world.origins.reduce((sum, origin) => sum + origin.requests.length, 0)
  await world.tidings.tick()
  await world.clock.advance(10_000)
  await world.tidings.tick()
  await until('one is asked', () => asked() === 1)
  const stopping = world.tidings.stop()
  letGo()
  await stopping
  assert.equal(asked(), 1)
})

test('a poll that waits for the host it was redirected to does not hold up stopping', async () => {
  await using world = await startWorld({ hosts: 2 })
  const [here, there] = world.origins
  assert.ok(here && there)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  there.route('/slow', async (_request, response) => {
    await held
    response.end(rss([]))
  })
  here.route('/moved', { status: 302, headers: { location: `${there.url}/target` } })
  const slow = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${there.url}/slow` })
  const moved = await world.add('/moved')
  const polled = world.tidings.poll(slow.id)
  await until('it is asked', () => there.requests.length === 1)
  const redirected = assert.rejects(world.tidings.poll(moved.id), { code: 'not-ready' })
  await until('it is sent elsewhere', () => here.requests[0]?.endedAt != null)
  const stopping = world.tidings.stop()
  // Given up before the host is free: nothing but stopping can have told it.
  await redirected
  letGo()
  await stopping
  assert.equal((await polled).outcome, 'success')
  assert.equal(there.requests.length, 1)
})

test('what is long in reading is given up at the end, and recorded as nothing', async () => {
  const app = await createApp({
    config: configFrom({ database: { url: 'file::memory:' }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } }),
    clock: new ManualClock(),
  })
  await using polled = await startOrigin({ host: '127.0.0.2' })
  await using tried = await startOrigin({ host: '127.0.0.3' })
  const links = Array.from({ length: 40_000 }, (_, index) => `<a href="/${index}">Link ${index}</a> `).join('')
  for (const origin of [polled, tried])
    origin.route('/', { contentType: 'text/html', body: `<article>${links}</article>` })
  const { id } = await app.catalogue.sources.create('default', { type: 'website', url: `${polled.url}/` })
  const whose = { userId: 'default', trusted: true, basicAuth: null }
  const given = [
    assert.rejects(app.engine.poll(id), { code: 'not-ready' }),
    assert.rejects(app.engine.testFetch({ ...whose, url: `${tried.url}/`, type: 'website' }), { code: 'not-ready' }),
  ]
  const areAsked = () => [polled, tried].every(({ requests }) => requests.length > 0)
  await until('both are being read', () => areAsked() && app.engine.status().requestsInFlight === 0)
  await app.engine.stop(0)
  await Promise.all(given)
  assert.equal((await app.catalogue.sources.get(id)).lastFailureReason, null)
  await app.close()
})
