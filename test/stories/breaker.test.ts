import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import type { Source } from '../../src/domain/source.ts'
import { startFakeX } from '../support/fake-x.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]), etag: '"1"' }

async function feedsOn(world: World, origin: Origin, count: number, settings = { pollIntervalMinutes: 60 }) {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    origin.route(`/feed-${index}`, FEED)
    ids.push(await world.add(`${origin.url}/feed-${index}`, settings))
  }
  return ids
}

function answerAll(origin: Origin, count: number, status: number): void {
  for (let index = 0; index < count; index++) {
    origin.route(`/feed-${index}`, status === 200 ? FEED : { status, body: 'no' })
  }
}

const sourcesOf = (world: World, ids: readonly string[]): Promise<Source[]> =>
  Promise.all(ids.map((id) => world.source(id)))

describe('36 feeds on one host that worked start answering 403', () => {
  test('one event in the first round, few requests in a day, nobody disabled, all back within an interval', async () => {
    await using world = await World.start()
    await using origin = await startOrigin({ now: () => world.clock.now() })
    const ids = await feedsOn(world, origin, 36)
    await world.run(70, 2)
    assert.ok((await sourcesOf(world, ids)).every((source) => source.lastSucceededAt !== null))

    answerAll(origin, 36, 403)
    const brokeAt = world.clock.now()
    const before = origin.requests.length
    await world.run(60, 2)
    const [opened, ...more] = await world.events('host.opened', 'host.closed', 'source.disabled')
    assert.equal(more.length, 0)
    assert.equal(opened?.type, 'host.opened')
    assert.equal(opened?.host, origin.host)
    assert.equal(opened?.data.sources, 36)
    assert.match(String(opened?.data.reason), /3 failures in a row .*\(403\)/)
    assert.ok((opened?.at ?? Number.POSITIVE_INFINITY) < brokeAt + 60 * MINUTE_MS, 'within the first round')
    assert.equal(world.said('seems down').length, 1)

    // What an operator sees.
    const listing = await world.app.store.hostListing(origin.host, { userId: null, now: world.clock.now() })
    assert.equal(listing?.state.breaker.state, 'open')
    const why = await world.app.engine.why(ids.at(-1) ?? '')
    assert.equal(why.code, 'breaker-open')
    assert.match(why.sentence, /fails for its sources since .*, so all of them wait, next try at/)

    await world.run(23 * 60, 10)
    assert.ok(origin.requests.length - before <= 8, `${origin.requests.length - before} requests in the first day`)
    const during = await sourcesOf(world, ids)
    assert.ok(during.every((source) => source.enabled))
    assert.ok(during.filter((source) => source.consecutiveFailures > 0).length <= 8)
    assert.equal(world.said('seems down').length, 1, 'a probe that fails is not announced again')
    assert.equal(new Set(origin.requests.slice(-4).map(({ path }) => path)).size, 4, 'probes take turns')

    answerAll(origin, 36, 200)
    while ((await world.events('host.closed')).length === 0) await world.run(10, 10)
    const [closed] = await world.events('host.closed')
    assert.deepEqual([closed?.host, closed?.data.sources], [origin.host, 36])
    assert.equal(world.said('is back').length, 1)
    const after = await sourcesOf(world, ids)
    assert.ok(after.every((source) => source.consecutiveFailures === 0 && source.lastFailureType === null))
    const plans = after.map((source) => source.nextPollAt ?? 0)
    assert.ok(plans.every((at) => at > (closed?.at ?? 0) && at <= (closed?.at ?? 0) + HOUR_MS))
    assert.ok(new Set(plans).size >= 36, 'spread, not at once')

    const answered = origin.requests.length
    await world.run(62, 2)
    const paths = new Set(origin.requests.slice(answered).map(({ path }) => path))
    assert.ok(paths.size >= 35, `${paths.size} of 36 polled within an interval`)
  })
})

test('three dead feeds on a healthy host do not close it, and are disabled', async () => {
  await using world = await World.start()
  await using origin = await startOrigin({ now: () => world.clock.now() })
  const ids = await feedsOn(world, origin, 12)
  await world.run(70, 5)
  for (const dead of [0, 1, 2]) origin.route(`/feed-${dead}`, { status: 404, body: 'gone' })
  await world.run(36 * 60, 10)
  assert.deepEqual(await world.events('host.opened'), [])
  assert.equal((await world.events('source.disabled')).length, 3)
  const sources = await sourcesOf(world, ids)
  assert.deepEqual(
    sources.map((source) => source.enabled),
    ids.map((_, index) => index > 2),
  )
  assert.equal(sources[0]?.disabledReason, 'Auto-disabled after 5 consecutive 404 errors')
})

