import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi } from '../../src/api/server.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { askAt } from '../support/api.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]), etag: '"1"' }

async function served(world: World) {
  const { config, catalogue, engine, store, clock, events } = world.app
  const api = await createApi({ config, catalogue, engine, store, clock, events, log: false, version: 'test' })
  const { url } = await api.listen()
  return {
    get: async (path: string, token?: string) => (await askAt(url, 'GET', path, { token })).body,
    post: async (path: string) => (await askAt(url, 'POST', path)).body,
    close: () => api.close(),
  }
}

test('a source says why it waits at each stage of its life, and comes when it said', async () => {
  await using world = await World.start()
  await using origin = await startOrigin({ now: () => world.clock.now() })
  origin.route('/feed', FEED)
  const why = async (id: string) => (await world.app.engine.why(id)).code
  const id = await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 30 })
  assert.equal(await why(id), 'no-plan')
  await world.app.engine.tick()
  const told = await world.app.engine.why(id)
  assert.ok(['not-due', 'due'].includes(told.code), told.code)
  await world.run(31)
  assert.equal(await why(id), 'not-due')
  const { expectedAt } = await world.app.engine.why(id)
  const before = origin.requests.length
  await world.run(31)
  assert.equal(origin.requests.length, before + 1)
  const cameAt = origin.requests.at(-1)?.at ?? 0
  assert.ok(Math.abs(cameAt - (expectedAt ?? 0)) <= MINUTE_MS, 'within a tick of what it said')

  origin.route('/feed', { ...FEED, headers: { 'cache-control': 'max-age=7200' } })
  await world.run(31)
  assert.equal(await why(id), 'fresh')
  origin.route('/feed', { status: 500 })
  await world.app.engine.poll(id)
  assert.equal(await why(id), 'backing-off')
  origin.route('/feed', { status: 429, headers: { 'retry-after': '36000' } })
  await world.app.engine.poll(id)
  const closed = await world.app.engine.why(id)
  assert.ok(['lane-closed', 'retry-after'].includes(closed.code), closed.code)
  assert.equal(closed.expectedAt, world.clock.now() + 10 * HOUR_MS)
  await world.app.catalogue.sources.update(id, { enabled: false })
  assert.equal(await why(id), 'disabled')
})

test('an X source without a key says so, and that storing one helps', async () => {
  await using world = await World.start()
  const { id } = await world.app.catalogue.sources.create('default', { type: 'twitter', url: '@someone' })
  await world.app.engine.poll(id)
  const told = await world.app.engine.why(id)
  assert.equal(told.code, 'missing-key')
  assert.match(told.sentence, /^No X API key yet: run "tidings key set x"/)
})

test('a due source behind others of its host expects its turn after theirs', async () => {
  await using world = await World.start({ source: { pollDelaySeconds: { rss: 60 } } })
  await using origin = await startOrigin()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    origin.route(`/feed-${n}`, FEED)
    ids.push(await world.add(`${origin.url}/feed-${n}`))
  }
  const now = world.clock.now()
  await world.app.store.planSources(ids.map((id, n) => ({ id, nextPollAt: now - 1000 + n, lastPolled: now - HOUR_MS })))
  const told = await world.app.engine.why(ids[4] ?? '')
  assert.equal(told.code, 'lane-busy')
  assert.match(told.sentence, /behind 4 other sources of 127\.0\.0\.1/)
  assert.equal(told.expectedAt, now + 4 * 60_000)
})

test('a poll asked for by hand is expected when why says, after those that were asked for before it', async () => {
  await using world = await World.start({ source: { pollDelaySeconds: { rss: 10 } } })
  await using origin = await startOrigin({ now: () => world.clock.now() })
  const api = await served(world)
  try {
    let answer = () => {}
    origin.route('/feed-0', (_request, response) => {
      answer = () => response.writeHead(200, { 'content-type': FEED.contentType }).end(FEED.body)
    })
    const began = world.clock.now()
    const told: unknown[] = []
    for (let n = 0; n < 4; n++) {
      if (n > 0) origin.route(`/feed-${n}`, FEED)
      const path = `/api/users/default/podcasts/default/sources/${await world.add(`${origin.url}/feed-${n}`)}`
      const { queuedAt, expectedAt, reason } = await api.post(`${path}/poll`)
      await until('the first is asked', () => origin.requests.length === 1)
      assert.equal(expectedAt, (await api.get(`${path}/why`)).expectedAt)
      told.push([Date.parse(queuedAt) - began, Date.parse(expectedAt) - began, reason])
    }
    const behind = 'it waits its turn in the lane of its host'
    assert.deepEqual(told.slice(1), [
      [0, 10_000, behind],
      [0, 20_000, behind],
      [0, 30_000, behind],
    ])
    answer()
  } finally {
    await api.close()
  }
})

