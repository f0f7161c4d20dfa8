// Several processes on one store: no host is asked by two at once, no source polled twice, and what one leaves behind
// when it is gone another takes over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEASE_MS } from '../../src/domain/host-lease.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { twoProcesses } from '../support/processes.ts'
import { rss } from '../support/product.ts'
import { postsAfter } from '../support/read-store.ts'
import { runProcess, startRunning } from '../support/serve-process.ts'
import { until } from '../support/until.ts'
import { drained, HOUR, MINUTE } from '../support/world.ts'

const postgres = usePostgres()

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

for (const delaySeconds of [0, 3]) {
  test(`two processes share what is due without asking a host together or a source twice, ${delaySeconds} s apart`, async () => {
    await using world = await twoProcesses(postgres, delaySeconds)
    const { clock, origin, one, other } = world
    const paths = Array.from({ length: 12 }, (_, n) => `/${n}`)
    for (const path of paths) {
      origin.route(path, async (_, response) => {
        await soon()
        response.end(rss([{ title: path, guid: path }]))
      })
    }
    await world.addDue(...paths)
    const before = origin.requests.length
    await Promise.all([one.engine.tick(), other.engine.tick()])
    await Promise.all([drained(one.engine, clock), drained(other.engine, clock)])
    const asked = origin.requests.slice(before).map(({ path }) => path)
    assert.deepEqual(asked.toSorted(), paths.toSorted())
    assert.equal(origin.mostAtOnce, 1)
    const starts = origin.requests.slice(before).map(({ at }) => at)
    for (const [n, at] of starts.entries()) {
      assert.ok(n === 0 || at - (starts[n - 1] ?? 0) >= delaySeconds * 1000, `request ${n}`)
    }
  })
}

test('the host of a process that is gone is asked again by another, and what the first one still says counts for nothing', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  const frozen = Promise.withResolvers<void>()
  let asked = 0
  origin.route('/feed', async (_, response) => {
    const isFirst = ++asked === 1
    if (isFirst) await frozen.promise
    response.end(rss([{ title: isFirst ? 'Late' : 'In time', guid: '1', publishedAt: clock.now() }]))
  })
  await one.engine.tick()
  await until('the first process asks', () => asked === 1)
  await other.engine.tick()
  await other.engine.drain()
  assert.equal(asked, 1, 'it is held')
  assert.equal((await other.engine.why(id)).code, 'lane-busy')

  await clock.advance(LEASE_MS)
  await other.engine.tick()
  await other.engine.drain()
  assert.equal(asked, 2, 'nothing was heard of the first one')
  frozen.resolve()
  await one.engine.drain()
  assert.equal((await one.store.listPolls(id, { limit: 9, cursor: null })).items.length, 1)
  const posts = await postsAfter(one.store, 'default', '0', 9)
  assert.deepEqual(
    posts.map(({ title }) => title),
    ['In time'],
  )
})

