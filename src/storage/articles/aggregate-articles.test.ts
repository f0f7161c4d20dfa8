import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { assertLeastWithin } from '../../../test/support/processor-time.ts'
import { postsAfter } from '../../../test/support/read-store.ts'
import type { AggregationRequest } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const onBoth = useEngines()

async function make(store: Store, given: Partial<AggregationRequest> = {}) {
  const at = given.at ?? TEST_START
  const made = await store.aggregateArticles({
    ...{ podcastId: 'default', at, createdSince: at - 7 * DAY, publishedSince: at - 7 * DAY, mode: 'thread' },
    reprocessPostIds: [],
    ...given,
  })
  if (made.kind !== 'aggregated') assert.fail(made.kind)
  return made.created
}

async function postIdsOf(store: Store): Promise<string[]> {
  return (await postsAfter(store, 'default', '0', 1000)).map((post) => post.id)
}

onBoth('unlinked posts become articles once, each with its posts and the hash of its body', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('A'), candidate('B', { author: 'Ann', publishedAt: null })])
  const created = await make(store)
  assert.deepEqual(
    created.map(({ title, sourceId, isProcessed, createdAt }) => [title, sourceId, isProcessed, createdAt]),
    [
      ['A', id, false, TEST_START],
      ['B', id, false, TEST_START],
    ],
  )
  assert.equal(created[0]?.contentHash, createHash('sha256').update('About A').digest('hex'))
  assert.deepEqual(
    created.flatMap((article) => article.postIds),
    await postIdsOf(store),
  )
  assert.deepEqual(await make(store), [])
  const listed = await store.listArticles({ podcastId: 'default', limit: 10, cursor: null, processed: false })
  assert.deepEqual(listed.items, created.toReversed())
})

onBoth('the window is by arrival, and too old by date is too old', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('came early')], TEST_START - DAY - 1)
  await putPosts(store, id, [candidate('edge')], TEST_START - DAY)
  await putPosts(store, id, [candidate('dated too old', { publishedAt: TEST_START - 3 * DAY - 1 })])
  await putPosts(store, id, [candidate('dated old', { publishedAt: TEST_START - 3 * DAY })])
  const created = await make(store, { createdSince: TEST_START - DAY, publishedSince: TEST_START - 3 * DAY })
  assert.deepEqual(created.map(({ title }) => title).sort(), ['dated old', 'edge'])
  const { items } = await store.listPosts({ podcastId: 'default', limit: 10, cursor: null, unlinked: true })
  assert.deepEqual(items.map(({ title }) => title).sort(), ['came early', 'dated too old'])
})

onBoth('those who ask at the same time make each article once', async ({ store, again }) => {
  const sources = await Promise.all([1, 2, 3].map(() => putSource(store)))
  for (const { id } of sources) {
    await putPosts(
      store,
      id,
      Array.from({ length: 40 }, (_, index) => candidate(`${id} ${index}`)),
    )
  }
  const other = await again()
  const made = await Promise.all([store, other, store, other].map((each) => make(each)))
  assert.equal(made.flat().length, 120)
  const linked = made.flat().flatMap((article) => article.postIds)
  assert.deepEqual(
    linked.sort((a, b) => Number(a) - Number(b)),
    await postIdsOf(store),
  )
})

onBoth('a later reply joins while its article is unprocessed, else makes its own', async ({ store }) => {
  const { id } = await putSource(store, { type: 'twitter', url: 'https://x.com/name' })
  const at = (minutes: number) => ({ publishedAt: TEST_START + minutes * MINUTE })
  await putPosts(store, id, [candidate('1', { body: 'one', ...at(0) }), candidate('9', { body: 'nine', ...at(5) })])
  assert.equal((await make(store)).length, 2)
  await putPosts(store, id, [candidate('2', { body: 'two', ...at(10), categories: ['reply', 'replied_to:1'] })])
  assert.deepEqual(await make(store), [])
  const { items } = await store.listArticles({ podcastId: 'default', limit: 10, cursor: null, processed: null })
  const grown = items.find(({ title }) => title === '1') ?? assert.fail()
  assert.equal(grown.body, 'one\n\n---\n\ntwo')
  assert.equal(grown.contentHash, createHash('sha256').update(grown.body).digest('hex'))
  assert.equal(grown.postIds.length, 2)

  await store.markProcessed('default', [grown.id], { at: 1000 })
  await putPosts(store, id, [candidate('3', { body: 'three', ...at(20), categories: ['reply', 'replied_to:2'] })])
  assert.deepEqual(
    (await make(store)).map(({ body }) => body),
    ['three'],
  )
})