test('a lane on its way tells each source its true turn, polls asked for by hand counted in', async () => {
  await using world = await World.start({ source: { pollDelaySeconds: { rss: 10 } } })
  await using origin = await startOrigin({ now: () => world.clock.now() })
  let answer = () => {}
  origin.route('/feed-0', (_request, response) => {
    answer = () => response.writeHead(200, { 'content-type': FEED.contentType }).end(FEED.body)
  })
  const ids: string[] = []
  for (let n = 0; n < 4; n++) {
    if (n > 0) origin.route(`/feed-${n}`, FEED)
    ids.push(await world.add(`${origin.url}/feed-${n}`))
  }
  const began = world.clock.now()
  const plans = ids.map((id, n) => ({ id, nextPollAt: began - 1000 + n, lastPolled: began - HOUR_MS }))
  await world.app.store.planSources(plans)
  await world.app.engine.start()
  await until('the first is asked', () => origin.requests.length === 1)
  await world.app.engine.queuePoll(ids[3] ?? '')
  const told = async () =>
    Promise.all(
      ids.map(async (id) => {
        const { code, expectedAt, sentence } = await world.app.engine.why(id)
        return [code, (expectedAt ?? 0) - began, sentence.split(':')[0]]
      }),
    )
  const byHand = ['lane-busy', 10_000, 'Asked for']
  assert.deepEqual(await told(), [
    ['in-flight', 0, 'It is being polled now.'],
    ['lane-busy', 20_000, 'Due'],
    ['lane-busy', 30_000, 'Due'],
    byHand,
  ])
  answer()
  // Between two visits the lane waits for itself, not for the next tick.
  await until(
    'the lane waits',
    () => world.app.engine.status().lanesAtWork === 0 && world.clock.pending.includes(began + 10_000),
  )
  assert.deepEqual((await told()).slice(1), [
    ['lane-busy', 20_000, 'Due'],
    ['lane-busy', 30_000, 'Due'],
    ['spacing', 10_000, 'Asked for'],
  ])
  for (const visits of [2, 3, 4]) {
    await world.clock.advance(10_000)
    await until(
      'the next is asked',
      () => origin.requests.length === visits && world.app.engine.status().lanesAtWork === 0,
    )
    await until('the lane waits', () => visits === 4 || world.clock.pending.includes(began + visits * 10_000))
  }
  assert.deepEqual(
    origin.requests.map(({ path, at }) => [path, at - began]),
    [
      ['/feed-0', 0],
      ['/feed-3', 10_000],
      ['/feed-1', 20_000],
      ['/feed-2', 30_000],
    ],
  )
})

