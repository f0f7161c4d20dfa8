import assert from 'node:assert/strict'
import type { Store } from '../../src/ports/store.ts'
import { writeEvents } from '../support/events.ts'
import { addArticles } from '../support/store-and-database.ts'
import {
  ALL,
  aCandidate,
  anArticle,
  anEvent,
  aRecord,
  aSource,
  type Check,
  DAY_MS,
  NOW,
  poll,
  withSources,
} from './fixtures.ts'

const LIMITS = { now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 500 }
const OLD = NOW - 7 * DAY_MS - 1

async function left(store: Store): Promise<{ posts: string[]; articles: string[] }> {
  const posts = await store.listPosts({ ...ALL, podcastId: 'default' })
  const articles = await store.listArticles({ ...ALL, podcastId: 'default', processed: null })
  return { posts: posts.items.map(({ id }) => id).toSorted(), articles: articles.items.map(({ id }) => id).toSorted() }
}

export function cleanUpContract(check: Check): void {
  check(
    'an unprocessed article over its age limit is removed, by publishedAt or else by createdAt',
    async ({ store, db }) => {
      await withSources(store, aSource('s1'))
      await addArticles(db, [
        anArticle('s1', [], { publishedAt: OLD }),
        anArticle('s1', [], { publishedAt: null, createdAt: OLD }),
        anArticle('s1', [], { publishedAt: NOW, createdAt: OLD }),
        anArticle('s1', [], { publishedAt: OLD + 1 }),
        anArticle('s1', [], { publishedAt: OLD, isProcessed: true }),
      ])
      assert.deepEqual(await store.cleanUp(LIMITS), { articles: 2, posts: 0, polls: 0, events: 0, done: true })
      assert.deepEqual((await left(store)).articles, ['3', '4', '5'])
    },
  )

  check('removing an article removes its posts that no other article has', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [1, 2, 3].map((n) => aCandidate(n)) })
    await addArticles(db, [anArticle('s1', ['1', '2'], { publishedAt: OLD }), anArticle('s1', ['2', '3'])])
    const { articles, posts } = await store.cleanUp(LIMITS)
    assert.deepEqual({ articles, posts }, { articles: 1, posts: 1 })
    assert.deepEqual(await left(store), { articles: ['2'], posts: ['2', '3'] })
  })

  check('a post over its age limit that is in no article is removed, by createdAt', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)], at: OLD })
    await poll(store, 's1', { posts: [aCandidate(3, { publishedAt: 0 })], at: NOW })
    await addArticles(db, [anArticle('s1', ['2'], { isProcessed: true })])
    assert.equal((await store.cleanUp(LIMITS)).posts, 1)
    assert.deepEqual((await left(store)).posts, ['2', '3'])
  })

  check('a post that clean-up removed is never new again', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)], at: OLD })
    await addArticles(db, [anArticle('s1', ['2'], { publishedAt: OLD })])
    assert.equal((await store.cleanUp(LIMITS)).posts, 2)
    const { guid, contentHash, url, publishedAt } = aCandidate(1)
    const known = await store.knownEntries('s1', { guids: ['guid-1'], hashes: ['hash-1'], urls: [] })
    assert.deepEqual(known, [{ guid, contentHash, url, publishedAt }])
    assert.equal(await store.addPosts('s1', 1, [aCandidate(1), aCandidate(2)], NOW), 0)
  })

  check("a podcast's own age limit counts before the common one", async ({ store }) => {
    await store.addPodcast({
      id: 'p2',
      userId: 'default',
      name: '',
      topic: null,
      maxArticleAgeDays: 30,
      createdAt: NOW,
    })
    await store.addPodcast({
      id: 'p3',
      userId: 'default',
      name: 'Third',
      topic: null,
      maxArticleAgeDays: 1,
      createdAt: NOW,
    })
    await withSources(store, aSource('s1'), aSource('s2', { podcastId: 'p2' }), aSource('s3', { podcastId: 'p3' }))
    for (const id of ['s1', 's2', 's3']) await poll(store, id, { posts: [aCandidate(1)], at: NOW - 10 * DAY_MS })
    await poll(store, 's3', { posts: [aCandidate(2)], at: NOW - 2 * DAY_MS })
    assert.equal((await store.cleanUp(LIMITS)).posts, 3)
    assert.equal((await store.listPosts({ ...ALL, podcastId: 'p2' })).items.length, 1)
  })

  check('no id is given again after the newest rows are gone with their source', async ({ store, db }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: [aCandidate(1)] })
    const ids = async (sourceId: string): Promise<number[]> => {
      const written = await poll(store, sourceId, { posts: [aCandidate(sourceId)], effects: { events: [anEvent()] } })
      assert.equal(written.kind, 'recorded')
      await addArticles(db, [anArticle(sourceId, [])])
      const [article] = await db.all('SELECT max(id) AS id FROM articles')
      const [post] = await db.all('SELECT max(id) AS id FROM posts')
      return [written.record.id, article?.id, post?.id, await store.lastEventId()].map(Number)
    }
    let before = await ids('s2')
    // The last time all sources are gone.
    for (const [removed, next] of [
      ['s2', 's3'],
      ['s3', 's1'],
      ['s1', 's4'],
    ] as const) {
      await store.removeSource(removed)
      for (let done = false; !done; ) done = (await store.cleanUp(LIMITS)).done
      if (next !== 's1') await withSources(store, aSource(next))
      const after = await ids(next)
      for (const [index, id] of after.entries()) assert.ok(id > (before[index] ?? 0), `${removed}: ${before}, ${after}`)
      before = after
    }
  })

  check('a run removes no more than its batch and says whether more is left', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: Array.from({ length: 25 }, (_, n) => aCandidate(n)), at: OLD })
    const limits = { ...LIMITS, batch: 10 }
    const calls = [await store.cleanUp(limits), await store.cleanUp(limits), await store.cleanUp(limits)]
    assert.deepEqual(
      calls.map(({ posts, done }) => [posts, done]),
      [
        [10, false],
        [10, false],
        [5, true],
      ],
    )
  })

  check(
    'the last hundred polls of a source stay, and of the older ones those with failures or new posts',
    async ({ store }) => {
      await withSources(store, aSource('s1'), aSource('s2'))
      const before = [
        aRecord('s1', { startedAt: NOW - 31 * DAY_MS, outcome: 'transient' }),
        aRecord('s1', { startedAt: NOW - 29 * DAY_MS, outcome: 'permanent' }),
        aRecord('s1', { startedAt: NOW - 28 * DAY_MS, created: 2 }),
        aRecord('s1', { startedAt: NOW - 27 * DAY_MS }),
      ]
      const newest = Array.from({ length: 100 }, () =>
        aRecord('s1', { startedAt: NOW - 40 * DAY_MS, outcome: 'transient' }),
      )
      for (const record of [...before, ...newest]) await poll(store, 's1', { effects: { record } })
      await poll(store, 's2', { effects: { record: aRecord('s2', { startedAt: NOW - 99 * DAY_MS }) } })
      assert.equal((await store.cleanUp(LIMITS)).polls, 2)
      assert.equal((await store.cleanUp(LIMITS)).polls, 0)
      const oldest = (await store.listPolls('s1', ALL)).items.slice(100)
      assert.deepEqual(
        oldest.map((record) => record.outcome),
        ['success', 'permanent'],
      )
      assert.equal((await store.listPolls('s2', ALL)).items.length, 1)
      assert.equal((await store.cleanUp({ ...LIMITS, now: NOW + 3 * DAY_MS })).polls, 2)
      assert.equal((await store.listPolls('s1', ALL)).items.length, 100)
    },
  )

  check('events are removed after a week, oldest first, and ids keep increasing', async ({ store }) => {
    await writeEvents(store, [anEvent({ at: OLD }), anEvent({ at: OLD + 1 }), anEvent({ at: NOW })])
    assert.equal((await store.cleanUp(LIMITS)).events, 1)
    await writeEvents(store, [anEvent({ at: NOW })])
    assert.deepEqual(
      (await store.eventsAfter('0', 10)).map((event) => event.id),
      ['2', '3', '4'],
    )
  })

  check('clean-up at the same time as polls loses nothing and makes nothing new again', async ({ store, again }) => {
    await withSources(store, aSource('s1'))
    const other = await again()
    const posts = Array.from({ length: 120 }, (_, n) => aCandidate(n))
    let created = 0
    const polling = async () => {
      for (let round = 0; round < 12; round++) {
        await poll(other, 's1', {
          posts,
          at: OLD,
          decide: (moment) => {
            created += moment.created
            return { source: {}, host: null, record: aRecord('s1'), events: [] }
          },
        })
      }
    }
    const cleaning = async () => {
      for (let round = 0; round < 12; round++) await store.cleanUp({ ...LIMITS, batch: 20 })
    }
    await Promise.all([polling(), cleaning()])
    assert.equal(created, 120)
  })
}
