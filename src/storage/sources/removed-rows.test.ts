// What no verb shows: that deleted things are really gone, and that poll records leave their totals behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aCandidate,
  anArticle,
  aRecord,
  aSource,
  DAY_MS,
  NOW,
  poll,
  withSources,
} from '../../../test/store-contract/fixtures.ts'
import { addArticles } from '../../../test/support/store-and-database.ts'
import { tempStore } from '../../../test/support/temp-store.ts'
import type { Database } from '../database/db.ts'
import { openSqlite } from '../database/sqlite-db.ts'

const LIMITS = { now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 1000 }

async function beside<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openSqlite(url.slice('file:'.length))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

test('a removed source leaves no row behind after clean-up', async () => {
  await using temp = await tempStore({ now: NOW })
  const { store, db } = temp
  await withSources(store, aSource('s1'), aSource('s2'))
  const posts = Array.from({ length: 3000 }, (_, n) => aCandidate(n))
  await poll(store, 's1', { posts, tombstones: Array.from({ length: 300 }, (_, n) => aCandidate(`old-${n}`)) })
  await poll(store, 's2', { posts: [aCandidate('theirs')] })
  await addArticles(db, [anArticle('s1', ['1', '2'])])
  while ((await store.indexPosts()) > 0);
  await store.removeSource('s1')
  for (let done = false; !done; ) done = (await store.cleanUp(LIMITS)).done
  await beside(temp.url, async (db) => {
    for (const table of ['posts', 'articles', 'tombstones', 'polls', 'poll_days', 'purges']) {
      const rows = await db.all(`SELECT source_id FROM ${table} WHERE source_id = 's1'`)
      assert.equal(rows.length, 0, table)
    }
    assert.equal((await db.all('SELECT * FROM post_articles')).length, 0)
    assert.equal((await db.all(`SELECT rowid FROM posts_text WHERE posts_text MATCH 'body'`)).length, 1)
  })
})

test('removed poll records are added to the totals of their source and day, which are kept for 400 days', async () => {
  await using temp = await tempStore({ now: NOW })
  const { store } = temp
  await withSources(store, aSource('s1'))
  const day = Math.floor(NOW / DAY_MS)
  const records = [
    aRecord('s1', { bytes: 10 }),
    aRecord('s1', { bytes: 20 }),
    aRecord('s1', { bytes: 30, startedAt: NOW - DAY_MS }),
    aRecord('s1', { outcome: 'transient', bytes: 0, startedAt: NOW - 31 * DAY_MS }),
    aRecord('s1', { outcome: 'permanent', bytes: 0, startedAt: NOW - 31 * DAY_MS }),
    aRecord('s1', { created: 4, bytes: 7, startedAt: NOW - 31 * DAY_MS }),
    ...Array.from({ length: 100 }, () => aRecord('s1')),
  ]
  for (const record of records) await poll(store, 's1', { effects: { record } })
  // In two calls: the second adds to what the first wrote.
  await store.cleanUp({ ...LIMITS, batch: 1 })
  await store.cleanUp(LIMITS)
  const totals = () => beside(temp.url, (db) => db.all('SELECT * FROM poll_days ORDER BY day DESC'))
  const none = { source_id: 's1', transient: 0, permanent: 0, not_modified: 0, created: 0 }
  assert.deepEqual(
    (await totals()).map((row) => ({ ...row })),
    [
      { ...none, day, polls: 2, bytes: 30 },
      { ...none, day: day - 1, polls: 1, bytes: 30 },
      { ...none, day: day - 31, polls: 3, transient: 1, permanent: 1, created: 4, bytes: 7 },
    ],
  )
  await store.cleanUp({ ...LIMITS, now: NOW + 400 * DAY_MS })
  assert.deepEqual(
    (await totals()).map((row) => row.day),
    [day],
  )
})
