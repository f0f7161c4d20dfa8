// Two processes that come to the same thing at the same moment: what each has read of the store is old by the time it
// acts on it. The verbs of one store are made slow at that very place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/app.ts'
import type { PollRecord } from '../../src/domain/outcome.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { around, type Processes, twoProcesses } from '../support/processes.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { drained, HOUR, MINUTE } from '../support/world.ts'

const postgres = usePostgres()

/** In steps: a lane reads the store before it waits, and the clock may have moved on meanwhile. */
async function advanceUntil<T>(clock: Processes['clock'], awaited: Promise<T>): Promise<T> {
  let isDone = false
  void awaited.finally(() => {
    isDone = true
  })
  await until('it is done', async () => {
    if (!isDone) await clock.advance(MINUTE)
    return isDone
  })
  return awaited
}

test('a source that another process has just polled is not asked again, in the very same instant of the clock either', async () => {
  await using world = await twoProcesses(postgres)
  const { origin, one, other } = world
  for (const path of ['/1', '/2']) origin.route(path, { body: rss([]) })
  const [first = ''] = await world.addDue('/1', '/2')
  const before = origin.requests.length
  await one.engine.poll(first)
  let isFirst = true
  around(other, 'lookAtLane', async (read) => {
    const seen = await read()
    if (!isFirst) return seen
    isFirst = false
    await one.engine.tick()
    await one.engine.drain()
    return seen
  })
  await other.engine.tick()
  await other.engine.drain()
  const asked = origin.requests.slice(before).map(({ path }) => path)
  assert.deepEqual(asked, ['/1', '/2'])
})

test('a source that is on its way to another host is not found due by a second process', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  await using target = await startOrigin({ host: '127.0.0.3' })
  origin.route('/feed', { status: 302, headers: { location: `${target.url}/feed` } })
  target.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  const answered = Promise.withResolvers<void>()
  target.route('/feed', async (_, response) => {
    await answered.promise
    response.writeHead(404).end()
  })
  const before = [origin.requests.length, target.requests.length] as const
  const planned = (await one.store.getSource(id))?.nextPollAt ?? 0
  await one.engine.tick()
  await until('the target is asked', () => target.requests.length > before[1])
  await other.engine.tick()
  await other.engine.drain()
  answered.resolve()
  await Promise.all([one.engine.drain(), other.engine.drain()])
  assert.deepEqual([origin.requests.length - before[0], target.requests.length - before[1]], [1, 1])
  assert.equal((await one.store.getSource(id))?.consecutiveFailures, 1)
  const polls = (await one.store.eventsAfter('0', 99)).filter((event) => event.type === 'poll.finished')
  assert.equal(polls.at(-1)?.data.lagMs, clock.now() - planned, 'the lag is that of its own plan')
})

test('a source whose way to another host was given up is due as before', async () => {
  await using world = await twoProcesses(postgres)
  const { origin, one } = world
  await using target = await startOrigin({ host: '127.0.0.3' })
  origin.route('/feed', { status: 302, headers: { location: `${target.url}/feed` } })
  target.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  const planned = (await one.store.getSource(id))?.nextPollAt
  const before = target.requests.length
  target.route('/feed', () => {})
  await one.engine.tick()
  await until('the target is asked', () => target.requests.length > before)
  await one.engine.stop(0)
  assert.equal((await one.store.getSource(id))?.nextPollAt, planned)
})

/** One asks for a source while the other, which saw its host free, is about to take it for a poll by hand. */
async function bothComeAtOnce({ clock, origin, one, other }: Processes, byHand: string, answer: () => void) {
  const before = origin.requests.length
  const isAsked = () => origin.requests.length > before
  let isFirst = true
  around(other, 'leaseHost', async (take) => {
    if (isFirst) {
      isFirst = false
      await one.engine.tick()
      await until('the host is asked', isAsked)
    }
    return take()
  })
  const poll = other.engine.poll(byHand)
  poll.catch(() => {})
  await until('the host is asked', isAsked)
  await until('it waits', () => clock.pending.length > 0)
  assert.equal(other.engine.status().requestsInFlight, 0, 'it takes no slot from others meanwhile')
  answer()
  await one.engine.drain()
  await clock.advance(MINUTE / 60)
  return { poll, asked: () => origin.requests.slice(before).map(({ path }) => path) }
}

test('a poll by hand that another process came before joins it, if it is of the same source', async () => {
  await using world = await twoProcesses(postgres)
  const { origin } = world
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  const held = Promise.withResolvers<void>()
  origin.route('/feed', async (_, response) => {
    await held.promise
    response.end(rss([]))
  })
  const { poll, asked } = await bothComeAtOnce(world, id, held.resolve)
  assert.equal((await poll).trigger, 'tick')
  assert.deepEqual(asked(), ['/feed'])
})

test('a poll by hand that joined a scheduled one which then gave way to another process is made all the same', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  for (const path of ['/1', '/2']) origin.route(path, { body: rss([]) })
  const [first = '', second = ''] = await world.addDue('/1', '/2')
  await one.store.planSources([{ id: first, nextPollAt: clock.now() + HOUR }])
  const held = Promise.withResolvers<void>()
  origin.route('/1', async (_, response) => {
    await held.promise
    response.end(rss([]))
  })
  const before = origin.requests.length
  const joined = Promise.withResolvers<PollRecord>()
  let isFirst = true
  around(other, 'leaseHost', async (take) => {
    if (!isFirst) return take()
    isFirst = false
    void one.engine.poll(first)
    await until('the host is asked', () => origin.requests.length > before)
    joined.resolve((await other.engine.queuePoll(second)).finished)
    return take()
  })
  await other.engine.tick()
  await until('it waits', () => clock.pending.length > 0)
  held.resolve()
  await one.engine.drain()
  assert.equal((await advanceUntil(clock, joined.promise)).sourceId, second)
})