describe('an open breaker', () => {
  async function opened(config = {}) {
    const world = await World.start(config)
    const origin = await startOrigin({ now: () => world.clock.now() })
    const ids = await feedsOn(world, origin, 4)
    await world.run(70, 5)
    answerAll(origin, 4, 403)
    await world.run(70, 5)
    return { world, origin, ids }
  }

  test('lets a manual poll through, which is the probe and closes it', async () => {
    const { world, origin, ids } = await opened()
    await using _world = world
    await using _origin = origin
    const host = () => world.app.store.hostState(origin.host)
    assert.equal((await host())?.breaker.state, 'open')
    const probeAt = (await host())?.breaker.probeAt
    assert.equal((await world.app.engine.poll(ids[3] ?? '')).httpStatus, 403)
    const reopened = await host()
    assert.deepEqual([reopened?.breaker.state, reopened?.breaker.probeAt], ['open', probeAt], 'not lengthened')
    answerAll(origin, 4, 200)
    assert.equal((await world.app.engine.poll(ids[3] ?? '')).outcome, 'success')
    assert.equal((await host())?.breaker.state, 'closed')
    assert.equal((await world.events('host.closed')).length, 1)
  })

  test('is kept over a restart, and drain does not wait for it', async () => {
    const { world, origin } = await opened()
    await using _world = world
    await using _origin = origin
    const asked = origin.requests.length
    await world.restart()
    await world.app.engine.tick()
    await world.app.engine.drain()
    assert.equal(origin.requests.length, asked)
    assert.equal((await world.app.store.hostState(origin.host))?.breaker.state, 'open')
  })

  test('does not outweigh a closed lane: no probe while the host asked to be left alone', async () => {
    const { world, origin } = await opened()
    await using _world = world
    await using _origin = origin
    const closedUntil = world.clock.now() + 3 * HOUR_MS
    await world.app.store.changeHost(origin.host, () => ({ closedUntil, closedReason: 'answered 429' }))
    const asked = origin.requests.length
    await world.run(170, 10)
    assert.equal(origin.requests.length, asked)
    await world.run(20, 10)
    assert.equal(origin.requests.length, asked + 1)
  })

  test('is tried again soon after a crash in the middle of a probe', async () => {
    const { world, origin } = await opened()
    await using _world = world
    await using _origin = origin
    const crashedAt = world.clock.now()
    await world.app.store.changeHost(origin.host, ({ breaker }) => ({
      breaker: { ...breaker, state: 'half-open', probeAt: crashedAt, probingSince: crashedAt },
    }))
    await world.clock.advance(1000)
    await world.restart()
    const before = origin.requests.length
    await world.run(3)
    assert.equal(origin.requests.length, before + 1)
  })

  test('is tried as soon as a lower wait-hours says', async () => {
    const { world, origin, ids } = await opened()
    await using _world = world
    await using _origin = origin
    await world.run(8 * 60, 10)
    const before = origin.requests.length
    await world.restart({ source: { breaker: { waitHours: 2 } } })
    const { expectedAt } = await world.app.engine.why(ids[0] ?? '')
    assert.ok((expectedAt ?? 0) <= world.clock.now() + 2 * HOUR_MS)
    await world.run(130, 10)
    assert.equal(origin.requests.length, before + 1)
  })

  test('is never there with failures: 0', async () => {
    const { world, origin } = await opened({ source: { breaker: { failures: 0 } } })
    await using _world = world
    await using _origin = origin
    assert.deepEqual(await world.events('host.opened'), [])
    assert.equal((await world.app.store.hostState(origin.host))?.breaker.state, 'closed')
  })
})

