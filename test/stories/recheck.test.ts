import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../src/domain/schedule.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]) }

async function disabledSource(recheckDisabledDays: number) {
  const world = await World.start({ source: { recheckDisabledDays } })
  const origin = await startOrigin({ now: () => world.clock.now() })
  origin.route('/feed', { status: 404, body: 'gone' })
  const id = await world.add(`${origin.url}/feed`, { maxFailures: 2, pollIntervalMinutes: 60 })
  for (const _poll of [1, 2]) await world.app.engine.poll(id)
  assert.equal((await world.source(id)).enabled, false)
  const close = async () => {
    await world[Symbol.asyncDispose]()
    await origin[Symbol.asyncDispose]()
  }
  return { world, origin, id, disabledAt: world.clock.now(), [Symbol.asyncDispose]: close }
}

test('an auto-disabled source is asked once in so many days, and a success enables it', async () => {
  await using story = await disabledSource(3)
  const { world, origin, id, disabledAt } = story
  const why = await world.app.engine.why(id)
  assert.deepEqual([why.code, why.nextPollAt, why.expectedAt], ['disabled', null, disabledAt + 3 * DAY_MS])
  assert.match(why.sentence, /It is asked again at /)
  const asked = origin.requests.length
  await world.run(3 * 24 * 60 - 60, 60)
  assert.equal(origin.requests.length, asked)
  await world.run(120, 60)
  assert.equal(origin.requests.length, asked + 1)
  assert.equal((await world.source(id)).enabled, false)
  await world.run(2 * 24 * 60, 60)
  assert.equal(origin.requests.length, asked + 1)
  assert.deepEqual(await world.events('source.enabled'), [])

  origin.route('/feed', FEED)
  await world.run(25 * 60, 60)
  const { enabled, disabledReason, consecutiveFailures, nextPollAt } = await world.source(id)
  assert.deepEqual([enabled, disabledReason, consecutiveFailures], [true, null, 0])
  assert.notEqual(nextPollAt, null)
  const told = await world.events('source.enabled')
  assert.deepEqual(
    told.map(({ sourceId }) => sourceId),
    [id],
  )
})

test('by default nobody asks, and neither what a person disabled nor a poll by hand enables anything', async () => {
  await using story = await disabledSource(0)
  const { world, origin, id } = story
  assert.equal((await world.app.engine.why(id)).expectedAt, null)
  const asked = origin.requests.length
  await world.run(10 * 24 * 60, 120)
  assert.equal(origin.requests.length, asked)
  await world.restart({ source: { recheckDisabledDays: 1 } })
  origin.route('/feed', FEED)
  assert.equal((await world.app.engine.poll(id)).outcome, 'success')
  assert.equal((await world.source(id)).enabled, false)
  await world.app.catalogue.sources.update(id, { enabled: true })
  await world.app.catalogue.sources.update(id, { enabled: false })
  const before = origin.requests.length
  await world.run(3 * 24 * 60, 60)
  assert.equal(origin.requests.length, before)
})
