// Somebody wants more of the past than the first poll took: raising the backfill makes the next poll choose like a first
// one, and nothing that was stored is stored again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { DAY, HOUR, startWorld, TEST_START, type World } from '../support/world.ts'

const postgres = usePostgres()
const config = { source: { maxArticleAgeDays: 30 } }

function story(name: string, body: (world: World) => Promise<void>): void {
  test(`${name} (SQLite)`, async () => {
    await using world = await startWorld({ config })
    await body(world)
  })
  test(`${name} (PostgreSQL)`, async () => {
    await using world = await startWorld({ config: { ...config, database: { url: await postgres.freshDatabase() } } })
    await body(world)
  })
}

/** An entry for each of these days before the test, newest first; 2 is dated two and a half days before. */
function publish(world: World, days: readonly number[]): void {
  const items = days.map((ago) => ({
    title: `${ago} days ago`,
    guid: String(ago),
    publishedAt: TEST_START - ago * DAY - DAY / 2,
  }))
  world.origin.route('/feed', { body: rss(items) })
}

const TEN_DAYS = Array.from({ length: 10 }, (_, ago) => ago)

/** Returns how many posts it stored. */
async function pollAgain(world: World, id: string): Promise<number> {
  await world.clock.advance(HOUR)
  const { outcome, created } = await world.tidings.poll(id)
  assert.equal(outcome, 'success')
  return created
}

async function storedDays(world: World): Promise<number[]> {
  const { items } = await world.tidings.catalogue.posts.list('default', { limit: 100 })
  return items.map(({ title }) => Number.parseInt(title, 10)).toSorted((a, b) => a - b)
}

for (const created of [0, 2]) {
  story(`raised from ${created} to 7 days, the next poll stores those of the window once`, async (world) => {
    publish(world, TEN_DAYS)
    const { id } = await world.add('/feed', { backfillDays: created })
    assert.equal(await pollAgain(world, id), created)
    assert.deepEqual(await storedDays(world), TEN_DAYS.slice(0, created))

    await world.tidings.catalogue.sources.update(id, { backfillDays: 7 })
    // Never seen, and older than the window: a first poll would not take it either.
    publish(world, [...TEN_DAYS, 12])
    assert.equal(await pollAgain(world, id), 7 - created)
    assert.deepEqual(await storedDays(world), TEN_DAYS.slice(0, 7))
    assert.equal((await world.tidings.polls.list(id)).items[0]?.gap, false)

    const { lastSeenId } = await world.tidings.catalogue.sources.get(id)
    assert.equal(lastSeenId, new Date(TEST_START - DAY / 2).toISOString())
    publish(world, [...TEN_DAYS, 12, 13])
    assert.equal(await pollAgain(world, id), 0)
    assert.deepEqual(await storedDays(world), TEN_DAYS.slice(0, 7))
  })
}

story('lowered, or given again as it is, the backfill brings nothing back', async (world) => {
  publish(world, TEN_DAYS)
  const { id } = await world.add('/feed', { backfillDays: 3 })
  assert.equal(await pollAgain(world, id), 3)
  const { lastSeenId } = await world.tidings.catalogue.sources.get(id)
  for (const backfillDays of [3, 1, 0]) {
    await world.tidings.catalogue.sources.update(id, { backfillDays })
    assert.equal((await world.tidings.catalogue.sources.get(id)).lastSeenId, lastSeenId)
    publish(world, [...TEN_DAYS, 10 + backfillDays])
    assert.equal(await pollAgain(world, id), 0)
    assert.deepEqual(await storedDays(world), [0, 1, 2])
  }
})

story('what clean-up removed does not come back with a raised backfill', async (world) => {
  publish(world, TEN_DAYS)
  const { id } = await world.add('/feed', { backfillDays: 2 })
  assert.equal(await pollAgain(world, id), 2)
  await world.tidings.catalogue.podcasts.update('default', { maxArticleAgeDays: 1 })
  await world.pass(HOUR)
  await world.pass(DAY)
  assert.deepEqual(await storedDays(world), [])
  await world.tidings.catalogue.podcasts.update('default', { maxArticleAgeDays: 30 })
  await world.tidings.catalogue.sources.update(id, { backfillDays: 5 })
  assert.equal(await pollAgain(world, id), 3)
  assert.deepEqual(await storedDays(world), [2, 3, 4])
})