test('a redirect that leads to a host with an open breaker is put off without a failure, until its next probe', async () => {
  await using world = await World.start()
  await using target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  await using here = await startOrigin({ now: () => world.clock.now() })
  await feedsOn(world, target, 3)
  here.route('/moved', (_request, response) => response.writeHead(302, { location: `${target.url}/feed-0` }).end())
  const moved = await world.add(`${here.url}/moved`, { pollIntervalMinutes: 60 })
  await world.run(70, 5)
  answerAll(target, 3, 403)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  const { breaker } = (await world.app.store.hostState(target.host)) ?? {}
  const failures = (await world.source(moved)).consecutiveFailures
  const asked = target.requests.length
  await world.run(50, 5)
  const source = await world.source(moved)
  assert.equal(source.consecutiveFailures, failures)
  assert.equal(target.requests.length, asked)
  assert.ok((source.nextPollAt ?? 0) >= (breaker?.probeAt ?? Number.POSITIVE_INFINITY))
})

test('a host whose sources lead elsewhere is back as soon as it sends them on again', async () => {
  await using world = await World.start()
  await using target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  let here = await startOrigin({ now: () => world.clock.now() })
  const { port } = here
  target.route('/feed', FEED)
  const routes = (origin: Origin): void => {
    origin.route('/feed-0', FEED)
    const onward = (_request: unknown, response: import('node:http').ServerResponse) =>
      response.writeHead(302, { location: `${target.url}/feed` }).end()
    for (const n of [1, 2, 3]) origin.route(`/feed-${n}`, onward)
  }
  routes(here)
  const ids: string[] = []
  for (const n of [0, 1, 2, 3]) ids.push(await world.add(`${here.url}/feed-${n}`, { pollIntervalMinutes: 60 }))
  await world.run(70, 5)
  await here.close()
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  here = await startOrigin({ port, now: () => world.clock.now() })
  await using _here = here
  routes(here)
  assert.equal((await world.app.engine.poll(ids[2] ?? '')).outcome, 'success')
  assert.equal((await world.app.store.hostState(here.host))?.breaker.state, 'closed')
})

test('an open breaker of X whose owner has no key any more does not wear its sources out with probes', async () => {
  await using x = await startFakeX()
  x.allowKey('key')
  await using world = await World.start({ x: { baseUrl: x.url } })
  await world.app.catalogue.keys.put('default', 'x', { apiKey: 'key' })
  const ids: string[] = []
  for (const [index, name] of ['birds', 'cats', 'dogs'].entries()) {
    x.accounts.add(String(index), name)
    ids.push(await world.add(`@${name}`, { type: 'twitter', pollIntervalMinutes: 60 }))
  }
  await world.run(70, 5)
  await world.app.catalogue.keys.put('default', 'x', { apiKey: 'revoked' })
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  await world.app.catalogue.keys.remove('default', 'x')
  const failures = async () => (await sourcesOf(world, ids)).reduce((sum, each) => sum + each.consecutiveFailures, 0)
  const before = await failures()
  await world.run(4 * 60)
  assert.ok((await failures()) - before <= 4, `${(await failures()) - before} failures in four hours`)
  assert.deepEqual(await world.events('source.disabled'), [])
})

test('a probe that is sent on and fails there frees its host, and the failure stays with its source', async () => {
  await using world = await World.start()
  await using origin = await startOrigin({ now: () => world.clock.now() })
  await using target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  const ids = await feedsOn(world, origin, 4)
  await world.run(70, 5)
  answerAll(origin, 4, 403)
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  target.route('/feed', { status: 500 })
  const [probing = ''] = ids
  const { consecutiveFailures } = await world.source(probing)
  origin.route('/feed-0', (_request, response) => response.writeHead(302, { location: `${target.url}/feed` }).end())
  assert.equal((await world.app.engine.poll(probing)).httpStatus, 500)
  assert.equal((await world.app.store.hostState(origin.host))?.breaker.state, 'closed')
  const [probed, ...others] = await sourcesOf(world, ids)
  assert.equal(probed?.consecutiveFailures, consecutiveFailures + 1)
  assert.match(probed?.lastFailureReason ?? '', /500/)
  assert.ok(others.every((source) => source.consecutiveFailures === 0))
})

