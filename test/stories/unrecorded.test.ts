// What the seeded worlds found (bench/seeds), each as a story of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world-under-clock.ts'

const MINUTE = 60_000

test('a source whose poll could not be recorded is polled again by the next tick of a running scheduler', async () => {
  await using origin = await startOrigin()
  origin.route('/feed', (_request, response) => response.end(rss([{ title: 'One', guid: '1' }])))
  await using world = await World.start()
  const { store, engine } = world.app
  const id = await world.add(`${origin.url}/feed`, { pollIntervalMinutes: 60 })
  const { recordPoll } = store
  let failed = 0
  store.recordPoll = async () => {
    failed++
    throw Object.assign(new Error('database or disk is full'), { storeIsAway: true, storageFull: true })
  }
  await engine.start()
  await until('it is polled while the disk is full', async () => {
    await world.clock.advance(MINUTE)
    await engine.drain()
    return failed > 0
  })
  store.recordPoll = recordPoll
  const fullUntil = world.clock.now()
  await until('it is polled again', async () => {
    await world.clock.advance(MINUTE)
    await engine.drain()
    return (await world.source(id)).lastSucceededAt !== null
  })
  const { lastSucceededAt } = await world.source(id)
  assert.ok((lastSucceededAt ?? 0) - fullUntil < 60 * MINUTE, 'sooner than its interval')
})

test('no page is asked after a robots.txt whose answer says that the quota is spent', async () => {
  await using origin = await startOrigin()
  const item = { title: 'Short', guid: '1', body: 'Read more ...', link: `${origin.url}/page` }
  origin.route('/feed', (_request, response) => response.end(rss([item])))
  origin.route('/robots.txt', (_request, response) =>
    response.writeHead(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '600' }).end(''),
  )
  origin.route('/page', (_request, response) => response.end(`<article><p>${'Words. '.repeat(200)}</p></article>`))
  await using world = await World.start({ source: { pollDelaySeconds: { website: 0 } } })
  const id = await world.add(`${origin.url}/feed`, { fullText: 'always' })
  await world.app.engine.poll(id)
  await world.run(5)
  const asked = (path: string): number => origin.requests.filter((request) => request.path === path).length
  assert.deepEqual([asked('/robots.txt'), asked('/page')], [1, 0])
  await world.run(12)
  assert.equal(asked('/page'), 1, 'when the quota is filled again')
})

test('a visit whose end could not be written still spaces the next one from its end', async () => {
  await using world = await World.start({ source: { pollDelaySeconds: { rss: 10 } } })
  await using origin = await startOrigin()
  const askedAt: number[] = []
  const route = (path: string, takesMs: number) =>
    origin.route(path, async (_request, response) => {
      askedAt.push(world.clock.now())
      await world.clock.advance(takesMs)
      response.end(rss([{ title: path, guid: path }]))
    })
  route('/slow', 2000)
  route('/next', 0)
  const slow = await world.add(`${origin.url}/slow`)
  const next = await world.add(`${origin.url}/next`)
  const { store, engine } = world.app
  const { recordPoll, releaseHost } = store
  const away = async () => Promise.reject(Object.assign(new Error('the database is away'), { storeIsAway: true }))
  Object.assign(store, { recordPoll: away, releaseHost: away })
  await assert.rejects(engine.poll(slow))
  Object.assign(store, { recordPoll, releaseHost })
  const polled = engine.poll(next)
  for (let step = 0; step < 30 && askedAt.length < 2; step++) await world.clock.advance(1000)
  await polled
  const [first = 0, second = 0] = askedAt
  assert.ok(second - first >= 12_000, `${second - first} ms after the start of a visit of 2 s, with a delay of 10 s`)
})
