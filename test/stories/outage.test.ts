import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OutageState } from '../../src/domain/outage.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import type { Source } from '../../src/domain/source.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import { startFakeX } from '../support/fake-x.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]), etag: '"1"' }

/** Many hosts on one line: when it drops, every connection is refused; when it is back, so are they. */
class Line implements AsyncDisposable {
  readonly #world: World
  #origins: Origin[] = []
  readonly seen: number[] = []
  readonly sourceIds: string[] = []

  constructor(world: World) {
    this.#world = world
  }

  async addHosts(count: number, pollIntervalMinutes: number, feedsEach = 1): Promise<void> {
    for (let index = 0; index < count; index++) {
      const host = `127.0.${3 + Math.floor(index / 250)}.${1 + (index % 250)}`
      const origin = await this.#open(host, 0)
      for (let feed = 0; feed < feedsEach; feed++) {
        this.sourceIds.push(await this.#world.add(`${origin.url}/feed-${feed}`, { pollIntervalMinutes }))
      }
    }
  }

  get hosts(): string[] {
    return this.#origins.map(({ host }) => host)
  }

  async drop(): Promise<void> {
    await Promise.all(this.#origins.map((origin) => origin.close()))
  }

  async restore(): Promise<void> {
    const gone = this.#origins
    this.#origins = []
    for (const { host, port } of gone) await this.#open(host, port)
  }

  async sources(): Promise<Source[]> {
    return Promise.all(this.sourceIds.map((id) => this.#world.source(id)))
  }

  async #open(host: string, port: number): Promise<Origin> {
    const origin = await startOrigin({ host, port })
    const answer = (
      request: { headers: { 'if-none-match'?: string } },
      response: import('node:http').ServerResponse,
    ) => {
      this.seen.push(this.#world.clock.now())
      response.setHeader('etag', FEED.etag)
      if (request.headers['if-none-match'] === FEED.etag) return response.writeHead(304).end()
      return response.writeHead(200, { 'content-type': FEED.contentType }).end(FEED.body)
    }
    for (let feed = 0; feed < 5; feed++) origin.route(`/feed-${feed}`, answer as never)
    this.#origins.push(origin)
    return origin
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop()
  }
}

async function healthy(hosts: number, pollIntervalMinutes: number, feedsEach = 1, config: PartialConfig = {}) {
  const world = await World.start(config)
  const line = new Line(world)
  await line.addHosts(hosts, pollIntervalMinutes, feedsEach)
  await world.run(pollIntervalMinutes + 4, 4)
  assert.ok((await line.sources()).every((source) => source.lastSucceededAt !== null))
  return { world, line }
}

const untouched = (source: Source): boolean =>
  source.enabled &&
  source.consecutiveFailures === 0 &&
  source.lastFailureType === null &&
  source.lastFailureReason === null

describe('a home line that drops for 26 hours, with 200 hosts', () => {
  test('disables nobody, counts nothing, says so once, and comes back without a burst', async () => {
    const { world, line } = await healthy(200, 120)
    await using _world = world
    await using _line = line
    const before = new Map((await line.sources()).map((source) => [source.id, source.lastPolled]))

    await line.drop()
    const droppedAt = world.clock.now()
    await world.run(20, 4)
    const [started] = await world.events('outage.started')
    assert.ok(started && started.at < droppedAt + 20 * MINUTE_MS, 'noticed within minutes')
    assert.equal(world.said('our own connection seems down').length, 1)
    assert.equal(world.app.engine.status().outage?.since, Date.parse(String(started?.data.since)))
    const sources = await line.sources()
    assert.deepEqual(
      sources.filter((source) => !untouched(source)),
      [],
      'what was counted is given back',
    )
    assert.ok(sources.every((source) => source.lastPolled === before.get(source.id)))
    const why = await world.app.engine.why(line.sourceIds[0] ?? '')
    assert.equal(why.code, 'outage')

    const startedPolls = (await world.events('poll.finished')).length
    const startedLines = world.lines.length
    await world.run(60, 1)
    const probes = (await world.events('poll.finished')).slice(startedPolls)
    assert.ok(probes.length >= 55 && probes.length <= 61, `${probes.length} probes in an hour`)
    assert.ok(probes.every(({ data }) => data.trigger === 'probe'))
    assert.ok(new Set(probes.map(({ host }) => host)).size > 50, 'hosts take turns')
    const lines = world.lines.slice(startedLines)
    assert.deepEqual(
      lines.filter(({ level }) => level !== 'debug'),
      [],
      'neither its probes nor its ticks are told again and again',
    )
    const uncounted = lines.filter(({ message }) => message.endsWith('not counted: our own outage'))
    assert.equal(uncounted.length, probes.length)

    // The process is started again in the middle of it.
    await world.restart()
    await world.run(24 * 60 + 40, 10)
    assert.ok(world.app.engine.status().outage, 'a restart does not forget it')
    assert.ok((await line.sources()).every(untouched))
    assert.deepEqual(await world.events('source.disabled', 'host.opened', 'outage.ended'), [])

    await line.restore()
    line.seen.length = 0
    const backAt = world.clock.now()
    await world.run(60, 1)
    assert.equal((await world.events('outage.ended')).length, 1)
    assert.equal(world.said('our own connection is back').length, 1)
    assert.equal(world.app.engine.status().outage, null)
    assert.ok((await line.sources()).every(untouched))
    assert.ok(line.seen.length >= 200, `${line.seen.length} polls in the hour after it`)
    const perMinute = Map.groupBy(line.seen, (at) => Math.floor((at - backAt) / MINUTE_MS))
    const most = Math.max(...[...perMinute.values()].map((polls) => polls.length))
    assert.ok(most <= 20, `${most} requests in one minute`)
  })
})

test('a restart between the first failures and the judgement gives back all the same', async () => {
  const { world, line } = await healthy(8, 30)
  await using _world = world
  await using _line = line
  await line.drop()
  // Two failures: counted for now, because nothing is suspected yet.
  const failed = async () =>
    (await world.events('poll.finished')).filter(({ data }) => data.outcome !== 'success').length
  while ((await failed()) < 2) await world.run(1)
  assert.ok((await line.sources()).some((source) => source.consecutiveFailures > 0))
  await world.restart()
  while (!world.app.engine.status().outage) await world.run(1)
  assert.ok((await line.sources()).every(untouched))
  await world.restart()
  await world.run(120, 4)
  assert.ok((await line.sources()).every(untouched))
  await line.restore()
  await world.run(60, 2)
  assert.equal(world.app.engine.status().outage, null)
})

test('three hosts that go away while others answer are no outage of ours', async () => {
  const { world, line } = await healthy(6, 30)
  await using _world = world
  await using _line = line
  await using gone = await startOrigin({ host: '127.0.9.1' })
  await using gone2 = await startOrigin({ host: '127.0.9.2' })
  await using gone3 = await startOrigin({ host: '127.0.9.3' })
  for (const origin of [gone, gone2, gone3]) {
    origin.route('/feed', FEED)
    await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 30 })
  }
  await world.run(40, 2)
  for (const origin of [gone, gone2, gone3]) await origin.close()
  await world.run(180, 2)
  assert.deepEqual(await world.events('outage.started'), [])
  const failing = await world.app.store.summary(world.clock.now())
  assert.equal(failing.sources.failing, 3)
})

test('three hosts that go away are no outage of ours while another one answers, though it answers with errors', async () => {
  const { world, line } = await healthy(3, 30)
  await using _world = world
  await using _line = line
  await using sick = await startOrigin({ host: '127.0.9.4' })
  await using gone = await startOrigin({ host: '127.0.9.5' })
  for (const origin of [sick, gone]) {
    origin.route('/feed', FEED)
    await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 600 })
    await world.run(610, 10)
  }
  sick.route('/feed', { status: 500 })
  await gone.close()
  await line.drop()
  await world.run(120, 2)
  assert.deepEqual(await world.events('outage.started'), [])
  assert.ok((await line.sources()).every((source) => source.consecutiveFailures > 0))
})