describe('a breaker that closes without a success is announced like any other', () => {
  async function opened() {
    const world = await World.start()
    const origin = await startOrigin({ now: () => world.clock.now() })
    const ids = await feedsOn(world, origin, 4)
    await world.run(70, 5)
    answerAll(origin, 4, 403)
    while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
    return { world, origin, ids }
  }

  const closings = async (world: World) => ({
    events: (await world.events('host.closed')).map(({ data }) => data.reason),
    lines: world.said('is no longer left alone').length,
    stillOpen: (await world.app.store.troubledHosts()).length,
  })

  test('when a person resets it, once', async () => {
    const { world, origin } = await opened()
    await using _world = world
    await using _origin = origin
    for (let times = 0; times < 2; times++) await world.app.engine.resetBreaker(origin.host)
    assert.deepEqual(await closings(world), { events: ['reset by hand'], lines: 1, stillOpen: 0 })
  })

  test('when breakers were turned off since, though a poll by hand comes first and fails', async () => {
    const { world, origin, ids } = await opened()
    await using _world = world
    await using _origin = origin
    await world.restart({ source: { breaker: { failures: 0 } } })
    assert.notEqual((await world.app.engine.why(ids[3] ?? '')).code, 'breaker-open')
    assert.equal((await world.app.engine.poll(ids[0] ?? '')).outcome, 'permanent')
    await world.run(20, 5)
    assert.deepEqual(await closings(world), { events: ['breakers are turned off'], lines: 1, stillOpen: 0 })
  })

  test('when its sources have moved away, but not when they are only disabled', async () => {
    const { world, origin, ids } = await opened()
    await using _world = world
    await using _origin = origin
    for (const id of ids) await world.app.catalogue.sources.update(id, { enabled: false })
    await world.run(120, 10)
    assert.deepEqual(await closings(world), { events: [], lines: 0, stillOpen: 1 })
    for (const id of ids) await world.app.catalogue.sources.update(id, { url: `http://elsewhere.example/${id}` })
    await world.run(20, 10)
    assert.deepEqual(await closings(world), { events: ['it has no sources any more'], lines: 1, stillOpen: 0 })
  })
})

