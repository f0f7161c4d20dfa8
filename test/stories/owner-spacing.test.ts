// One host with several owners: whose delay counts before whose visit, and how many requests a minute all of them make.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { forecast } from '../../src/catalogue/consumers/forecast.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world-under-clock.ts'

const postgres = usePostgres()
const ENGINES = [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ database: { url: await postgres.freshDatabase() } })],
] as const

async function podcastOf({ app }: World, name: string): Promise<string> {
  const { id } = await app.catalogue.users.create({ name })
  return (await app.catalogue.podcasts.create(id, { name: 'News' })).id
}

/** Seconds from now, as `why` tells it. */
async function expectedIn({ app, clock }: World, id: string): Promise<number> {
  return ((await app.engine.why(id)).expectedAt ?? 0) / 1000 - clock.now() / 1000
}

function startFeeds(world: World, paths: readonly string[]): Promise<Origin> {
  return startOrigin({ now: () => world.clock.now() }).then((origin) => {
    for (const path of paths) origin.route(path, { body: rss([]) })
    return origin
  })
}

/** In steps: the lane reads the store between two waits, and the clock may have moved on meanwhile. */
async function advanceUntilPolled(world: World, polled: Promise<{ readonly outcome: string }>): Promise<void> {
  let outcome: string | null = null
  void polled.then((record) => {
    outcome = record.outcome
  })
  await until('it is polled', async () => {
    if (outcome === null) await world.clock.advance(1000)
    return outcome === 'success'
  })
}

