// A consumer's day with the library: polls bring posts, articles are made when asked for, nothing is missed or doubled.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/domain/event.ts'
import { rss } from '../support/product.ts'
import { DAY, MINUTE, startWorld, TEST_START, type World } from '../support/world.ts'

function feed(world: World, path: string, items: Parameters<typeof rss>[0]): void {
  world.origin.route(path, { contentType: 'application/rss+xml', body: rss(items) })
}

const aggregated = async (world: World, input = {}) =>
  (await world.tidings.articles.aggregate('default', input)).created

test('a nitter feed becomes one article per thread when a consumer asks, and a late reply joins until it is processed', async () => {
  await using world = await startWorld()
  const at = (minutes: number) => TEST_START + minutes * MINUTE
  const link = (id: number) => `https://nitter.net/name/status/${id}#m`
  const items = [
    { title: 'Thread', body: 'one', guid: '1', link: link(1), publishedAt: at(0) },
    { title: 'R to @name: two', body: 'two', guid: '2', link: link(2), publishedAt: at(20) },
    { title: 'Other', body: 'other', guid: '3', link: link(3), publishedAt: at(25) },
  ]
  feed(world, '/rss', items)
  await world.add('/rss', { aggregate: true })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  assert.equal((await world.tidings.posts.list('default', { unlinked: true })).items.length, 3)
  const [thread, other, ...more] = await aggregated(world)
  assert.deepEqual(
    [thread?.title, thread?.body, thread?.url],
    ['Thread', 'one\n\n---\n\ntwo', 'https://x.com/name/status/1#m'],
  )
  assert.deepEqual([other?.title, more], ['Other', []])

  feed(world, '/rss', [...items, { title: 'R to @name: more', body: 'more', guid: '4', publishedAt: at(50) }])
  await world.pass(30 * MINUTE)
  assert.deepEqual(await aggregated(world), [])
  const { items: articles } = await world.tidings.articles.list('default', { processed: false })
  const grown = articles.find(({ id }) => id === other?.id) ?? assert.fail()
  assert.equal(grown.body, 'other\n\n---\n\nmore')
  assert.equal(grown.contentHash, createHash('sha256').update(grown.body).digest('hex'))

  assert.deepEqual(await world.tidings.articles.markProcessed('default', [grown.id]), { updated: 1 })
  feed(world, '/rss', [{ title: 'R to @name: last', body: 'last', guid: '5', publishedAt: at(65) }])
  await world.pass(30 * MINUTE)
  assert.deepEqual(
    (await aggregated(world)).map(({ body }) => body),
    ['last'],
  )
})

test('the same text in two sources of a podcast ends in one article with both posts', async () => {
  await using world = await startWorld()
  const item = { title: 'News', body: 'The very same words', publishedAt: TEST_START + MINUTE }
  feed(world, '/a', [item])
  feed(world, '/b', [{ ...item, title: 'News, again' }])
  await world.add('/a')
  await world.add('/b')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const created = await aggregated(world)
  assert.deepEqual(
    created.map(({ postIds }) => postIds.length),
    [2],
  )
})

test('a digest of the day, when so configured', async () => {
  await using world = await startWorld({ config: { source: { aggregateMode: 'digest' } } })
  feed(world, '/a', [
    { title: 'A', body: 'a', publishedAt: TEST_START + MINUTE },
    { title: 'B', body: 'b', publishedAt: TEST_START + 2 * MINUTE },
  ])
  const source = await world.add('/a', { aggregate: true })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const [digest, ...others] = await aggregated(world)
  assert.deepEqual([digest?.title, others], [`Posts from ${source.host} — Feb 17, 2026`, []])
  assert.equal(digest?.body, '2026-02-17T10:01:00.000Z\na\n\n---\n\n2026-02-17T10:02:00.000Z\nb')
  assert.deepEqual([digest.url, digest.publishedAt], [source.url, '2026-02-17T10:02:00.000Z'])
})

test('a consumer that follows by position sees each post once over a week of polls, restarts and clean-up', async () => {
  await using world = await startWorld()
  await world.add('/a')
  await world.pass(0)
  const seen: string[] = []
  let position = '0'
  const follow = async () => {
    for (;;) {
      const page = await world.tidings.posts.list('default', { after: position, limit: 2 })
      seen.push(...page.items.map(({ title }) => title))
      position = page.position ?? position
      if (page.items.length === 0) return
    }
  }
  for (let day = 0; day < 10; day++) {
    const items = [0, 1, 2].map((n) => ({
      ...{ title: `${day}.${n}`, guid: `${day}.${n}`, publishedAt: world.clock.now() + (n + 1) * MINUTE },
    }))
    feed(world, '/a', items)
    await world.pass(DAY)
    if (day % 3 !== 1) await follow()
    if (day === 5) await world.restart()
  }
  await follow()
  const expected = Array.from({ length: 30 }, (_, index) => `${Math.floor(index / 3)}.${index % 3}`)
  assert.deepEqual(seen, expected)
})

test('listeners of the library hear of polls and posts', async () => {
  await using world = await startWorld()
  feed(world, '/a', [{ title: 'A', publishedAt: TEST_START + MINUTE }])
  const ending = new AbortController()
  const heard: string[] = []
  const events = world.tidings.events.subscribe({ types: ['posts.created', 'source.created'], signal: ending.signal })
  const listening = (async () => {
    for await (const event of events) {
      heard.push(`${event.type} ${event.count ?? ''}`.trim())
      if (heard.length === 2) ending.abort()
    }
  })()
  await world.add('/a')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  await listening
  assert.deepEqual(heard, ['source.created', 'posts.created 1'])
})

test('a listener of the library who names an event that does not exist is told so, as over REST', async () => {
  await using world = await startWorld()
  const subscribe = (types: unknown) => () => world.tidings.events.subscribe({ types: types as ['poll.finished'] })
  for (const [types, got] of [
    [['poll.finished', 'poll.started'], '"poll.started"'],
    [[], 'an empty list'],
    ['poll.finished', '"poll.finished"'],
    [[7], '7'],
  ] as const) {
    const message = `expected some of ${EVENT_TYPES.join(', ')}, got ${got}`
    assert.throws(subscribe(types), { code: 'invalid-input', errors: [{ path: 'types', message }] })
  }
})

test('a program that hands over no id, or something else, is told that there is no such thing', async () => {
  await using world = await startWorld()
  const { catalogue, posts, articles, polls, hosts, poll } = world.tidings
  const { users, podcasts, sources } = catalogue
  const calls: Record<string, (id: string) => Promise<unknown>> = {
    user: users.get,
    'user to rename': (id) => users.update(id, { name: 'x' }),
    'user to remove': users.remove,
    'user of a podcast': (id) => podcasts.create(id, { name: 'x' }),
    podcast: podcasts.get,
    'podcast to remove': podcasts.remove,
    'podcast of a source': (id) => sources.create(id, { type: 'rss', url: 'https://a.example/' }),
    'podcast of posts': posts.list,
    'podcast of articles': articles.list,
    'podcast to aggregate': articles.aggregate,
    source: sources.get,
    'source to remove': sources.remove,
    'source of polls': polls.list,
    'source to poll': poll,
    host: hosts.get,
    article: (id) => articles.get('default', id),
  }
  for (const id of [undefined, 7, { limit: 1 }, 'a\0', 'nothing']) {
    for (const [name, call] of Object.entries(calls)) {
      const message = `There is no such ${name.replace(/ .*/, '')}.`
      await assert.rejects(call(id as string), { code: 'not-found', message }, `${name} ${JSON.stringify(id)}`)
    }
  }
})