test('hosts show what was asked of them, and a user sees the own ones only', async () => {
  await using world = await World.start({ server: { port: 0, auth: 'required' } })
  await using mine = await startOrigin()
  await using other = await startOrigin({ host: '127.0.0.2' })
  const { users, podcasts, sources, tokens } = world.app.catalogue
  const bob = await users.create({ name: 'Bob' })
  const podcast = await podcasts.create(bob.id, { name: 'His' })
  mine.route('/feed', FEED)
  other.route('/feed', { status: 429, headers: { 'retry-after': '600' } })
  const own = await sources.create(podcast.id, { type: 'rss', url: `${mine.url}/feed`, pollIntervalMinutes: 60 })
  const foreign = await world.add(`${other.url}/feed`)
  await world.app.engine.poll(own.id)
  await world.clock.advance(5000)
  await world.app.engine.poll(own.id)
  await world.app.engine.poll(foreign)
  const { token } = await tokens.create(bob.id, { name: 't' })
  const { token: admin } = await tokens.create('default', { name: 'a', admin: true })
  const api = await served(world)
  try {
    const { items } = await api.get('/api/hosts', token)
    assert.deepEqual(
      items.map(({ host }: { host: string }) => host),
      ['127.0.0.1'],
    )
    const [host] = items
    assert.deepEqual(
      [host.lastDay.requests, host.lastDay.conditional, host.lastDay.notModified, host.lastDay.smallestGapMs],
      [2, 1, 1, 5000],
    )
    assert.equal(host.politeness.score, 85)
    const throttled = await api.get('/api/hosts/127.0.0.2', admin)
    assert.deepEqual([throttled.lastDay.throttled, throttled.lastDay.failures], [1, 1])
    assert.equal(throttled.nextSlotAt, throttled.notBefore)
    assert.equal((await api.get('/api/hosts/127.0.0.2', token)).status, 404)

    const forecast = await api.get('/api/forecast?hours=6', token)
    assert.deepEqual(forecast.hosts, [{ host: '127.0.0.1', requests: 5, byHour: [0, 1, 1, 1, 1, 1] }])
    assert.equal(forecast.hours.length, 6)
    assert.equal((await api.get('/api/forecast', admin)).hosts.length, 2)
    assert.equal((await api.get('/api/forecast?hours=1000', admin)).status, 400)
  } finally {
    await api.close()
  }
})

test('a source that leads to a host with an open breaker names that host, why it waits, and comes when it said', async () => {
  await using world = await World.start()
  await using target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  await using here = await startOrigin({ now: () => world.clock.now() })
  const ids: string[] = []
  for (const n of [0, 1, 2, 3]) {
    here.route(`/${n}`, (_request, response) => response.writeHead(302, { location: `${target.url}/${n}` }).end())
    target.route(`/${n}`, FEED)
    ids.push(await world.add(`${here.url}/${n}`, { pollIntervalMinutes: 60 }))
  }
  await world.run(70)
  for (const n of [0, 1, 2, 3]) target.route(`/${n}`, { status: 403 })
  while ((await world.events('host.opened')).length === 0) await world.run(1)
  await world.run(20)
  const { breaker } = (await world.app.store.hostState(target.host)) ?? {}
  const instant = (at: number | null | undefined): string => new Date(at ?? 0).toISOString()
  const common =
    `Not polled: it leads to 127.0.0.2, which fails for its sources since ${instant(breaker?.since)}, ` +
    `so all of them wait, next try at ${instant(breaker?.probeAt)}`
  const told = await Promise.all(ids.map((id) => world.app.engine.why(id)))
  assert.deepEqual([...new Set(told.map(({ code }) => code))], ['breaker-open'])
  assert.deepEqual(told.map(({ sentence }) => sentence).sort(), [
    `${common} with this one.`,
    ...Array<string>(3).fill(`${common}.`),
  ])
  const next = told.findIndex(({ sentence }) => sentence.includes('with this one'))
  const asked = target.requests.length
  await world.run(41)
  assert.deepEqual(
    target.requests.slice(asked).map(({ path, at }) => [path, at]),
    [[`/${next}`, told[next]?.expectedAt]],
  )
})

test('a source that leads to a host that asked to be left alone says which, whatever it failed with before', async () => {
  await using world = await World.start()
  await using target = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  await using here = await startOrigin({ now: () => world.clock.now() })
  here.route('/feed', (_request, response) => response.writeHead(302, { location: `${target.url}/feed` }).end())
  target.route('/feed', { status: 500 })
  target.route('/other', { status: 429, headers: { 'retry-after': '21600' } })
  const id = await world.add(`${here.url}/feed`, { pollIntervalMinutes: 60 })
  await world.app.engine.poll(id)
  await world.app.engine.poll(await world.add(`${target.url}/other`))
  const until = new Date(world.clock.now() + 6 * HOUR_MS).toISOString()
  await world.run(125)
  const { code, sentence, expectedAt } = await world.app.engine.why(id)
  assert.deepEqual([code, expectedAt], ['lane-closed', Date.parse(until)])
  assert.equal(
    sentence,
    `Not polled: it leads to 127.0.0.2, which asked to be left alone until ${until} (it answered 429).`,
  )
})