for (const [engine, where] of ENGINES) {
  const delays = (rssDelay: number) => ({ source: { pollDelaySeconds: { rss: rssDelay } } })

  test(`one owner's long delay holds back only that owner's sources (${engine})`, async () => {
    await using world = await World.start({ ...(await where()), ...delays(2) })
    await using origin = await startFeeds(world, ['/a', '/b', '/c'])
    const add = async (podcast: string, path: string, settings = {}) =>
      (await world.app.catalogue.sources.create(podcast, { type: 'rss', url: origin.url + path, ...settings })).id
    const [ann, bob] = [await podcastOf(world, 'Ann'), await podcastOf(world, 'Bob')]
    const [a, b, c] = [await add(ann, '/a', { pollDelaySeconds: 300 }), await add(ann, '/b'), await add(bob, '/c')]
    await world.app.engine.poll(a)
    const from = world.clock.now()
    const remaining = () => 300 - (world.clock.now() - from) / 1000
    const second = world.app.engine.poll(b)
    const third = world.app.engine.poll(c)
    await until('both wait', async () => (await expectedIn(world, b)) >= 300)
    assert.ok((await expectedIn(world, c)) <= 4)
    await advanceUntilPolled(world, third)
    assert.equal(origin.requests.length, 2)
    assert.equal(await expectedIn(world, b), remaining())
    // What holds back the owner outlives a restart.
    second.catch(() => {})
    await world.restart()
    const again = world.app.engine.poll(b)
    await until('it waits again', async () => (await expectedIn(world, b)) === remaining())
    while (remaining() > 10) await world.clock.advance(1000)
    assert.equal(origin.requests.length, 2)
    await advanceUntilPolled(world, again)
  })

  test(`a configured delay that was lowered counts from the next visit on, over a restart (${engine})`, async () => {
    const database = await where()
    await using world = await World.start({ ...database, ...delays(3000) })
    await using origin = await startFeeds(world, ['/a', '/b'])
    const [a, b] = [await world.add(`${origin.url}/a`), await world.add(`${origin.url}/b`)]
    await world.app.engine.poll(a)
    await world.restart({ ...database, ...delays(5) })
    const second = world.app.engine.poll(b)
    await until('it waits', async () => (await expectedIn(world, b)) === 5)
    await advanceUntilPolled(world, second)
    const [first, next] = origin.requests.map(({ at }) => at)
    const gap = (next ?? 0) - (first ?? 0)
    assert.ok(gap >= 5000 && gap < 600_000, `${gap} ms`)
  })

  test(`sources of users without admin rights together ask a host so often a minute (${engine})`, async () => {
    const clock = { now: () => 0 }
    // As the proxy it is asked for hosts with public names.
    await using origin = await startOrigin({ now: () => clock.now() })
    const limits = { limits: { hostRequestsPerMinute: 3 } }
    await using world = await World.start({ ...(await where()), ...limits, http: { proxy: origin.url } })
    clock.now = () => world.clock.now()
    const ids: string[] = []
    for (const [name, count] of [
      ['Ann', 3],
      ['Bob', 3],
    ] as const) {
      const podcast = await podcastOf(world, name)
      for (let n = 0; n < count; n++) {
        const url = `http://feeds.example/${name}/${n}`
        origin.route(url, { body: rss([]) })
        const input = { type: 'rss', url }
        ids.push((await world.app.catalogue.sources.create(podcast, input, { admin: false })).id)
      }
    }
    origin.route('http://feeds.example/admin', { body: rss([]) })
    const admins = await world.add('http://feeds.example/admin')
    const polls = ids.map((id) => world.app.engine.poll(id))
    for (const poll of polls) poll.catch(() => {})
    await until('the limit is reached', async () => (await world.app.engine.why(ids[5] ?? '')).code === 'request-limit')
    assert.equal(origin.requests.length, 3)
    assert.equal(await expectedIn(world, ids[5] ?? ''), 60)
    assert.equal((await world.app.engine.poll(admins)).outcome, 'success')
    for (const poll of polls) await advanceUntilPolled(world, poll)
    const times = origin.requests.filter(({ path }) => !path.endsWith('/admin')).map(({ at }) => at)
    for (const [index, at] of times.entries()) assert.ok(at - (times[index - 3] ?? 0) >= 60_000)
  })

  test(`redirects within a host do not exceed its requests a minute, and are followed later (${engine})`, async () => {
    const clock = { now: () => 0 }
    await using origin = await startOrigin({ now: () => clock.now() })
    const limits = { limits: { hostRequestsPerMinute: 4 } }
    await using world = await World.start({ ...(await where()), ...limits, http: { proxy: origin.url } })
    clock.now = () => world.clock.now()
    const podcast = await podcastOf(world, 'Ann')
    const polls: Promise<{ readonly outcome: string }>[] = []
    for (const name of ['a', 'b', 'c']) {
      const [from = '', via = '', to = ''] = ['old', 'older', 'feed'].map(
        (path) => `http://feeds.example/${name}/${path}`,
      )
      origin.route(from, { status: 301, headers: { location: via } })
      origin.route(via, { status: 301, headers: { location: to } })
      origin.route(to, { body: rss([{ title: name, guid: name, publishedAt: world.clock.now() }]) })
      const input = { type: 'rss', url: from }
      const { id } = await world.app.catalogue.sources.create(podcast, input, { admin: false })
      polls.push(world.app.engine.poll(id))
    }
    for (const poll of polls) await advanceUntilPolled(world, poll)
    // Each address once: a poll that waited on its way goes on where it was.
    assert.equal(new Set(origin.requests.map(({ path }) => path)).size, 9)
    const times = origin.requests.map(({ at }) => at)
    assert.equal(times.length, 9)
    for (const [index, at] of times.entries()) assert.ok(at - (times[index - 4] ?? 0) >= 60_000, `request ${index}`)
  })

  test(`a forecast knows the requests a minute of users without admin rights (${engine})`, async () => {
    const limits = { limits: { hostRequestsPerMinute: 1 } }
    await using world = await World.start({ ...(await where()), ...limits })
    const podcast = await podcastOf(world, 'Ann')
    for (let n = 0; n < 4; n++) {
      const input = { type: 'rss', url: `http://feeds.example/${n}`, pollIntervalMinutes: 1 }
      await world.app.catalogue.sources.create(podcast, input, { admin: false })
    }
    await world.add('http://feeds.example/admin', { pollIntervalMinutes: 60 })
    const asked = { userId: null, hours: 3, limit: 10, cursor: null }
    const { hosts } = await forecast({ ...world.app, clock: world.clock }, asked)
    assert.deepEqual(
      hosts.map(({ byHour }) => byHour),
      [[61, 61, 61]],
    )
  })
}

test('two processes together make so many requests a minute to a host for users without admin rights', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ now: () => clock.now() })
  const config = configFrom({
    database: { url: await postgres.freshDatabase() },
    limits: { hostRequestsPerMinute: 4 },
    http: { proxy: origin.url },
  })
  await using one = await createApp({ config, clock, random: () => 0 })
  await using other = await createApp({ config, clock, random: () => 0 })
  const { id: ann } = await one.catalogue.users.create({ name: 'Ann' })
  const { id: podcast } = await one.catalogue.podcasts.create(ann, { name: 'News' })
  for (let n = 0; n < 12; n++) {
    const url = `http://feeds.example/${n}`
    origin.route(url, { body: rss([]) })
    await one.catalogue.sources.create(podcast, { type: 'rss', url, pollIntervalMinutes: 600 }, { admin: false })
  }
  await one.engine.tick()
  await clock.advance(600 * 60_000)
  await until('all are polled', async () => {
    await Promise.all([one.engine.tick(), other.engine.tick()])
    await clock.advance(1000)
    return origin.requests.length >= 12
  })
  await Promise.all([one.engine.drain(), other.engine.drain()])
  const times = origin.requests.map(({ at }) => at)
  assert.equal(times.length, 12)
  for (const [index, at] of times.entries()) assert.ok(at - (times[index - 4] ?? 0) >= 60_000, `request ${index}`)
})
