// What polls of different sources add to, on PostgreSQL: a poll never waits for another one that is not committed yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { aCandidate, aRecord, aSource, NOW, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import type { Store } from '../../ports/store.ts'
import { openStore } from '../open-store.ts'

const postgres = usePostgres()
const TABLES = ['poll_hours', 'podcast_counts', 'meta', 'counters']
const LANES = ['a.example', 'b.example']

async function pollWithPosts(store: Store, n: number, posts = 1): Promise<void> {
  const id = `s${(n % 2) + 1}`
  const candidates = Array.from({ length: posts }, (_, index) => aCandidate(`${n} ${index}`))
  const record = aRecord(id, { created: posts, startedAt: NOW })
  await poll(store, id, { posts: candidates, lane: LANES[n % 2] ?? '', effects: { host: {}, record } })
}

async function withTwoSources(work: (store: Store, database: pg.Client) => Promise<void>): Promise<void> {
  const url = await postgres.freshDatabase()
  const store = await openStore(url, { now: NOW })
  const database = new pg.Client(url)
  await database.connect()
  try {
    await withSources(store, aSource('s1', { host: 'a.example' }), aSource('s2', { host: 'b.example' }))
    await work(store, database)
  } finally {
    await database.end()
    await store.close()
  }
}

test('a poll with new posts is recorded while another transaction holds every count of its podcast', () =>
  withTwoSources(async (store, database) => {
    await pollWithPosts(store, 1)
    await database.query('BEGIN')
    for (const table of TABLES) await database.query(`SELECT * FROM ${table} FOR UPDATE`)
    // A poll that waits for one of these rows would wait for ever.
    await pollWithPosts(store, 2)
    await pollWithPosts(store, 3)
    await database.query('COMMIT')
    const hours = await store.pollHours({ podcastId: 'default', userId: null, fromHour: 0 })
    assert.deepEqual(
      [...hours.values()].map(({ polls, created }) => [polls, created]),
      [[3, 3]],
    )
    assert.equal((await store.totals({ now: NOW, userId: null, podcastId: 'default' })).posts, 3)
  }))

test('many polls one after another keep few rows of counts', () =>
  withTwoSources(async (store, database) => {
    for (let n = 0; n < 150; n++) await pollWithPosts(store, n, 2)
    for (const [table, column, sum] of [
      ['poll_hours', 'polls', 150],
      [`podcast_counts WHERE kind = 'posts'`, 'n', 300],
    ] as const) {
      const { rows } = await database.query(`SELECT count(*) AS parts, sum(${column}) AS sum FROM ${table}`)
      assert.equal(Number(rows[0].sum), sum)
      // As many as the largest number so far was drawn anew: 6 are usual for 150, and 25 are not seen in a million years.
      assert.ok(Number(rows[0].parts) < 25, `${rows[0].parts} rows in ${table}`)
    }
  }))

test('posts of many long texts, which are written in several parts of one statement, are counted once', () =>
  withTwoSources(async (store, database) => {
    const body = 'x'.repeat(60_000)
    const posts = Array.from({ length: 40 }, (_, n) => aCandidate(n, { body, html: `<p>${n}</p>` }))
    await poll(store, 's1', { posts, lane: 'a.example', effects: { host: {}, record: aRecord('s1', { created: 40 }) } })
    assert.equal((await store.totals({ now: NOW, userId: null, podcastId: 'default' })).posts, 40)
    const { rows } = await database.query(
      `SELECT (SELECT sum(bytes) FROM podcast_counts WHERE kind = 'posts') AS counted, (SELECT count(*) FROM html_bundles) AS bundles,
         (SELECT sum(500 + octet_length(title) + octet_length(body) + octet_length(url) + COALESCE(octet_length(guid), 0)
            + octet_length(categories) + octet_length(enclosures) + content_bytes) FROM posts) AS stored`,
    )
    assert.equal(rows[0].counted, rows[0].stored)
    assert.equal(Number(rows[0].bundles), 1)
  }))
