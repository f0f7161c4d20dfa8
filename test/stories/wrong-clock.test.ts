import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

async function withPosts(config = {}) {
  const world = await World.start(config)
  const date = () => ({ date: new Date(world.clock.now()).toUTCString() })
  const origins = [await startOrigin({}), await startOrigin({ host: '127.0.0.2' })]
  for (const origin of origins) {
    origin.route('/feed', (_request, response) => {
      const body = rss([{ title: 'One', guid: '1' }])
      response.writeHead(200, { ...date(), 'content-type': 'application/rss+xml' }).end(body)
    })
    const id = await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 60 })
    await world.app.engine.poll(id)
  }
  await world.app.engine.tick()
  const posts = async () => (await world.app.store.totals({ userId: null, now: world.clock.now() })).posts
  const close = async () => {
    for (const one of [world, ...origins]) await one[Symbol.asyncDispose]()
  }
  return { world, posts, [Symbol.asyncDispose]: close }
}

test('after a jump of 30 days nothing is deleted until two hosts state the same time', async () => {
  await using story = await withPosts()
  const { world, posts } = story
  assert.equal(await posts(), 2)
  await world.clock.advance(30 * DAY_MS)
  const { deletedPosts } = await world.app.engine.tick()
  assert.deepEqual([deletedPosts, await posts()], [0, 2])
  assert.equal(world.said('in case the clock is wrong').length, 1)
  assert.notEqual(await world.app.store.readMeta('clock-doubted-since'), '')
  await world.app.engine.drain()
  await world.clock.advance(MINUTE_MS)
  await world.app.engine.tick()
  assert.equal(await posts(), 0)
  assert.equal(world.said('the clock is trusted again').length, 1)
  assert.equal(await world.app.store.readMeta('clock-doubted-since'), '')
})

test('a clock that is set right again has deleted nothing', async () => {
  await using story = await withPosts()
  const { world, posts } = story
  const right = world.clock.now()
  await world.clock.advance(30 * DAY_MS)
  await world.app.engine.tick()
  world.clock.setTo(right + MINUTE_MS)
  await world.run(10)
  assert.equal(await posts(), 2)
  assert.equal(await world.app.store.readMeta('clock-doubted-since'), '')
})

for (const isFirstPoll of [true, false]) {
  test(`entries seen ${isFirstPoll ? 'first' : 'anew'} while the clock is wrong are new when it is right again`, async () => {
    await using world = await World.start()
    await using origin = await startOrigin({})
    const right = world.clock.now()
    const items = [{ title: 'Old', guid: '0', publishedAt: right - DAY_MS }]
    const body = () => rss(items)
    origin.route('/feed', (request, response) => {
      const etag = `"${items.length}"`
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
      else response.writeHead(200, { etag, 'content-type': 'application/rss+xml' }).end(body())
    })
    const id = await world.add(`${origin.url}/feed`, { backfillDays: 3 })
    const { engine, store } = world.app
    await engine.tick()
    if (!isFirstPoll) await engine.poll(id)
    for (const hours of [3, 2, 1]) {
      items.push({ title: `Post ${hours}`, guid: String(items.length), publishedAt: right - hours * HOUR_MS })
    }
    world.clock.setTo(right + 30 * DAY_MS)
    // Before the next tick, and after it.
    assert.equal((await engine.poll(id)).skipped.tooOld, 4)
    await engine.tick()
    assert.equal((await engine.poll(id)).created, 0)
    world.clock.setTo(right + MINUTE_MS)
    await engine.tick()
    await engine.poll(id)
    const { posts } = await store.totals({ userId: null, now: world.clock.now() })
    assert.equal(posts, 4)
    assert.equal((await engine.poll(id)).notModified, true)
  })
}