test('three hosts that go away are no outage of ours while X answers, and X is polled on', async () => {
  await using x = await startFakeX()
  x.accounts.add('11', 'birds')
  x.allowKey('key')
  const { world, line } = await healthy(3, 30, 1, { x: { baseUrl: x.url } })
  await using _world = world
  await using _line = line
  await world.app.catalogue.keys.put('default', 'x', { apiKey: 'key' })
  await world.app.catalogue.sources.create('default', { type: 'twitter', url: '@birds', pollIntervalMinutes: 240 })
  await world.run(250, 5)
  await line.drop()
  await world.run(120, 2)
  assert.deepEqual(await world.events('outage.started'), [])
  const asked = x.requests.length
  await world.run(250, 5)
  assert.ok(x.requests.length > asked)
})

test('an outage that X was in ends when X answers, though the others stay away', async () => {
  await using x = await startFakeX()
  x.accounts.add('11', 'birds')
  x.allowKey('key')
  const { world, line } = await healthy(2, 30, 1, { x: { baseUrl: x.url } })
  await using _world = world
  await using _line = line
  await world.app.catalogue.keys.put('default', 'x', { apiKey: 'key' })
  const made = { type: 'twitter', url: '@birds', pollIntervalMinutes: 30 } as const
  const { id } = await world.app.catalogue.sources.create('default', made)
  await world.run(40, 5)
  // As it is written when the line was down for a moment, and the two hosts went with it.
  const run = { since: world.clock.now(), hosts: [...line.hosts, 'x'], outOf: 3, failures: [] }
  const times = { startedAt: run.since, probeAt: run.since }
  const judged: OutageState = { kind: 'outage', run, ...times, probedHost: null, announced: true }
  await world.app.store.writeMeta('outage', JSON.stringify(judged))
  await line.drop()
  await world.restart()
  await world.run(4)
  assert.equal(world.app.engine.status().outage, null)
  assert.ok(((await world.source(id)).lastSucceededAt ?? 0) >= run.since)
})

