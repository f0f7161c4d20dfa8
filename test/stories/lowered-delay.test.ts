import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

async function start() {
  const world = await World.start()
  const origin = await startOrigin({ now: () => world.clock.now() })
  for (const path of ['/a', '/b']) origin.route(path, { body: rss([]) })
  const a = await world.add(`${origin.url}/a`, { pollDelaySeconds: 3000 })
  const b = await world.add(`${origin.url}/b`, { pollDelaySeconds: 2000 })
  const close = async () => {
    await world[Symbol.asyncDispose]()
    await origin[Symbol.asyncDispose]()
  }
  return { world, origin, a, b, [Symbol.asyncDispose]: close }
}

test('a lowered delay counts from the next visit on, also for a poll that waits already', async () => {
  await using story = await start()
  const { world, origin, a, b } = story
  await world.app.engine.poll(a)
  const waiting = world.app.engine.poll(b)
  await world.clock.advance(30_000)
  await world.app.catalogue.sources.update(a, { pollDelaySeconds: 10 })
  for (let step = 0; step < 4; step++) await world.clock.advance(15_000)
  assert.equal((await waiting).outcome, 'success')
  assert.equal(origin.requests.length, 2)
})

test('what another source reserved stays reserved', async () => {
  await using story = await start()
  const { world, origin, a, b } = story
  const { store, catalogue } = world.app
  await world.app.engine.poll(b)
  const before = (await store.hostState(origin.host))?.notBefore
  await catalogue.sources.update(a, { pollDelaySeconds: 0 })
  assert.equal((await store.hostState(origin.host))?.notBefore, before)
  await catalogue.sources.update(b, { pollDelaySeconds: 2500 })
  assert.equal((await store.hostState(origin.host))?.notBefore, before)
})