test('a poll by hand that another process came before leaves a host alone that closed its lane meanwhile', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one } = world
  origin.route('/feed', { body: rss([]) })
  origin.route('/by-hand', { body: rss([]) })
  const { id } = await one.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/by-hand` })
  await world.addDue('/feed')
  await one.store.planSources([{ id, nextPollAt: clock.now() + HOUR }])
  const held = Promise.withResolvers<void>()
  origin.route('/feed', async (_, response) => {
    await held.promise
    response.writeHead(429, { 'retry-after': '600' }).end()
  })
  const { poll, asked } = await bothComeAtOnce(world, id, held.resolve)
  await world.other.engine.drain()
  await clock.advance(5 * MINUTE)
  assert.deepEqual(asked(), ['/feed'])
  assert.equal((await advanceUntil(clock, poll)).trigger, 'manual')
})

test('a poll by hand comes next on a host with a long spacing that another process works through', async () => {
  await using world = await twoProcesses(postgres, 20)
  const { clock, origin, one, other } = world
  const paths = Array.from({ length: 8 }, (_, n) => `/${n}`)
  for (const path of [...paths, '/by-hand']) origin.route(path, { body: rss([]) })
  await world.addDue(...paths)
  const { id } = await other.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/by-hand` })
  const before = origin.requests.length
  // The poll by hand has more to ask the store, so that it would lose a mere race for the next turn.
  around(other, 'getSource', async (get) => {
    for (let more = 0; more < 10; more++) await other.store.ping()
    return get()
  })
  await one.engine.tick()
  await until('a first one is asked', () => origin.requests.length > before)
  let isDone = false
  const poll = other.engine.poll(id).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await until('both wait for the clock, or it is done', () => isDone || clock.pending.length >= 2)
    await clock.advance(1000)
  }
  await poll
  assert.equal(
    origin.requests.slice(before).findIndex(({ path }) => path === '/by-hand'),
    1,
  )
})

test('what two processes spread after a gap is polled once', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  const paths = Array.from({ length: 60 }, (_, n) => `/${n}`)
  for (const path of paths) origin.route(path, { body: rss([]) })
  await world.addDue(...paths)
  const before = origin.requests.length
  const hasRead = Promise.withResolvers<void>()
  around(other, 'overdueSources', async (read) => {
    const sources = await read()
    hasRead.resolve()
    return sources
  })
  around(one, 'overdueSources', (read) => hasRead.promise.then(read))
  // Both have read the same; what the first has planned and polled since, the second plans from what it knows.
  around(other, 'planSources', async (plan) => {
    await until('the first polls', () => origin.requests.length > before)
    await one.engine.drain()
    return plan()
  })
  await Promise.all([one.engine.tick(), other.engine.tick()])
  await Promise.all([one.engine.drain(), other.engine.drain()])
  for (let minute = 0; minute < 35; minute++) {
    await clock.advance(MINUTE)
    await one.engine.tick()
    await drained(one.engine, clock)
  }
  const asked = origin.requests.slice(before).map(({ path }) => path)
  assert.deepEqual(asked.toSorted(), paths.toSorted())
})

test('a source without a host fails once, whichever process finds it due', async () => {
  await using world = await twoProcesses(postgres)
  const { one, other } = world
  world.origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  await one.store.changeSource(id, () => ({ set: { url: 'nowhere', host: null, lane: '' }, events: [] }))
  // Both have read it before either goes on.
  let reads = 0
  const bothHaveRead = Promise.withResolvers<void>()
  for (const app of [one, other]) {
    around(app, 'lookAtLane', async (read) => {
      const seen = await read()
      if (++reads === 2) bothHaveRead.resolve()
      await bothHaveRead.promise
      return seen
    })
  }
  await Promise.all([one.engine.tick(), other.engine.tick()])
  await Promise.all([one.engine.drain(), other.engine.drain()])
  assert.equal((await one.store.getSource(id))?.consecutiveFailures, 1)
})

test('a process whose clock is a little behind waits for a host, and does not try again and again', async () => {
  await using world = await twoProcesses(postgres, 3)
  const { clock, origin, one } = world
  for (const path of ['/1', '/2']) origin.route(path, { body: rss([]) })
  await world.addDue('/1', '/2')
  const behind: Clock = { now: () => clock.now() - 500, sleep: (ms, signal) => clock.sleep(ms, signal) }
  await using late = await createApp({ config: one.config, clock: behind, random: () => 0 })
  const before = origin.requests.length
  await one.engine.tick()
  await until(
    'the first is polled',
    async () => (await one.store.hostState('127.0.0.2'))?.lastRequestAt === clock.now(),
  )
  await until('nobody is there', async () => (await one.store.hostState('127.0.0.2'))?.leasedBy === null)
  let tries = 0
  around(late, 'leaseHost', (take) => {
    tries++
    return take()
  })
  await late.engine.tick()
  await until('both wait', () => clock.pending.length === 2)
  assert.deepEqual([tries, origin.requests.length - before], [0, 1])
})

test('a process whose clock is a little behind makes no plan anew because of what others have polled', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one } = world
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  await one.engine.tick()
  await one.engine.drain()
  const before = await one.store.getSource(id)
  const behind: Clock = { now: () => clock.now() - 500, sleep: (ms, signal) => clock.sleep(ms, signal) }
  await using late = await createApp({ config: one.config, clock: behind, random: () => 0 })
  await late.engine.tick()
  assert.equal(before?.lastPolled, clock.now())
  assert.deepEqual(await one.store.getSource(id), before)
})
