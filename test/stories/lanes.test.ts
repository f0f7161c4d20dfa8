import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { HOUR, MINUTE, startWorld, TEST_START } from '../support/world.ts'

/** One of several commands that poll on the same SQLite file. The library would refuse the second one. */
function openProcess(url: string, options: { clock: ManualClock; random?: () => number }): Promise<App> {
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  const config = configFrom({ database: { url }, http, source: { pollDelaySeconds: { rss: 10 } } })
  return createApp({ config, sharesFile: true, ...options })
}

function openTempFile(): Disposable & { readonly url: string; readonly path: string } {
  const dir = mkdtempSync(join(tmpdir(), 'tidings-lanes-'))
  const path = join(dir, 'tidings.db')
  return { url: `file:${path}`, path, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

const secondsOf = (requests: readonly { at: number }[]): number[] => requests.map(({ at }) => (at - TEST_START) / 1000)

test('sources of one host are spaced by their delay, hosts side by side are not', async () => {
  await using world = await startWorld({ hosts: 2, config: { source: { pollDelaySeconds: { rss: 3 } } } })
  const [one, other] = world.origins
  for (const origin of world.origins) {
    for (const path of ['/a', '/b', '/c']) {
      origin.route(path, { body: rss([]) })
      await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}${path}` })
    }
  }
  await world.pass(0)
  await world.pass(30 * MINUTE)
  assert.deepEqual(secondsOf(one?.requests ?? []), [1800, 1803, 1806])
  assert.deepEqual(secondsOf(other?.requests ?? []), [1800, 1803, 1806])
})

test('two processes on one store keep the spacing of a host between them, though both look at it at once', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  using store = openTempFile()
  await using one = await openProcess(store.url, { clock })
  await using other = await openProcess(store.url, { clock })
  const paths = ['/a', '/b', '/c', '/d']
  for (const path of paths) origin.route(path, { body: rss([]) })
  const ids = await Promise.all(
    paths.map(async (path) => {
      const source = { type: 'rss', url: origin.url + path } as const
      return (await one.catalogue.sources.create('default', source)).id
    }),
  )
  let done = false
  const polls = ids.map((id, at) => (at % 2 ? one : other).engine.poll(id))
  const all = Promise.all(polls).finally(() => {
    done = true
  })
  using database = new DatabaseSync(store.path)
  const recorded = () => Number(database.prepare('SELECT count(*) AS n FROM polls').get()?.n)
  // Time passes when all that was asked is written down: a lease must not end while its poll is being recorded.
  const isQuiet = () => clock.pending.length > 0 && recorded() === origin.requests.length
  while (!done) {
    await until('all is done or somebody waits for the host', () => done || isQuiet())
    await clock.advance(1000)
  }
  await all
  const starts = origin.requests.map(({ at }) => at)
  const gaps = starts.slice(1).map((at, before) => at - (starts[before] ?? 0))
  assert.ok(gaps.length === 3 && gaps.every((gap) => gap >= 10_000), gaps.join(' '))
})

test('two processes on one store poll a due source once, though both find it due at once', async () => {
  // Time passes when all that was asked is written down.
  const isQuiet = () => Number(database.prepare('SELECT count(*) AS n FROM polls').get()?.n) === origin.requests.length
  const clock = new ManualClock(TEST_START, { autoAdvance: isQuiet })
  await using origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const options = { clock, random: () => 0.999999 }
  using store = openTempFile()
  await using one = await openProcess(store.url, options)
  await using other = await openProcess(store.url, options)
  using database = new DatabaseSync(store.path)
  const paths = ['/a', '/b', '/c', '/d']
  for (const path of paths) {
    origin.route(path, { body: rss([]) })
    await one.catalogue.sources.create('default', { type: 'rss', url: origin.url + path })
  }
  await one.engine.tick()
  await clock.advance(MINUTE)
  for (const step of ['tick', 'drain'] as const) await Promise.all([one.engine[step](), other.engine[step]()])
  assert.deepEqual(origin.requests.map(({ path }) => path).sort(), paths)
})

test('the delay is resolved source, host override, type, and an explicit 0 is a value', async () => {
  const config = { source: { pollDelaySeconds: { rss: 60 }, hostOverrides: { '127.0.0.2': { pollDelaySeconds: 10 } } } }
  await using world = await startWorld({ config })
  for (const path of ['/a', '/b', '/c']) world.origin.route(path, { body: rss([]) })
  await world.add('/a', { pollDelaySeconds: 0 })
  await world.add('/b')
  await world.add('/c')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const [a, b, c] = ['/a', '/b', '/c'].map((path) => world.origin.requestsTo(path)[0]?.at ?? Number.NaN)
  // After each visit the lane waits that source's delay: none after /a, ten seconds after the others.
  const inOrder = [a, b, c].map(Number).sort((x, y) => x - y)
  const afterA = inOrder[inOrder.indexOf(Number(a)) + 1]
  if (afterA !== undefined) assert.equal(afterA, a)
  assert.ok(Number(inOrder[2]) - Number(inOrder[0]) <= 20_000)
  assert.deepEqual((await world.tidings.hosts.get('127.0.0.2')).breaker.state, 'closed')
})

test('spacing survives a restart in the middle of it', async () => {
  await using world = await startWorld({ config: { source: { pollDelaySeconds: { rss: 120 } } } })
  for (const path of ['/a', '/b']) world.origin.route(path, { body: rss([]) })
  await world.add('/a', { pollIntervalMinutes: 60 })
  await world.add('/b', { pollIntervalMinutes: 60 })
  await world.tidings.tick()
  await world.clock.advance(60 * MINUTE)
  await world.tidings.tick()
  while (world.origin.requests.length === 0 || world.clock.pending.length === 0) await new Promise(setImmediate)
  await world.restart()
  await world.pass(MINUTE)
  assert.deepEqual(secondsOf(world.origin.requests), [3600, 3720])
})

test('a manual poll overrides interval and backoff, but waits for the spacing', async () => {
  await using world = await startWorld({ config: { source: { pollDelaySeconds: { rss: 30 } } } })
  world.origin.route('/a', { body: rss([]) })
  const { id } = await world.add('/a')
  const first = await world.tidings.poll(id)
  assert.equal(first.trigger, 'manual')
  const second = world.tidings.poll(id)
  while (world.clock.pending.length === 0) await new Promise(setImmediate)
  assert.equal(world.origin.requests.length, 1)
  await world.clock.advance(30_000)
  await second
  assert.deepEqual(secondsOf(world.origin.requests), [0, 30])
})

test('a manual poll works on a disabled source and does not enable it', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { body: rss([{ title: 'Undated' }]) })
  const { id } = await world.add('/a', { enabled: false })
  assert.equal((await world.tidings.poll(id)).created, 1)
  const source = await world.tidings.catalogue.sources.get(id)
  assert.deepEqual([source.enabled, source.nextPollAt], [false, null])
})

test('a manual poll of a source in flight joins it and gets the same record', async () => {
  await using world = await startWorld()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  world.origin.route('/a', async (_request, response) => {
    await answered
    response.end(rss([]))
  })
  const { id } = await world.add('/a')
  const first = world.tidings.poll(id)
  while (world.origin.requests.length === 0) await new Promise(setImmediate)
  const second = world.tidings.poll(id)
  await new Promise(setImmediate)
  answer()
  assert.equal((await first).id, (await second).id)
  assert.equal(world.origin.requests.length, 1)
})

test('a 429 closes the lane until its Retry-After; its other sources stay due and count no failure', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 429, headers: { 'retry-after': '7200' } })
  world.origin.route('/b', { body: rss([]) })
  const a = await world.add('/a')
  const b = await world.add('/b', { pollIntervalMinutes: 31 })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  await world.pass(MINUTE)
  assert.equal(world.origin.requestsTo('/b').length, 0)
  const host = await world.tidings.hosts.get('127.0.0.2')
  assert.equal(host.notBefore, new Date(TEST_START + 30 * MINUTE + 2 * HOUR).toISOString())
  assert.equal(host.due, 1)
  const [throttled, sibling] = [
    await world.tidings.catalogue.sources.get(a.id),
    await world.tidings.catalogue.sources.get(b.id),
  ]
  assert.deepEqual([throttled.consecutiveFailures, throttled.lastFailureType], [1, 'transient'])
  assert.equal(throttled.nextPollAt, new Date(TEST_START + 30 * MINUTE + 2 * HOUR).toISOString())
  assert.equal(sibling.consecutiveFailures, 0)
  await world.pass(2 * HOUR - 2 * MINUTE)
  assert.equal(world.origin.requests.length, 1)
  world.origin.route('/a', { body: rss([]) })
  await world.pass(2 * MINUTE)
  assert.equal(world.origin.requestsTo('/b').length, 1)
})

test('a 429 closes the lane though the source it was for is removed or changed meanwhile', async () => {
  await using world = await startWorld({ hosts: 2 })
  const { sources } = world.tidings.catalogue
  const meanwhile = [(id: string) => sources.remove(id), (id: string) => sources.update(id, { url: 'http://e.org/' })]
  for (const [index, origin] of world.origins.entries()) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    origin.route('/a', async (_request, response) => {
      await held
      response.writeHead(429, { 'retry-after': '3600' }).end()
    })
    const { id } = await world.add('', { url: `${origin.url}/a` })
    await world.add('', { url: `${origin.url}/b` })
    const refused = assert.rejects(world.tidings.poll(id), /no such source|changed while/)
    await until('it is asked', () => origin.requests.length === 1)
    await meanwhile[index]?.(id)
    release()
    await refused
    const host = await world.tidings.hosts.get(origin.host)
    assert.equal(Date.parse(host.notBefore ?? ''), world.clock.now() + HOUR)
  }
})

test('a lane that a 429 closed stays closed for as long as its host asked, though the clock is set back', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 429, headers: { 'retry-after': '3600' } })
  world.origin.route('/b', { body: rss([]) })
  await world.add('/a')
  await world.add('/b', { pollIntervalMinutes: 31 })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  world.clock.setTo(world.clock.now() - 20 * HOUR)
  await world.pass(0)
  const until = Date.parse((await world.tidings.hosts.get(world.origin.host)).notBefore ?? '')
  assert.equal(until, world.clock.now() + HOUR)
  await world.pass(59 * MINUTE)
  assert.equal(world.origin.requests.length, 1)
  await world.pass(MINUTE)
  assert.equal(world.origin.requestsTo('/b').length, 1)
})

test('a poll that was asked for before a set-back clock was noticed waits no longer than the host asked', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 429, headers: { 'retry-after': '3600' } })
  world.origin.route('/b', { body: rss([]) })
  const [a, b] = [await world.add('/a'), await world.add('/b')]
  await world.tidings.poll(a.id)
  world.clock.setTo(TEST_START - 2 * HOUR)
  const asked = world.tidings.poll(b.id)
  await until('it waits', () => world.clock.pending.length > 0)
  await world.pass(0)
  await world.clock.advance(59 * MINUTE)
  assert.equal(world.origin.requestsTo('/b').length, 0)
  await world.clock.advance(2 * MINUTE)
  assert.equal((await asked).outcome, 'success')
})

test('a host gets its spacing after a request during which the clock is set back', async () => {
  await using world = await startWorld({ config: { source: { pollDelaySeconds: { rss: 30 } } } })
  world.origin.route('/a', (_request, response) => {
    world.clock.setTo(TEST_START - HOUR)
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss([]))
  })
  world.origin.route('/b', { body: rss([]) })
  const [a, b] = [await world.add('/a'), await world.add('/b')]
  await world.tidings.poll(a.id)
  const second = world.tidings.poll(b.id)
  await until('the lane waits or asks', () => world.clock.pending.length > 0 || world.origin.requests.length > 1)
  assert.equal(world.origin.requests.length, 1)
  await world.clock.advance(30_000)
  await second
  assert.equal(world.origin.requestsTo('/b')[0]?.at, TEST_START - HOUR + 30_000)
})

test('a bare 429 closes the lane for a minute, then two, and a success starts again', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { status: 429 })
  const { id } = await world.add('/a')
  await world.tidings.poll(id)
  const until = async (): Promise<number> =>
    Date.parse((await world.tidings.hosts.get('127.0.0.2')).notBefore ?? '') - world.clock.now()
  assert.equal(await until(), MINUTE)
  await world.clock.advance(MINUTE)
  await world.tidings.poll(id)
  assert.equal(await until(), 2 * MINUTE)
  await world.clock.advance(2 * MINUTE)
  world.origin.route('/a', { body: rss([]) })
  await world.tidings.poll(id)
  world.origin.route('/a', { status: 429 })
  await world.tidings.poll(id)
  assert.equal(await until(), MINUTE)
})

test('a redirect to another host is asked in that host’s lane, with its spacing', async () => {
  await using world = await startWorld({ hosts: 2, config: { source: { pollDelaySeconds: { rss: 20 } } } })
  const [from, to] = world.origins
  assert.ok(from && to)
  to.route('/feed', { body: rss([{ title: 'Moved', publishedAt: TEST_START + MINUTE }]) })
  to.route('/own', { body: rss([]) })
  from.route('/feed', (_request, response) => response.writeHead(302, { location: `${to.url}/feed` }).end())
  await world.add('/feed')
  await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${to.url}/own` })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  assert.equal(to.requests.length, 2)
  const [first, second] = to.requests
  assert.equal((second?.at ?? 0) - (first?.at ?? 0), 20_000)
  assert.equal((await world.tidings.posts.list('default')).items.length, 1)
})

test('two hosts that redirect to each other never wait for each other', async () => {
  await using world = await startWorld({ hosts: 2, config: { source: { pollDelaySeconds: { rss: 5 } } } })
  const [one, other] = world.origins
  assert.ok(one && other)
  one.route('/x', (_request, response) => response.writeHead(302, { location: `${other.url}/feed` }).end())
  other.route('/x', (_request, response) => response.writeHead(302, { location: `${one.url}/feed` }).end())
  one.route('/feed', { body: rss([]) })
  other.route('/feed', { body: rss([]) })
  const a = await world.add('/x')
  const b = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${other.url}/x` })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  for (const { id } of [a, b]) assert.equal((await world.tidings.polls.list(id)).items[0]?.outcome, 'success')
})

test('a redirect whose target is closed puts the poll off, without outcome or failure', async () => {
  await using world = await startWorld({ hosts: 2 })
  const [from, to] = world.origins
  assert.ok(from && to)
  to.route('/busy', { status: 429, headers: { 'retry-after': '3600' } })
  to.route('/feed', { body: rss([]) })
  from.route('/feed', (_request, response) => response.writeHead(302, { location: `${to.url}/feed` }).end())
  const busy = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${to.url}/busy` })
  await world.tidings.poll(busy.id)
  const { id } = await world.add('/feed')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  assert.deepEqual((await world.tidings.polls.list(id)).items, [])
  const source = await world.tidings.catalogue.sources.get(id)
  assert.equal(source.consecutiveFailures, 0)
  assert.equal(source.nextPollAt, new Date(TEST_START + HOUR).toISOString())
  to.route('/busy', { body: rss([]) })
  await world.pass(30 * MINUTE)
  assert.equal((await world.tidings.polls.list(id)).items[0]?.outcome, 'success')
})