describe('feeds on one host that all lead to another', () => {
  /** `target` has no sources of its own; it worked for all of them once. */
  async function led(count: number) {
    const world = await World.start()
    const target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
    const here = await startOrigin({ now: () => world.clock.now() })
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      leadOn(here, index, target)
      ids.push(await world.add(`${here.url}/feed-${index}`, { pollIntervalMinutes: 60 }))
    }
    answerAll(target, count, 200)
    await world.run(70, 2)
    answerAll(target, count, 403)
    return { world, target, here, ids, [Symbol.asyncDispose]: () => closeAll(target, here, world) }
  }

  async function ledToOpen(count: number) {
    const all = await led(count)
    while ((await all.world.events('host.opened')).length === 0) await all.world.run(2, 2)
    return all
  }

  const leadOn = (from: Origin, index: number, to: Origin): void =>
    from.route(`/feed-${index}`, (_request, response) =>
      response.writeHead(302, { location: `${to.url}/feed-${index}` }).end(),
    )

  async function closeAll(...things: readonly AsyncDisposable[]): Promise<void> {
    for (const thing of things) await thing[Symbol.asyncDispose]()
  }

  test('wait for it as its own sources would: few requests, one event each way, nobody disabled, all back', async () => {
    await using all = await led(36)
    const { world, target, here, ids } = all
    const before = { target: target.requests.length, here: here.requests.length }
    await world.run(24 * 60, 2)
    const [opened, ...more] = await world.events('host.opened', 'host.closed', 'source.disabled')
    assert.equal(more.length, 0)
    assert.equal(opened?.type, 'host.opened')
    assert.deepEqual([opened?.host, opened?.data.sources], [target.host, 36])
    assert.equal(world.said('seems down').length, 1)
    const asked = target.requests.slice(before.target)
    assert.ok(asked.length <= 8, `${asked.length} requests in the first day`)
    assert.ok(here.requests.length - before.here <= 16, `${here.requests.length - before.here} where they start`)
    assert.equal(new Set(asked.slice(-4).map(({ path }) => path)).size, 4, 'probes take turns')
    const waited = asked.slice(-4).map(({ at }, index, all) => at - (all[index - 1]?.at ?? opened?.at ?? 0))
    assert.deepEqual(
      waited.map((ms) => Math.round(ms / HOUR_MS)),
      [1, 2, 4, 8],
    )

    await world.run(6 * 24 * 60, 30)
    assert.deepEqual(await world.events('host.closed', 'source.disabled'), [])
    const during = await sourcesOf(world, ids)
    assert.ok(during.every((source) => source.enabled && source.consecutiveFailures <= 2))
    const { breaker } = (await world.app.store.hostState(target.host)) ?? {}
    assert.ok(during.every(({ nextPollAt }) => (nextPollAt ?? 0) >= (breaker?.probeAt ?? Number.POSITIVE_INFINITY)))

    answerAll(target, 36, 200)
    while ((await world.events('host.closed')).length === 0) await world.run(10, 10)
    const [closed, ...again] = await world.events('host.closed')
    assert.deepEqual([closed?.data.reason, closed?.data.sources, again.length], ['it answers again', 36, 0])
    const after = await sourcesOf(world, ids)
    assert.ok(after.every((source) => source.consecutiveFailures === 0 && source.lastFailureReason === null))
    const plans = new Set(after.map(({ nextPollAt }) => nextPollAt))
    // Two may fall on the same instant by chance.
    assert.ok(plans.size >= 30, 'spread, not at once')
    const answered = target.requests.length
    await world.run(62, 2)
    assert.ok(new Set(target.requests.slice(answered).map(({ path }) => path)).size >= 35, 'within an interval')
  })

  test('take turns with a source of its own, so that none of few is disabled within a day', async () => {
    await using all = await led(6)
    const { world, target } = all
    const own = await world.add(`${target.url}/feed-0?own`, { pollIntervalMinutes: 60 })
    await world.run(24 * 60, 5)
    assert.deepEqual(await world.events('source.disabled', 'host.closed'), [])
    assert.ok((await world.source(own)).consecutiveFailures < 3)
  })

  test('are back at once when a poll by hand of one of them succeeds, however far off their plans are', async () => {
    await using all = await ledToOpen(4)
    const { world, target, ids } = all
    await world.run(8 * 60, 10)
    answerAll(target, 4, 200)
    assert.equal((await world.app.engine.poll(ids[2] ?? '')).outcome, 'success')
    assert.equal((await world.events('host.closed')).length, 1)
    const within = world.clock.now() + HOUR_MS
    assert.ok((await sourcesOf(world, ids)).every(({ nextPollAt }) => (nextPollAt ?? within + 1) <= within))
  })

  test('have their own plans again when its breaker is reset by hand, and their failures still', async () => {
    await using all = await ledToOpen(4)
    const { world, target, ids } = all
    await world.run(8 * 60, 10)
    const failures = (await sourcesOf(world, ids)).map((source) => source.consecutiveFailures)
    const asked = target.requests.length
    answerAll(target, 4, 200)
    await world.app.engine.resetBreaker(target.host)
    assert.deepEqual(
      (await sourcesOf(world, ids)).map((source) => source.consecutiveFailures),
      failures,
    )
    await world.run(1)
    assert.ok(target.requests.length > asked, 'asked at once by those whose time had come')
  })

  test('are let go one by one when they lead there no more, and then its breaker closes', async () => {
    await using all = await ledToOpen(4)
    const { world, target, here, ids } = all
    const asked = target.requests.length
    answerAll(here, 4, 200)
    await world.run(70)
    assert.ok((await sourcesOf(world, ids)).every((source) => source.consecutiveFailures === 0))
    assert.equal(target.requests.length, asked)
    const [closed, ...more] = await world.events('host.closed')
    assert.deepEqual([closed?.data.reason, more.length], ['it has no sources any more', 0])
  })

  test('lend each other their turn while the host one of them starts at cannot be asked', async () => {
    await using all = await ledToOpen(3)
    const { world, target, here } = all
    await using elsewhere = await startOrigin({ host: '127.0.0.3', now: () => world.clock.now() })
    leadOn(elsewhere, 1, target)
    const other = await world.add(`${elsewhere.url}/feed-1`, { pollIntervalMinutes: 60 })
    await world.app.engine.poll(other)
    const closedUntil = world.clock.now() + 20 * HOUR_MS
    await world.app.store.changeHost(here.host, () => ({ closedUntil, closedReason: 'answered 429' }))
    const [asked, askedHere] = [target.requests.length, here.requests.length]
    await world.run(70)
    assert.equal(target.requests.length, asked + 1)
    assert.equal(elsewhere.requests.length, 2)
    assert.equal(here.requests.length, askedHere)
  })

  test('are not asked where they start either while it waits, but for a probe', async () => {
    await using all = await ledToOpen(6)
    const { world, here } = all
    const asked = here.requests.length
    await world.run(55, 5)
    assert.equal(here.requests.length, asked)
  })
})
