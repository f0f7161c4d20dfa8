import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { aCandidate, aSource, NOW, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { openStore } from '../open-store.ts'
import { bundleTexts } from './html-bundles.ts'

const postgres = usePostgres()

test('a bundle takes texts up to its size, and the parts of its texts add up to what it takes', async () => {
  const lengths = [90_000, 30_000, 0, 20_000, 300_000, 7]
  const bundled = await bundleTexts([null, ...lengths.map((length) => Buffer.alloc(length, 'ab')), null])
  assert.deepEqual([bundled.at(0), bundled.at(-1)], [null, null])
  const texts = bundled.filter((one) => one !== null)
  assert.deepEqual(
    texts.map(({ index }) => index),
    [0, 1, 2, 0, 0, 0],
  )
  for (const [bundle, parts] of Map.groupBy(texts, (text) => text.bundle)) {
    const sum = parts.reduce((bytes, part) => bytes + part.packedBytes, 0)
    assert.equal(sum, bundle.packed.length)
  }
  assert.deepEqual(await bundleTexts([null]), [null])
})

test('two transactions that remove the last posts of a bundle at the same time leave no bundle', async () => {
  const url = await postgres.freshDatabase()
  const store = await openStore(url, { now: NOW })
  await withSources(store, aSource('s1'))
  await poll(store, 's1', { posts: [1, 2].map((n) => aCandidate(n, { html: `<p>${n}</p>` })) })
  const [one, other] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([one.connect(), other.connect()])
  try {
    await one.query('BEGIN; DELETE FROM posts WHERE id = 1')
    const later = other.query('DELETE FROM posts WHERE id = 2')
    for (let waiting = 0; waiting === 0; await setImmediate()) {
      const locks = await one.query('SELECT count(*) AS n FROM pg_locks WHERE NOT granted')
      waiting = Number(locks.rows[0].n)
    }
    await one.query('COMMIT')
    await later
    const { rows } = await one.query('SELECT count(*) AS n FROM html_bundles')
    assert.equal(Number(rows[0].n), 0)
  } finally {
    await Promise.all([one.end(), other.end(), store.close()])
  }
})