test('a hanging host delays only itself, and a tick never waits for it', async () => {
  await using world = await startWorld({ hosts: 2 })
  const [hanging, other] = world.origins
  assert.ok(hanging && other)
  const { promise: enough, resolve: hangUp } = Promise.withResolvers<void>()
  hanging.route('/a', async (_request, response) => {
    await enough
    response.destroy()
  })
  other.route('/a', { body: rss([]) })
  const stuck = await world.add('/a')
  const quick = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${other.url}/a` })
  await world.tidings.tick()
  await world.clock.advance(30 * MINUTE)
  await world.tidings.tick()
  while ((await world.tidings.polls.list(quick.id)).items.length === 0) await new Promise(setImmediate)
  await world.tidings.tick()
  assert.equal((await world.tidings.polls.list(stuck.id)).items.length, 0)
  assert.equal(hanging.requests.length, 1)
  hangUp()
  await world.tidings.drain()
  const [record] = (await world.tidings.polls.list(stuck.id)).items
  assert.equal(record?.outcome, 'transient')
})

/** A feed on one host that leads to another host; that one is closed for two hours once `/busy` of it is asked. */
async function startWithBusyTarget() {
  const world = await startWorld({ hosts: 2 })
  const [from, to] = world.origins
  assert.ok(from && to)
  to.route('/busy', { status: 429, headers: { 'retry-after': '7200' } })
  to.route('/feed', { body: rss([]) })
  from.route('/feed', (_request, response) => response.writeHead(302, { location: `${to.url}/feed` }).end())
  const closeTarget = async () => {
    const busy = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${to.url}/busy` })
    await world.tidings.poll(busy.id)
  }
  return Object.assign(world, { closeTarget })
}

