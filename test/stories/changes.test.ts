import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rss } from '../support/product.ts'
import { MINUTE, startWorld, TEST_START, type World } from '../support/world.ts'

/** A feed that answers when told to, so that things can happen while it is being polled. */
async function pollMeanwhile(world: World, id: string, path: string, body: string, meanwhile: () => Promise<unknown>) {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const { promise: asked, resolve: arrive } = Promise.withResolvers<void>()
  world.origin.route(path, async (_request, response) => {
    arrive()
    await allowed
    response.end(body)
  })
  const poll = world.tidings.poll(id)
  poll.catch(() => {})
  await asked
  await meanwhile()
  allow()
  return poll
}

const feed = rss([{ title: 'One', publishedAt: TEST_START + MINUTE, guid: '1' }])

test('settings that a person changed while it was polled stay', async () => {
  await using world = await startWorld()
  const { id } = await world.add('/a')
  await pollMeanwhile(world, id, '/a', feed, () =>
    world.tidings.catalogue.sources.update(id, { label: 'Mine', pollIntervalMinutes: 120, enabled: false }),
  )
  const source = await world.tidings.catalogue.sources.get(id)
  assert.deepEqual(
    [source.label, source.pollIntervalMinutes, source.enabled, source.nextPollAt],
    ['Mine', 120, false, null],
  )
  assert.equal(source.lastSucceededAt, new Date(TEST_START).toISOString())
})

test('a source whose URL changed while it was polled ignores the old result, and whoever waits is told', async () => {
  await using world = await startWorld()
  const { id } = await world.add('/a')
  const poll = pollMeanwhile(world, id, '/a', feed, () =>
    world.tidings.catalogue.sources.update(id, { url: `${world.origin.url}/b` }),
  )
  await assert.rejects(poll, { code: 'source-changed', status: 409 })
  const source = await world.tidings.catalogue.sources.get(id)
  assert.deepEqual([source.lastSucceededAt, source.postCount], [null, 0])
  assert.deepEqual((await world.tidings.polls.list(id)).items, [])
})

test('a source that was deleted while it was polled stays deleted', async () => {
  await using world = await startWorld()
  const { id } = await world.add('/a')
  const poll = pollMeanwhile(world, id, '/a', feed, () => world.tidings.catalogue.sources.remove(id))
  await assert.rejects(poll, { code: 'not-found' })
  assert.deepEqual((await world.tidings.posts.list('default')).items, [])
})

test('a new URL forgets failures, validators and the newest date, but not what was stored', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { body: feed, etag: '"a"' })
  world.origin.route('/b', {
    body: rss([
      { title: 'Two', publishedAt: TEST_START, guid: '2' },
      { title: 'One', publishedAt: TEST_START + MINUTE, guid: '1' },
    ]),
  })
  const { id } = await world.add('/a')
  await world.tidings.poll(id)
  const moved = await world.tidings.catalogue.sources.update(id, { url: `${world.origin.url}/b` })
  assert.equal(moved.lastSeenId, null)
  const record = await world.tidings.poll(id)
  assert.equal(world.origin.requestsTo('/b')[0]?.headers['if-none-match'], undefined)
  assert.deepEqual([record.found, record.created, record.skipped.duplicate], [2, 1, 1])
})

test('an edited entry keeps the stored post; running a poll twice stores nothing twice', async () => {
  await using world = await startWorld()
  const entry = { title: 'One', publishedAt: TEST_START + MINUTE, guid: '1' }
  world.origin.route('/a', { body: rss([{ ...entry, body: 'As it was first' }]) })
  const { id } = await world.add('/a')
  await world.tidings.poll(id)
  world.origin.route('/a', { body: rss([{ ...entry, body: 'As it was corrected' }]) })
  assert.equal((await world.tidings.poll(id)).skipped.edited, 1)
  await world.tidings.poll(id)
  const { items } = await world.tidings.posts.list('default')
  assert.deepEqual(
    items.map(({ body }) => body),
    ['As it was first'],
  )
})

test('a body identical to the last one is not parsed again and counts as a success', async () => {
  await using world = await startWorld()
  world.origin.route('/a', { body: feed })
  const { id } = await world.add('/a')
  await world.tidings.poll(id)
  const again = await world.tidings.poll(id)
  assert.deepEqual([again.outcome, again.httpStatus, again.notModified, again.found], ['success', 200, true, 0])
  await world.tidings.catalogue.sources.update(id, { categoryFilter: 'politics' })
  const read = await world.tidings.poll(id)
  assert.deepEqual([read.notModified, read.found], [false, 1])
})

test('a permanent redirect becomes the URL after three good polls, keeping all state, with an event', async () => {
  await using world = await startWorld()
  world.origin.route('/old', (_request, response) => response.writeHead(301, { location: '/new' }).end())
  world.origin.route('/new', { body: feed, etag: '"n"' })
  const { id } = await world.add('/old')
  const events = world.tidings.events.subscribe({ types: ['source.moved'] })
  for (let n = 0; n < 2; n++) await world.tidings.poll(id)
  assert.equal((await world.tidings.catalogue.sources.get(id)).url, `${world.origin.url}/old`)
  await world.tidings.poll(id)
  const source = await world.tidings.catalogue.sources.get(id)
  assert.equal(source.url, `${world.origin.url}/new`)
  assert.equal(source.postCount, 1)
  const { value } = await events.next()
  assert.deepEqual([value.sourceId, value.from, value.url], [id, `${world.origin.url}/old`, source.url])
  const before = world.origin.requestsTo('/old').length
  assert.equal((await world.tidings.poll(id)).httpStatus, 304)
  assert.equal(world.origin.requestsTo('/old').length, before)
})

test('a permanent redirect to another source’s URL is never stored', async () => {
  await using world = await startWorld()
  world.origin.route('/old', (_request, response) => response.writeHead(308, { location: '/new' }).end())
  world.origin.route('/new', { body: feed })
  await world.add('/new')
  const { id } = await world.add('/old')
  for (let n = 0; n < 5; n++) assert.equal((await world.tidings.poll(id)).outcome, 'success')
  assert.equal((await world.tidings.catalogue.sources.get(id)).url, `${world.origin.url}/old`)
})

test('twenty-five hundred new entries are all stored, once, and the record counts them', async () => {
  await using world = await startWorld()
  const items = Array.from({ length: 2500 }, (_, n) => ({
    title: `Entry ${n}`,
    guid: `${n}`,
    publishedAt: TEST_START + n * 1000,
  }))
  world.origin.route('/a', { body: rss(items.toReversed()) })
  const { id } = await world.add('/a')
  const record = await world.tidings.poll(id)
  assert.deepEqual([record.found, record.created], [2500, 2500])
  assert.equal((await world.tidings.catalogue.sources.get(id)).postCount, 2500)
  const [newest] = (await world.tidings.posts.list('default', { limit: 1 })).items
  assert.equal(newest?.title, 'Entry 2499')
})
