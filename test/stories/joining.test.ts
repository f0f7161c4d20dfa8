import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { startWorld } from '../support/world.ts'

/** A source whose next visit must wait a minute. */
async function worldWithSpacing() {
  const world = await startWorld()
  world.origin.route('/feed', { body: rss([]) })
  const { id } = await world.add('/feed', { pollDelaySeconds: 60 })
  await world.tidings.poll(id)
  return { world, id }
}

test('who joined a waiting poll gets its record, also when the one who asked first gives up', async () => {
  const { world, id } = await worldWithSpacing()
  await using _ = world
  const first = new AbortController()
  const given = assert.rejects(world.tidings.poll(id, { signal: first.signal }), /no longer/)
  await until('it waits', () => world.clock.pending.length === 1)
  const joined = world.tidings.poll(id)
  // The joiner reads the source first; another read that comes after it tells that it has.
  await world.tidings.catalogue.sources.get(id)
  first.abort(new Error('no longer'))
  await given
  await world.clock.advance(60_000)
  assert.equal((await joined).outcome, 'success')
  assert.equal(world.origin.requests.length, 2)
})

test('a waiting poll that nobody wants any more is withdrawn, and told so with the reason of the signal', async () => {
  const { world, id } = await worldWithSpacing()
  await using _ = world
  const askers = [new AbortController(), new AbortController()]
  const given = askers.map(({ signal }) => assert.rejects(world.tidings.poll(id, { signal }), /no longer/))
  await until('it waits', () => world.clock.pending.length === 1)
  for (const asker of askers) asker.abort(new Error('no longer'))
  await Promise.all(given)
  await world.clock.advance(120_000)
  await world.tidings.drain()
  assert.equal(world.origin.requests.length, 1)
})

test('a due source whose manual poll waits is polled once, not by the schedule and by hand', async () => {
  await using world = await startWorld({ random: () => 0.999999 })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  world.origin.route('/due', { body: rss([]) })
  world.origin.route('/held', async (_request, response) => {
    await held
    response.end(rss([]))
  })
  const due = await world.add('/due')
  await world.tidings.tick()
  await world.clock.advance(10_000)
  // Two turns at the head, the second of them slow: the third turn is the schedule's.
  const held1 = await world.add('/held', { enabled: false })
  const held2 = await world.add('/held?2', { enabled: false })
  const polls = [world.tidings.poll(held1.id)]
  await until('the first is asked', () => world.origin.requests.length === 1)
  polls.push(world.tidings.poll(held2.id))
  polls.push(world.tidings.poll(due.id))
  await world.tidings.tick()
  letGo()
  await Promise.all(polls)
  await world.tidings.drain()
  assert.equal(world.origin.requestsTo('/due').length, 1)
})