test('a source of X without a key that has its turn to probe an outage counts no failures for it', async () => {
  const { world, line } = await healthy(2, 30)
  await using _world = world
  await using _line = line
  const made = { type: 'twitter', url: '@birds', pollIntervalMinutes: 600 } as const
  const { id } = await world.app.catalogue.sources.create('default', made)
  await world.run(30)
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  const before = await world.source(id)
  await world.run(60)
  assert.deepEqual(await world.source(id), before)
  const probed = (await world.events('poll.finished')).filter(({ sourceId }) => sourceId === id)
  assert.ok(probed.length > 0, 'it had its turn')
})

test('a host that answers the probes of an outage with errors fails no more often than it would be polled', async () => {
  const { world, line } = await healthy(2, 30)
  await using _world = world
  await using _line = line
  await using sick = await startOrigin({ host: '127.0.9.9', now: () => world.clock.now() })
  sick.route('/feed', { status: 404 })
  const id = await world.add(`${sick.url}/feed`, { pollIntervalMinutes: 60 })
  await world.run(61)
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  const { consecutiveFailures, nextPollAt } = await world.source(id)
  const asked = sick.requests.length
  await world.run(30)
  assert.ok(sick.requests.length > asked + 5, 'it had its turns')
  const after = await world.source(id)
  assert.deepEqual([after.consecutiveFailures, after.nextPollAt], [consecutiveFailures, nextPollAt])
  sick.route('/feed', { status: 429, headers: { 'retry-after': '600' } })
  await world.run(4)
  const throttled = sick.requests.length
  await world.run(6)
  assert.equal(sick.requests.length, throttled, 'its word holds all the same')
})

test('two hosts that went away for good do not silence a third that comes back', async () => {
  const { world, line } = await healthy(2, 30)
  await using _world = world
  await using _line = line
  await using sick = await startOrigin({ host: '127.0.9.7' })
  sick.route('/feed', { status: 500 })
  const id = await world.add(`${sick.url}/feed`, { pollIntervalMinutes: 30 })
  await world.run(40, 2)
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  sick.route('/feed', FEED)
  await world.run(120, 1)
  assert.equal(world.app.engine.status().outage, null)
  assert.notEqual((await world.source(id)).lastSucceededAt, null)
  assert.equal((await world.events('outage.started')).length, 1, 'now there is one to tell by')
})

