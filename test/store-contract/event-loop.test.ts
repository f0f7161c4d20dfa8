// node:sqlite works on the main thread. What counts for the API is the longest stretch of work between two turns of
// the event loop; it is measured in processor time, so that a busy machine does not count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../src/ports/store.ts'
import { leastMs, longestStretchMs } from '../support/processor-time.ts'
import { tempStore } from '../support/temp-store.ts'
import { ALL, aCandidate, aSource, DAY_MS, NOW, poll, withSources } from './fixtures.ts'

const MOST_MS = 50

function check(name: string, work: (store: Store) => Promise<unknown>, prepare?: (store: Store) => Promise<unknown>) {
  test(name, async () => {
    const stretchMs = await leastMs(MOST_MS, async () => {
      await using temp = await tempStore({ now: NOW })
      await withSources(temp.store, aSource('s1'))
      await prepare?.(temp.store)
      return await longestStretchMs(() => work(temp.store))
    })
    assert.ok(stretchMs < MOST_MS, `the event loop stood still for ${stretchMs.toFixed(1)} ms of work`)
  })
}

const thousand = Array.from({ length: 1000 }, (_, n) => aCandidate(n, { body: `word ${n} `.repeat(500) }))
const tenThousand = Array.from({ length: 10_000 }, (_, n) => aCandidate(n, { body: `short ${n}` }))
const limits = { now: NOW + 30 * DAY_MS, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 1000 }

check('recording a poll with a thousand posts does not block the event loop', (store) =>
  poll(store, 's1', { posts: thousand }),
)

check('recording many polls at once does not block the event loop', (store) =>
  Promise.all(Array.from({ length: 300 }, (_, n) => poll(store, 's1', { posts: [aCandidate(n)] }))),
)

check(
  'ten thousand tombstones and a document that carries none of them let the event loop turn',
  (store) => poll(store, 's1', { carried: { guids: new Set(), hashes: new Set() } }),
  (store) => poll(store, 's1', { tombstones: tenThousand }),
)

check(
  'asking about ten thousand entries lets the event loop turn',
  (store) =>
    store.knownEntries('s1', {
      guids: tenThousand.map((entry) => entry.guid ?? ''),
      urls: tenThousand.map((entry) => entry.url),
      hashes: tenThousand.map((entry) => entry.contentHash),
    }),
  (store) => store.addPosts('s1', 1, tenThousand, NOW),
)

check(
  'cleaning up a thousand posts lets the event loop turn',
  (store) => store.cleanUp(limits),
  (store) => store.addPosts('s1', 1, thousand, NOW),
)

check(
  'removing a source with ten thousand posts, and listing meanwhile, lets the event loop turn',
  (store) => Promise.all([store.removeSource('s1'), store.listPosts({ ...ALL, podcastId: 'default' })]),
  (store) => store.addPosts('s1', 1, tenThousand, NOW),
)

check(
  'the first search lets the event loop turn while it fills the index',
  (store) => store.listPosts({ ...ALL, limit: 10, podcastId: 'default', q: 'word 7' }),
  (store) => store.addPosts('s1', 1, thousand, NOW),
)
