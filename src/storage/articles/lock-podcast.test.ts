import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { until } from '../../../test/support/until.ts'
import type { Store } from '../../ports/store.ts'
import { openStore } from '../open-store.ts'

const DAY = 24 * 3_600_000
const postgres = usePostgres()

test('creating articles and marking them never deadlock', async () => {
  await using world = await threeArticles()
  const { store, client, articles } = world
  // Copies of all three texts, each to be linked to the article that has its text.
  await putPosts(store, (await putSource(store)).id, world.texts)
  // Both come as far as the one in the middle, from whichever side, and wait.
  await client.query('BEGIN')
  await client.query('SELECT id FROM articles WHERE id = $1 FOR UPDATE', [articles[1]])
  const both = Promise.all([make(store), store.markProcessed('default', articles, { at: 1000 })])
  await until('both wait', async () => (await waiting(client)) === 2)
  await client.query('COMMIT')
  assert.deepEqual(await both, [[], 3])
  await store.close()
  assert.equal(await deadlocks(client), 0)
})

test('clean-up skips a podcast that another transaction has locked, and does not wait for it', async () => {
  await using world = await threeArticles()
  const { store, client } = world
  const cleanUp = () =>
    store.cleanUp({ now: TEST_START + 8 * DAY, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 })
  await client.query('BEGIN')
  await client.query(`SELECT id FROM podcasts WHERE id = 'default' FOR NO KEY UPDATE`)
  assert.deepEqual((await cleanUp()).articles, 0)
  await client.query('COMMIT')
  assert.deepEqual((await cleanUp()).articles, 3)
})

async function threeArticles() {
  const url = await postgres.freshDatabase()
  const store = await openStore(url, { now: TEST_START })
  const texts = ['A', 'B', 'C'].map((title) => candidate(title, { publishedAt: null }))
  await putPosts(store, (await putSource(store)).id, texts)
  const articles = (await make(store)).map(({ id }) => id)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    ...{ store, client, texts, articles },
    async [Symbol.asyncDispose]() {
      await client.end()
      await store.close().catch(() => {})
    },
  }
}

async function make(store: Store) {
  const made = await store.aggregateArticles({
    ...{ podcastId: 'default', at: TEST_START, createdSince: TEST_START - DAY, publishedSince: TEST_START - DAY },
    ...{ mode: 'thread', reprocessPostIds: [] },
  })
  if (made.kind !== 'aggregated') assert.fail(made.kind)
  return made.created
}

async function waiting(client: pg.Client): Promise<number> {
  // Within a transaction the first look would be the only one.
  await client.query('SELECT pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return Number(rows[0]?.n)
}

/** As the server counted them: connections that met one tell it when they end. */
async function deadlocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  return Number(rows[0]?.deadlocks)
}