test('an outage ends by itself although everything that had worked is gone from the list', async () => {
  const { world, line } = await healthy(2, 30)
  await using _world = world
  await using _line = line
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  for (const id of line.sourceIds) await world.app.catalogue.sources.remove(id)
  await using other = await startOrigin({ host: '127.0.9.6' })
  other.route('/feed', FEED)
  await world.add(`${other.url}/feed`, { pollIntervalMinutes: 30 })
  await world.run(5)
  assert.equal(world.app.engine.status().outage, null)
  assert.equal((await world.events('outage.ended')).length, 1)
})

test('a single host that goes away is judged by the ordinary rules', async () => {
  const { world, line } = await healthy(1, 30, 3)
  await using _world = world
  await using _line = line
  await line.drop()
  await world.run(120, 5)
  assert.deepEqual(await world.events('outage.started'), [])
  assert.equal((await world.events('host.opened')).length, 1)
})

test('a breaker that only our own outage opened is closed again when that is known', async () => {
  const { world, line } = await healthy(3, 30, 4)
  await using _world = world
  await using _line = line
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  const hosts = await world.app.store.troubledHosts()
  assert.deepEqual(hosts, [])
  assert.ok((await line.sources()).every(untouched))
})

test('a clock that is set back in an outage does not keep it from being probed, and from ending', async () => {
  const { world, line } = await healthy(4, 30)
  await using _world = world
  await using _line = line
  await line.drop()
  while (!world.app.engine.status().outage) await world.run(1)
  await world.run(5)
  world.clock.setTo(world.clock.now() - 9 * HOUR_MS)
  const before = (await world.events('poll.finished')).length
  await world.run(10)
  assert.ok((await world.events('poll.finished')).length - before >= 9, 'a probe a minute, as before')
  await line.restore()
  await world.run(3)
  assert.equal(world.app.engine.status().outage, null)
})

test('three hosts that go away after the clock was set back are no outage of ours: others are asked', async () => {
  const { world, line } = await healthy(3, 60)
  await using _world = world
  await using _line = line
  await using here = await startOrigin({ host: '127.0.9.8' })
  here.route('/feed', FEED)
  await world.add(`${here.url}/feed`, { pollIntervalMinutes: 240 })
  await world.run(245, 5)
  world.clock.setTo(world.clock.now() - 6 * HOUR_MS)
  await line.drop()
  await world.run(150, 2)
  assert.ok((await line.sources()).every((source) => source.consecutiveFailures > 0))
  assert.deepEqual(await world.events('outage.started'), [])
})

describe('a laptop that wakes after 8 hours', () => {
  test('does not fire everything at once', async () => {
    const { world, line } = await healthy(120, 60)
    await using _world = world
    await using _line = line
    line.seen.length = 0
    world.clock.setTo(world.clock.now() + 8 * HOUR_MS)
    const wokeAt = world.clock.now()
    await world.run(40, 1)
    const perMinute = Map.groupBy(line.seen, (at) => Math.floor((at - wokeAt) / MINUTE_MS))
    const most = Math.max(...[...perMinute.values()].map((polls) => polls.length))
    assert.ok(most <= 10, `${most} requests in one minute`)
    assert.equal(line.seen.length, 120, 'all of them within half an hour, once')
  })
})

test('a listener hears of an outage at once, not when it next looks', async (t) => {
  await using world = await World.start()
  // The listener's own look never comes.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const heard = world.app.events.subscribe().next()
  // It has found nothing and sleeps.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  const about = { at: world.clock.now(), userId: null, podcastId: null, sourceId: null, host: null }
  const data = { since: new Date(about.at).toISOString() }
  await world.app.store.writeMeta('outage', '{}', [{ ...about, type: 'outage.ended', data }])
  assert.deepEqual((await heard).value?.data, data)
})
