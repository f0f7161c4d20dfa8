import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { rss, startProduct } from '../support/product.ts'

test('a document that cannot be stored is a transient failure of its source, and its lane goes on', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  await using product = await startProduct({ clock, random: () => 0.999999 })
  const { tidings } = product
  origin.route('/bad', { body: rss([{ title: 'unstorable', publishedAt: clock.now() + 5000 }]) })
  origin.route('/good', { body: rss([{ title: 'fine', publishedAt: clock.now() + 5000 }]) })
  const database = new DatabaseSync(join(product.dir, 'tidings.db'))
  database.exec(
    `CREATE TRIGGER refuse BEFORE INSERT ON posts WHEN NEW.title = 'unstorable' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  )
  database.close()
  const add = (path: string) =>
    tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}${path}` })
  const bad = await add('/bad')
  const good = await add('/good')
  await tidings.tick()
  await clock.advance(10_000)
  await tidings.tick()
  await tidings.drain()
  const failed = await tidings.catalogue.sources.get(bad.id)
  assert.deepEqual([failed.lastFailureType, failed.consecutiveFailures, failed.enabled], ['transient', 1, true])
  assert.match(failed.lastFailureReason ?? '', /unexpected error: refused/)
  assert.equal((await tidings.catalogue.sources.get(good.id)).postCount, 1)

  await clock.advance(60_000)
  await tidings.tick()
  await tidings.drain()
  assert.equal(origin.requestsTo('/bad').length, 1, 'it backs off instead of being asked at every tick')
})

test('what was stored of a long document before the rest could not be is told of, and the rest comes later', async () => {
  const clock = new ManualClock()
  await using origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  await using product = await startProduct({ clock })
  const { tidings } = product
  const items = Array.from({ length: 1500 }, (_, index) => ({
    title: `T${index}`,
    publishedAt: clock.now() + index * 1000,
  }))
  origin.route('/long', { body: rss(items) })
  const { id } = await tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/long` })
  const database = new DatabaseSync(join(product.dir, 'tidings.db'))
  database.exec(
    `CREATE TRIGGER refuse BEFORE INSERT ON posts WHEN NEW.title = 'T1499' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  )
  const failed = await tidings.poll(id)
  assert.deepEqual([failed.outcome, failed.found, failed.created], ['transient', 1000, 1000])
  database.exec('DROP TRIGGER refuse')
  const { outcome, created, skipped } = await tidings.poll(id)
  assert.deepEqual([outcome, created, skipped.duplicate], ['success', 500, 1000])
  const told = database.prepare(`SELECT data FROM events WHERE type = 'posts.created' ORDER BY id`).all()
  database.close()
  assert.deepEqual(
    told.map(({ data }) => JSON.parse(String(data)).count),
    [1000, 500],
  )
})