test('a manual poll that is put off comes when the host may be asked, without a failure', async () => {
  await using world = await startWithBusyTarget()
  const { id } = await world.add('/feed', { pollIntervalMinutes: 600 })
  await world.tidings.poll(id)
  await world.closeTarget()
  await assert.rejects(world.tidings.poll(id), { code: 'host-not-free' })
  const source = await world.tidings.catalogue.sources.get(id)
  const free = new Date(TEST_START + 2 * HOUR).toISOString()
  assert.deepEqual([source.nextPollAt, source.consecutiveFailures], [free, 0])
  // Its neighbour is due at that instant too, and must not close the target again before it comes.
  world.origins[1]?.route('/busy', { body: rss([]) })
  await world.pass(2 * HOUR)
  const [record] = (await world.tidings.polls.list(id)).items
  assert.deepEqual([record?.outcome, record?.startedAt], ['success', free])
})

test('a manual poll that is put off leaves a plan that comes sooner, and a disabled source without one', async () => {
  await using world = await startWithBusyTarget()
  const { id } = await world.add('/feed')
  const disabled = await world.add('/feed?disabled', { enabled: false })
  await world.tidings.poll(id)
  const planned = (await world.tidings.catalogue.sources.get(id)).nextPollAt
  await world.closeTarget()
  for (const each of [id, disabled.id]) await assert.rejects(world.tidings.poll(each), { code: 'host-not-free' })
  assert.equal((await world.tidings.catalogue.sources.get(id)).nextPollAt, planned)
  assert.equal((await world.tidings.catalogue.sources.get(disabled.id)).nextPollAt, null)
})

test('an address that is refused here is no visit: its host heard nothing and is kept from nobody', async () => {
  await using world = await startWorld()
  const host = '127.0.0.2'
  world.origin.route('/b', { body: rss([{ title: 'One', guid: '1', publishedAt: TEST_START }]) })
  const { sources } = world.tidings.catalogue
  const guarded = { type: 'rss', url: `${world.origin.url}/a`, pollDelaySeconds: 300, validate: false } as const
  const { id } = await sources.create('default', guarded, { trusted: false })
  const refused = await world.tidings.poll(id)
  assert.match(refused.reason ?? '', /^Refused to connect/)
  const before = await world.tidings.hosts.get(host)
  assert.deepEqual([before?.notBefore, before?.lastDay.requests], [null, 0])

  const other = await world.add('/b')
  assert.equal((await world.tidings.poll(other.id)).outcome, 'success')
  const after = await world.tidings.hosts.get(host)
  assert.deepEqual([after?.lastDay.requests, world.origin.requests.length], [1, 1])
})
