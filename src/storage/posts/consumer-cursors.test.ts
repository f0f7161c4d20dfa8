import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { postsAfter } from '../../../test/support/read-store.ts'
import type { Store } from '../../ports/store.ts'

const DAY = 24 * 3_600_000
const onBoth = useEngines()

const put = (store: Store, position: string, name = 'briefing') =>
  store.putCursor('default', { name, position, at: TEST_START })

onBoth('a cursor says how much is behind it, may go back, and is forgotten', async ({ store }) => {
  const { id } = await putSource(store)
  assert.deepEqual(await put(store, '0'), { name: 'briefing', position: '0', behind: 0, gap: false })
  await putPosts(store, id, [candidate('A'), candidate('B'), candidate('C')])
  const [first] = await postsAfter(store, 'default', '0', 1)
  const behindFirst = { name: 'briefing', position: first?.id, behind: 2, gap: false }
  assert.deepEqual(await put(store, first?.id ?? ''), behindFirst)
  assert.deepEqual(await store.getCursor('default', 'briefing'), behindFirst)
  assert.equal((await put(store, '0'))?.behind, 3)
  assert.equal(await store.getCursor('default', 'other'), null)
  assert.equal(await store.removeCursor('default', 'briefing'), true)
  assert.equal(await store.removeCursor('default', 'briefing'), false)
  assert.equal(await store.getCursor('default', 'briefing'), null)
})

onBoth('a position beyond the newest post is not taken', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('A')])
  assert.equal(await put(store, '2'), null)
  assert.equal(await store.getCursor('default', 'briefing'), null)
  assert.equal((await put(store, '1'))?.behind, 0)
})

onBoth('posts of a removed source are not behind a cursor', async ({ store }) => {
  const [one, two] = [await putSource(store), await putSource(store)]
  const many = Array.from({ length: 900 }, (_, index) => candidate(`${index}`))
  for (const { id } of [one, two]) await putPosts(store, id, many)
  for (let from = 0; from < 3; from++) {
    await putPosts(
      store,
      two.id,
      many.map((_, index) => candidate(`more ${from} ${index}`)),
    )
  }
  await store.removeSource(two.id)
  assert.equal((await put(store, '0'))?.behind, 900)
})

onBoth('what clean-up removed before a cursor passed it is a gap, until the cursor is beyond', async ({ store }) => {
  const { id } = await putSource(store)
  await putPosts(store, id, [candidate('A'), candidate('B')], TEST_START)
  await putPosts(store, id, [candidate('C')], TEST_START + 5 * DAY)
  const [a, b, c] = (await postsAfter(store, 'default', '0', 10)).map((post) => post.id)
  await put(store, a ?? '', 'slow')
  await put(store, b ?? '', 'quick')
  const limits = { maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 }
  assert.equal((await store.cleanUp({ ...limits, now: TEST_START + 8 * DAY })).posts, 2)
  assert.deepEqual(await store.getCursor('default', 'slow'), { name: 'slow', position: a, behind: 1, gap: true })
  assert.deepEqual(await store.getCursor('default', 'quick'), { name: 'quick', position: b, behind: 1, gap: false })
  assert.equal((await put(store, c ?? '', 'slow'))?.gap, false)
})

onBoth(
  'posts that go with an unprocessed article are a gap too, those of other podcasts are not',
  async ({ store }) => {
    await store.addPodcast({
      ...{ id: 'other', userId: 'default', name: 'Other', topic: null, maxArticleAgeDays: null, createdAt: TEST_START },
    })
    const { id } = await putSource(store)
    await putPosts(store, id, [candidate('A')])
    const request = {
      podcastId: 'default',
      at: TEST_START,
      createdSince: 0,
      publishedSince: 0,
      mode: 'thread',
    } as const
    await store.aggregateArticles({ ...request, reprocessPostIds: [] })
    await put(store, '0')
    await store.putCursor('other', { name: 'briefing', position: '0', at: TEST_START })
    await store.cleanUp({ now: TEST_START + 8 * DAY, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 })
    assert.equal((await store.getCursor('default', 'briefing'))?.gap, true)
    assert.equal((await store.getCursor('other', 'briefing'))?.gap, false)
    assert.equal(await store.removePodcast('other'), true)
    assert.equal(await store.getCursor('other', 'briefing'), null)
  },
)

onBoth('a reader that goes on from its position sees every post once, whoever writes meanwhile', async (opened) => {
  const stores = [opened.store, await opened.again(), await opened.again()]
  const sources = await Promise.all([0, 1, 2, 3, 4, 5].map(() => putSource(opened.store)))
  const written: string[] = []
  let writing = true
  const writers = sources.map(async ({ id }, index) => {
    for (let round = 0; round < 12; round++) {
      const posts = Array.from({ length: 1 + ((round * 7 + index) % 9) }, (_, n) => candidate(`${id} ${round} ${n}`))
      written.push(...posts.map(({ title }) => title))
      await putPosts(stores[index % 3] ?? opened.store, id, posts)
    }
  })
  const done = Promise.all(writers).finally(() => {
    writing = false
  })
  const seen: string[] = []
  for (let position = '0'; ; ) {
    const last = !writing
    const posts = await postsAfter(stores[seen.length % 3] ?? opened.store, 'default', position, 7)
    seen.push(...posts.map(({ title }) => title))
    position = posts.at(-1)?.id ?? position
    if (posts.length === 0 && last) break
  }
  await done
  const all = await postsAfter(opened.store, 'default', '0', 1000)
  assert.deepEqual(
    seen,
    all.map(({ title }) => title),
  )
  assert.deepEqual(seen.toSorted(), written.toSorted())
})