test('a poll by hand goes before what another process has still to do on its host', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  const paths = Array.from({ length: 30 }, (_, n) => `/${n}`)
  const gates = new Map<string, () => void>()
  for (const path of paths) origin.route(path, { body: rss([]) })
  await world.addDue(...paths)
  const before = origin.requests.length
  for (const path of paths) {
    origin.route(path, async (_, response) => {
      await new Promise<void>((resolve) => gates.set(path, resolve))
      response.end(rss([]))
    })
  }
  await one.engine.tick()
  await until('the first host is asked', () => gates.size === 1)
  origin.route('/by-hand', { body: rss([]) })
  const { id } = await other.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/by-hand` })
  let isDone = false
  const byHand = other.engine.poll(id).finally(() => {
    isDone = true
  })
  await until('it is wanted', () => clock.pending.length > 0)
  while (!isDone) {
    for (const open of gates.values()) open()
    await soon()
    if (clock.pending.length > 0) await clock.advance(100)
  }
  await byHand
  const asked = origin.requests.slice(before).map(({ path }) => path)
  assert.ok(asked.indexOf('/by-hand') < 15, `it came as number ${asked.indexOf('/by-hand')}`)
  const opening = setInterval(() => {
    for (const open of gates.values()) open()
  }, 2)
  await Promise.all([one.engine.drain(), other.engine.drain()])
  clearInterval(opening)
  assert.equal(origin.mostAtOnce, 1)
})

test('a poll by hand of a source that another process is polling gets that one’s record', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  const { id, answer } = await world.pollHeld('/feed')
  const asked = origin.requests.length
  const joined = other.engine.poll(id)
  await until('the other waits', () => clock.pending.length > 0)
  await clock.advance(5)
  answer()
  await one.engine.drain()
  await clock.advance(MINUTE / 60)
  const record = await joined
  assert.equal(origin.requests.length, asked)
  assert.deepEqual([record.trigger, record.created], ['tick', 1])
})

test('a source that asks nobody for want of a key fails once, whoever finds it due', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, one, other } = world
  const { id } = await one.catalogue.sources.create('default', {
    ...{ type: 'twitter', url: 'https://x.com/somebody', validate: false },
  })
  for (let round = 1; round <= 3; round++) {
    await one.store.planSources([{ id, nextPollAt: clock.now(), lastPolled: clock.now() - round }])
    await Promise.all([one.engine.tick(), other.engine.tick()])
    await Promise.all([one.engine.drain(), other.engine.drain()])
    const source = await one.store.getSource(id)
    assert.equal(source?.consecutiveFailures, round)
    await clock.advance(MINUTE)
  }
})

test('a probe whose process is gone keeps no breaker half-open for those that are still there', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one } = world
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  const since = clock.now() - HOUR
  await one.store.changeHost('127.0.0.2', ({ breaker }) => ({
    breaker: { ...breaker, state: 'half-open', since, probeAt: clock.now(), waitMs: HOUR, probingSince: clock.now() },
  }))
  for (let minute = 0; minute < 10; minute++) {
    await one.engine.tick()
    await one.engine.drain()
    await clock.advance(MINUTE)
  }
  assert.equal((await one.store.hostState('127.0.0.2'))?.breaker.state, 'closed')
  assert.equal((await one.store.listPolls(id, { limit: 9, cursor: null })).items.length, 1)
})

test('a worker polls what is due until it is ended, and finishes what it is at', async () => {
  const database = await postgres.freshDatabase()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1', publishedAt: Date.now() }]) })
  const added = await runProcess(['add', `${origin.url}/feed`, '--database', database])
  assert.equal(added.code, 0, added.err)
  const before = origin.requests.length
  await using worker = await startRunning(['worker', '--database', database], { APP_SOURCE_TICK_SECONDS: '1' })
  assert.match(worker.greeting, /^Tidings \S+ polls what is due in postgres:\/\/\S+\nCtrl-C ends it\.\n$/)
  assert.doesNotMatch(worker.greeting, /tidings:tidings/)
  const disabled = await runProcess(['disable', `${origin.url}/feed`, '--database', database])
  assert.equal(disabled.code, 0, disabled.err)
  assert.equal((await runProcess(['enable', `${origin.url}/feed`, '--database', database])).code, 0)
  await until('it polls', () => origin.requests.length > before)
  worker.process.kill('SIGTERM')
  assert.equal(await worker.ended, 0)
  const { out } = await runProcess(['list', '--json', '--database', database])
  const [source] = JSON.parse(out).items
  assert.ok(Date.parse(source.nextPollAt) > Date.now(), out)
})

test('a worker on an SQLite file is refused with the remedy, and makes none', async () => {
  const { code, out, err } = await runProcess(['worker', '--database', 'file:/nowhere/tidings.db'])
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /^A worker needs PostgreSQL, and the store is file:\/nowhere\/tidings\.db: .+--database postgres:/)
})

test('a server to talk to is refused by those that work on the store themselves', async () => {
  for (const command of ['worker', 'serve']) {
    const { code, out, err } = await runProcess([command, '--server', 'http://127.0.0.1:1', '--data', '/nowhere'])
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, new RegExp(`^${command} takes no --server: it works on the store itself`))
  }
})