onBoth('the same text in two sources ends in one article with both posts, also later', async ({ store }) => {
  const [one, two, three] = [await putSource(store), await putSource(store), await putSource(store)]
  const body = 'The same words'
  await putPosts(store, one.id, [candidate('First', { body })])
  await putPosts(store, two.id, [candidate('Second', { body })])
  const [article] = await make(store)
  assert.deepEqual([article?.title, article?.postIds.length], ['First', 2])
  await putPosts(store, three.id, [candidate('Third', { body })], TEST_START + DAY)
  assert.deepEqual(await make(store, { at: TEST_START + DAY }), [])
  const found = await store.getArticle('default', article?.id ?? '')
  assert.deepEqual(
    found?.posts.map(({ title }) => title),
    ['First', 'Second', 'Third'],
  )
  assert.deepEqual(
    found?.article.postIds,
    found?.posts.map((post) => post.id),
  )
})

onBoth('a text of an article made before the window makes a new one', async ({ store }) => {
  const [one, two] = [await putSource(store), await putSource(store)]
  await putPosts(store, one.id, [candidate('First', { body: 'same' })])
  await make(store)
  await putPosts(store, two.id, [candidate('Second', { body: 'same' })], TEST_START + 8 * DAY)
  assert.equal((await make(store, { at: TEST_START + 8 * DAY, publishedSince: 0 })).length, 1)
})

onBoth('a copy that is linked to a thread is no part of its text when the thread grows', async ({ store }) => {
  const x = await putSource(store, { type: 'twitter', url: 'https://x.com/name' })
  const feed = await putSource(store)
  await putPosts(store, x.id, [candidate('1', { body: 'one' })])
  await putPosts(store, feed.id, [candidate('copy', { body: 'one' })])
  await make(store)
  const reply = candidate('R to @name: 2', { body: 'two', publishedAt: TEST_START + MINUTE })
  await putPosts(store, x.id, [reply])
  await make(store)
  const { items } = await store.listArticles({ podcastId: 'default', limit: 10, cursor: null, processed: null })
  assert.deepEqual(
    items.map(({ body, postIds }) => [body, postIds.length]),
    [['one\n\n---\n\ntwo', 3]],
  )
})

/** Two accounts that show the same; each asking sees what has come until then. */
const MIRRORS = { aggregate: true } as const
const first = candidate('1', { body: 'one' })
const second = candidate('R to @name: 2', { body: 'two', publishedAt: TEST_START + 10 * MINUTE })

async function listed(store: Store) {
  const { items } = await store.listArticles({ podcastId: 'default', limit: 10, cursor: null, processed: null })
  return items.map(({ body, postIds }) => [body, postIds.length])
}

for (const asked of ['once', 'before the reply', 'before the copy and the reply'] as const) {
  onBoth(`a reply joins its thread when the post before it is a copy, asked ${asked}`, async ({ store }) => {
    const [a, b] = [await putSource(store, MIRRORS), await putSource(store, MIRRORS)]
    await putPosts(store, a.id, [first])
    if (asked === 'before the copy and the reply') await make(store)
    await putPosts(store, b.id, [first])
    if (asked === 'before the reply') await make(store)
    await putPosts(store, b.id, [second])
    await make(store)
    assert.deepEqual(await listed(store), [['one\n\n---\n\ntwo', 3]])
    // The first account has the reply too, at last: nothing new.
    await putPosts(store, a.id, [second])
    assert.deepEqual(await make(store), [])
    assert.deepEqual(await listed(store), [['one\n\n---\n\ntwo', 4]])
  })
}

onBoth('a reply to a copy in a processed article, or in one of a removed source, makes its own', async ({ store }) => {
  const [a, b, c] = [await putSource(store, MIRRORS), await putSource(store, MIRRORS), await putSource(store, MIRRORS)]
  for (const { id } of [a, b, c]) await putPosts(store, id, [first])
  const [made] = await make(store)
  await store.markProcessed('default', [made?.id ?? ''], { at: 1000 })
  await putPosts(store, b.id, [second])
  assert.deepEqual(
    (await make(store)).map(({ body }) => body),
    ['two'],
  )
  await store.markProcessed('default', [made?.id ?? ''], false)
  await store.removeSource(a.id)
  await putPosts(store, c.id, [candidate('R to @name: 3', { body: 'three', publishedAt: TEST_START + 20 * MINUTE })])
  const bodies = (await make(store)).map(({ body }) => body)
  assert.deepEqual(bodies, ['one\n\n---\n\nthree'])
})

onBoth('reprocessing always makes a new article, and an unknown post changes nothing', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('A'), candidate('B')])
  const [a] = await make(store)
  const postIds = a?.postIds ?? []
  for (let round = 0; round < 2; round++) {
    const [again, ...others] = await make(store, { reprocessPostIds: [...postIds, ...postIds] })
    assert.deepEqual([again?.title, again?.postIds, others], ['A', postIds, []])
    assert.notEqual(again?.id, a?.id)
  }
  await putPosts(store, id, [candidate('C')])
  for (const unknown of ['999999', 'x', '']) {
    const request = {
      podcastId: 'default',
      at: TEST_START,
      createdSince: 0,
      publishedSince: 0,
      mode: 'thread',
    } as const
    const made = await store.aggregateArticles({ ...request, reprocessPostIds: [...postIds, unknown] })
    assert.deepEqual(made, { kind: 'unknown-posts' })
  }
  assert.equal((await make(store)).length, 1)
})

