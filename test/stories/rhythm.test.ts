// How a source's own rhythm changes when it is asked, and what is said when it falls silent or a poll comes too late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tidings } from '../../src/index.ts'
import { usePostgres } from '../support/postgres.ts'
import { type Item, rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { DAY, HOUR, MINUTE, startWorld, TEST_START, type World } from '../support/world.ts'

const postgres = usePostgres()

/** On both engines: what is learned is written with the poll. */
function story(name: string, body: (world: World) => Promise<void>): void {
  test(`${name} (SQLite)`, async () => {
    await using world = await startWorld()
    await body(world)
  })
  test(`${name} (PostgreSQL)`, async () => {
    await using world = await startWorld({ config: { database: { url: await postgres.freshDatabase() } } })
    await body(world)
  })
}

/** What the feed has published until now, newest first; it holds the last 20. */
function publishing(world: World, path: string, instants: readonly number[]): void {
  world.origin.route(path, (_, response) => {
    const now = world.clock.now()
    const shown = instants.filter((at) => at <= now).slice(-20)
    const items: Item[] = shown.map((at) => ({ title: `At ${at}`, guid: String(at), publishedAt: at }))
    response.setHeader('content-type', 'application/rss+xml')
    response.end(rss(items.reverse()))
  })
}

const every = (gapMs: number, count: number, from = TEST_START + MINUTE): number[] =>
  Array.from({ length: count }, (_, index) => from + index * gapMs)

const LAST = 'https://last.example/'

async function eventsOf(tidings: Tidings, types: readonly string[], during: () => Promise<void>): Promise<string[]> {
  const ending = new AbortController()
  const seen: string[] = []
  const following = (async () => {
    for await (const { type, url } of tidings.events.subscribe({ signal: ending.signal })) {
      if (url === LAST) ending.abort()
      else if (types.includes(type)) seen.push(type)
    }
  })().catch(() => {})
  await during()
  // Events come in order: when this one is heard, all of those before it were.
  await tidings.catalogue.sources.create('default', { type: 'rss', url: LAST, enabled: false })
  await following
  return seen
}

story('an adaptive source is asked as often as it publishes, and one that is not is asked as set', async (world) => {
  const hourly = every(HOUR, 24 * 6)
  for (const path of ['/adaptive', '/set']) publishing(world, path, hourly)
  const adaptive = await world.add('/adaptive', { adaptive: true })
  const set = await world.add('/set')
  const get = world.tidings.catalogue.sources.get
  for (let passed = 0; passed < 3 * DAY + HOUR; passed += 30 * MINUTE) await world.pass(30 * MINUTE)
  assert.equal((await get(adaptive.id)).adaptive, true)
  const learned = (await get(adaptive.id)).learnedIntervalMinutes ?? 0
  assert.ok(learned >= 30 && learned <= 90, `learned ${learned}`)
  assert.equal((await get(set.id)).learnedIntervalMinutes, null)
  const before = world.origin.requestsTo('/adaptive').length
  for (let passed = 0; passed < DAY; passed += 10 * MINUTE) await world.pass(10 * MINUTE)
  const asked = world.origin.requestsTo('/adaptive').length - before
  assert.ok(asked >= 20 && asked <= 28, `asked ${asked} times a day`)
  const { effectivePollIntervalMinutes, learnedIntervalMinutes } = await get(adaptive.id)
  assert.equal(effectivePollIntervalMinutes, learnedIntervalMinutes)
  const off = await world.tidings.catalogue.sources.update(adaptive.id, { adaptive: false })
  assert.deepEqual([off.effectivePollIntervalMinutes, off.learnedIntervalMinutes], [30, null])
})

story('a source that stops publishing is quiet, once, and active again with its next post', async (world) => {
  const daily = every(DAY, 6)
  const last = daily.at(-1) ?? 0
  const again = last + 20 * DAY
  publishing(world, '/feed', [...daily, again])
  const { id } = await world.add('/feed', { pollIntervalMinutes: 720 })
  const { tidings } = world
  const types = ['source.quiet', 'source.active']
  const seen = await eventsOf(tidings, types, async () => {
    for (let day = 0; day < 10; day++) await world.pass(DAY)
    assert.equal((await tidings.catalogue.sources.get(id)).quietSince, null)
    for (let day = 0; day < 5; day++) await world.pass(DAY)
    const quiet = await tidings.catalogue.sources.get(id)
    assert.equal(quiet.health, 'quiet')
    assert.equal(quiet.quietSince, new Date(last + 7 * DAY).toISOString())
    const listed = async (health: 'quiet' | 'ok') =>
      (await tidings.catalogue.sources.list('default', { health })).items.map((source) => source.id)
    assert.deepEqual([await listed('quiet'), await listed('ok')], [[id], []])
    // Its posts are cleaned up by now; its rhythm is not.
    assert.equal(quiet.postCount, 0)
    for (let day = 0; day < 14; day++) await world.pass(DAY)
    assert.equal((await tidings.catalogue.sources.get(id)).quietSince, null)
  })
  assert.deepEqual(seen, types)
})

story('a poll that finds only new entries says that some may be missing, and what interval would do', async (world) => {
  publishing(world, '/feed', every(10 * MINUTE, 200))
  const { id } = await world.add('/feed', { pollIntervalMinutes: 600 })
  await world.tidings.poll(id)
  const gaps: unknown[] = []
  const seen = await eventsOf(world.tidings, ['source.gap'], async () => {
    await world.clock.advance(2 * HOUR)
    gaps.push((await world.tidings.poll(id)).gap)
    await world.clock.advance(10 * HOUR)
    gaps.push((await world.tidings.poll(id)).gap)
  })
  assert.deepEqual(gaps, [false, true])
  assert.deepEqual(seen, ['source.gap'])
})

/** Pages of ten entries, newest first, each with a link to the one before. */
function paged(world: World, path: string, instants: readonly number[], relation: string): void {
  world.origin.route(path, (request, response) => {
    const page = Number(new URL(request.url ?? '', world.origin.url).searchParams.get('page') ?? 0)
    const now = world.clock.now()
    const published = instants.filter((at) => at <= now).toReversed()
    const items = published.slice(page * 10, page * 10 + 10)
    const link = `<link xmlns="http://www.w3.org/2005/Atom" rel="${relation}" href="${path}?page=${page + 1}"/>`
    const entries = items.map((at) => ({ title: `At ${at}`, guid: String(at), publishedAt: at }))
    response.end(rss(entries, published.length > page * 10 + 10 ? link : ''))
  })
}

for (const relation of ['prev-archive', 'next']) {
  story(`earlier pages (${relation}) are read until an entry is known, so there is no gap`, async (world) => {
    const instants = every(10 * MINUTE, 300)
    paged(world, '/feed', instants, relation)
    const { id } = await world.add('/feed', { pollIntervalMinutes: 600 })
    await world.clock.advance(HOUR)
    await world.tidings.poll(id)
    await world.clock.advance(5 * HOUR)
    const five = await world.tidings.poll(id)
    assert.deepEqual([five.gap, five.created], [false, 30])
    assert.equal(world.origin.requests.length, 1 + 4)
    await world.clock.advance(20 * HOUR)
    const twenty = await world.tidings.poll(id)
    assert.deepEqual([twenty.gap, twenty.created], [true, 60])
    assert.equal(world.origin.requests.length, 5 + 6)
  })
}

story('a feed that names itself as its earlier page is asked once', async (world) => {
  world.origin.route('/feed', (_request, response) => {
    const shown = every(10 * MINUTE, 300).filter((at) => at <= world.clock.now())
    const entries = shown.slice(-5).map((at) => ({ title: `At ${at}`, guid: String(at), publishedAt: at }))
    response.end(rss(entries, '<link xmlns="http://www.w3.org/2005/Atom" rel="next" href="/feed"/>'))
  })
  const { id } = await world.add('/feed', { pollIntervalMinutes: 600 })
  await world.clock.advance(HOUR)
  await world.tidings.poll(id)
  await world.clock.advance(5 * HOUR)
  const { gap, created } = await world.tidings.poll(id)
  assert.deepEqual([gap, created], [true, 5])
  assert.equal(world.origin.requests.length, 2)
})

story('a page of earlier entries that is refused closes the lane, and what was read is stored', async (world) => {
  const instants = every(10 * MINUTE, 300)
  paged(world, '/feed', instants, 'next')
  const { id } = await world.add('/feed', { pollIntervalMinutes: 600 })
  await world.clock.advance(HOUR)
  await world.tidings.poll(id)
  await world.clock.advance(5 * HOUR)
  const shown = instants.filter((at) => at <= world.clock.now()).slice(-10)
  const link = '<link xmlns="http://www.w3.org/2005/Atom" rel="next" href="/busy"/>'
  world.origin.route('/feed', {
    body: rss(
      shown.map((at) => ({ title: `At ${at}`, publishedAt: at })),
      link,
    ),
  })
  world.origin.route('/busy', { status: 429, headers: { 'retry-after': '1800' } })
  const poll = await world.tidings.poll(id)
  assert.deepEqual([poll.outcome, poll.gap, poll.created], ['success', true, 10])
  const next = world.tidings.poll(id)
  await world.clock.advance(29 * MINUTE)
  assert.equal(world.origin.requests.length, 3)
  await world.clock.advance(MINUTE)
  await next
  assert.equal(world.origin.requests.length > 3, true)
})

story('each day the first tick writes one summary for each user, also when nothing happened', async (world) => {
  const { tidings } = world
  publishing(world, '/feed', every(DAY, 3))
  await world.add('/feed', { pollIntervalMinutes: 60, backfillDays: 7 })
  world.origin.route('/gone', { status: 404 })
  const gone = await world.add('/gone', { pollIntervalMinutes: 60, maxFailures: 2 })
  await tidings.catalogue.users.create({ name: 'Ann' })
  const summaries: { userId: string | null }[] = []
  const ending = new AbortController()
  const following = (async () => {
    for await (const event of tidings.events.subscribe({ types: ['summary.daily'], signal: ending.signal })) {
      summaries.push(event as unknown as (typeof summaries)[number])
    }
  })().catch(() => {})
  for (let hour = 0; hour < 30; hour++) await world.pass(HOUR)
  await until('both summaries are heard', () => summaries.length >= 2)
  ending.abort()
  await following
  assert.equal(summaries.length, 2)
  const own = summaries.find(({ userId }) => userId === 'default')
  assert.ok(own)
  const { disabled, totals } = own as unknown as { disabled: { sourceId: string }[]; totals: Record<string, number> }
  assert.deepEqual(
    disabled.map(({ sourceId }) => sourceId),
    [gone.id],
  )
  assert.deepEqual([totals.sources, totals.disabled, totals.posts], [2, 1, 1])
})