onBoth('a removed source gives no articles, and a podcast that is not there says so', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('A')])
  await store.removeSource(id)
  assert.deepEqual(await make(store), [])
  const request = { at: TEST_START, createdSince: 0, publishedSince: 0, mode: 'thread', reprocessPostIds: [] } as const
  assert.deepEqual(await store.aggregateArticles({ ...request, podcastId: 'none' }), { kind: 'no-podcast' })
})

onBoth('digests take what came since the last one', async ({ store }) => {
  const { id } = await putSource(store, { url: 'https://nitter.net/name/rss' })
  await putPosts(store, id, [candidate('A', { author: '@name' }), candidate('B', { author: '@name' })])
  const [digest, ...others] = await make(store, { mode: 'digest' })
  assert.deepEqual([digest?.title, digest?.postIds.length, others], ['Posts from @name — Feb 17, 2026', 2, []])
  await putPosts(store, id, [candidate('C', { author: '@name' })])
  assert.equal((await make(store, { mode: 'digest' }))[0]?.body, '2026-02-17T10:00:00.000Z\nAbout C')
})

/** What this thread has worked: on a shared machine the time on the wall tells more of the others. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

onBoth('three thousand posts at once hold nobody else up for long', async ({ store }) => {
  const { id } = await putSource(store)
  const body = 'word '.repeat(600)
  let put = 0
  const longestMs = async () => {
    const posts = Array.from({ length: 3000 }, () => candidate(`${++put}`, { body: `${body}${put}` }))
    for (let from = 0; from < posts.length; from += 500) await putPosts(store, id, posts.slice(from, from + 500))
    let longest = 0
    let last = cpuMs()
    const watch = setInterval(() => {
      longest = Math.max(longest, cpuMs() - last)
      last = cpuMs()
    }, 1)
    try {
      assert.equal((await make(store)).length, 3000)
    } finally {
      clearInterval(watch)
    }
    return longest
  }
  // 50 ms is the promise; the bound leaves room for a garbage collection on a busy machine.
  await assertLeastWithin(100, longestMs)
})

onBoth('polls, aggregations, marks and clean-up at once fail nowhere and leave no post behind', async (opened) => {
  const stores = [opened.store, await opened.again()]
  const sources = await Promise.all([0, 1, 2].map(() => putSource(opened.store, { aggregate: true })))
  const some = (round: number) => stores[round % 2] ?? opened.store
  const day = (round: number) => TEST_START + Math.floor(round / 4) * DAY
  const polling = sources.map(async ({ id }) => {
    for (let round = 0; round < 24; round++) {
      const publishedAt = day(round) + round * MINUTE
      const posts = [0, 1].map((n) =>
        candidate(`${n ? 'R to @a: ' : ''}${id} ${round}`, { body: `${n} ${round}`, publishedAt }),
      )
      await putPosts(some(round), id, posts, day(round))
    }
  })
  const asking = [0, 1].map(async (asker) => {
    for (let round = 0; round < 24; round++) {
      const at = day(round)
      const created = await make(some(round + asker), { at, createdSince: at - 2 * DAY, publishedSince: at - 2 * DAY })
      const ids = created.filter((_, index) => index % 2 === 0).map(({ id }) => id)
      // Clean-up may have been quicker; then none of them is marked.
      await some(round).markProcessed('default', ids, { at: 1000 })
    }
  })
  const cleaning = (async () => {
    for (let round = 0; round < 24; round++) {
      await some(round).cleanUp({ now: day(round), maxArticleAgeDays: 2, pollHistoryDays: 30, batch: 50 })
    }
  })()
  await Promise.all([...polling, ...asking, cleaning])
  const at = day(23)
  await make(opened.store, { at, createdSince: at - 2 * DAY, publishedSince: at - 2 * DAY })
  const posts = await postsAfter(opened.store, 'default', '0', 1000)
  const { items } = await opened.store.listArticles({ podcastId: 'default', limit: 500, cursor: null, processed: null })
  const linked = items.flatMap(({ postIds }) => postIds)
  assert.equal(new Set(linked).size, linked.length)
  for (const { id, createdAt, publishedAt } of posts) {
    const isDue = Math.min(createdAt, publishedAt ?? createdAt) >= at - 2 * DAY
    if (isDue) assert.ok(linked.includes(id), `post ${id} is in no article`)
  }
})
