import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { postsAfter } from '../../../test/support/read-store.ts'
import type { Article } from '../../domain/article.ts'
import type { Source } from '../../domain/source.ts'
import type { Store } from '../../ports/store.ts'

const DAY = 24 * 60 * 60_000
const onBoth = useEngines()

/** Two sources of the default podcast with the same text, and another user's podcast to go to. */
async function mirrors(store: Store, given: Partial<Source> = {}): Promise<readonly [Source, Source]> {
  const at = { createdAt: TEST_START }
  await store.addUser({ id: 'ann', name: 'Ann', ...at })
  await store.addPodcast({ id: 'q', userId: 'ann', name: 'Q', topic: null, maxArticleAgeDays: null, ...at })
  const [a, b] = [await putSource(store, given), await putSource(store, given)]
  await putPosts(store, a.id, [candidate('A1', { body: 'same' })])
  await putPosts(store, b.id, [candidate('B1', { body: 'same' })])
  return [a, b]
}

async function make(store: Store, podcastId = 'default', mode: 'thread' | 'digest' = 'thread') {
  const since = TEST_START - 7 * DAY
  const window = { at: TEST_START, createdSince: since, publishedSince: since, mode }
  const made = await store.aggregateArticles({ ...window, podcastId, reprocessPostIds: [] })
  if (made.kind !== 'aggregated') assert.fail(made.kind)
  return made.created
}

async function move(store: Store, { id }: Source, podcastId = 'q'): Promise<void> {
  const moved = await store.changeSource(id, () => ({ set: { podcastId }, events: [] }))
  assert.notEqual(moved, 'exists')
}

async function articlesOf(store: Store, podcastId: string): Promise<readonly Article[]> {
  const { items } = await store.listArticles({ podcastId, limit: 100, cursor: null, processed: null })
  return items
}

/** Title, body, done with, and titles of the posts; what holds for every article is checked on the way. */
async function told(store: Store, podcastId: string) {
  const articles = await articlesOf(store, podcastId)
  const rows = articles.map(async ({ id, title, body, contentHash, isProcessed, sourceId }) => {
    const posts = (await store.getArticle(podcastId, id))?.posts ?? []
    for (const post of posts) assert.equal((await store.getSource(post.sourceId))?.podcastId, podcastId)
    assert.ok(posts.some((post) => post.sourceId === sourceId))
    assert.equal(contentHash, createHash('sha256').update(body).digest('hex'))
    return [title, body, isProcessed, posts.map((post) => post.title).join()] as const
  })
  return Promise.all(rows)
}

async function unlinked(store: Store, podcastId: string): Promise<string[]> {
  const { items } = await store.listPosts({ podcastId, limit: 100, cursor: null, unlinked: true })
  return items.map((post) => post.title)
}

onBoth(
  'an article goes with its source, and a copy that stays becomes an article of its podcast',
  async ({ store }) => {
    const [a] = await mirrors(store)
    await make(store)
    await move(store, a)
    assert.deepEqual(await told(store, 'q'), [['A1', 'same', false, 'A1']])
    assert.deepEqual(await told(store, 'default'), [])
    assert.deepEqual([await unlinked(store, 'q'), await unlinked(store, 'default')], [[], ['B1']])
    assert.deepEqual([(await make(store, 'q')).length, (await make(store)).length], [0, 1])
    assert.deepEqual(await told(store, 'default'), [['B1', 'same', false, 'B1']])
  },
)

onBoth('a copy that moves leaves the article where it was and becomes one where it goes', async ({ store }) => {
  const [, b] = await mirrors(store)
  await make(store)
  await move(store, b)
  assert.deepEqual(await told(store, 'default'), [['A1', 'same', false, 'A1']])
  assert.deepEqual([await unlinked(store, 'q'), await unlinked(store, 'default')], [['B1'], []])
  assert.deepEqual([(await make(store, 'q')).length, (await make(store)).length], [1, 0])
})

onBoth('what was processed stays so on both sides of a move', async ({ store }) => {
  const [a, b] = await mirrors(store)
  await store.markProcessed('default', [(await make(store))[0]?.id ?? ''], { at: 1000 })
  await move(store, a)
  assert.deepEqual(await told(store, 'q'), [['A1', 'same', true, 'A1']])
  assert.deepEqual(await told(store, 'default'), [['B1', 'same', true, 'B1']])
  await move(store, b)
  assert.equal((await told(store, 'q')).length, 2)
  assert.deepEqual([await make(store, 'q'), await make(store)], [[], []])
})

onBoth('a processed copy that moves is not made again where it goes', async ({ store }) => {
  const [, b] = await mirrors(store)
  await store.markProcessed('default', [(await make(store))[0]?.id ?? ''], { at: 1000 })
  await move(store, b)
  assert.deepEqual(await told(store, 'default'), [['A1', 'same', true, 'A1']])
  assert.deepEqual(await told(store, 'q'), [['B1', 'same', true, 'B1']])
  assert.deepEqual(await make(store, 'q'), [])
  const counts = await store.countsOf([b.id])
  assert.deepEqual(counts.get(b.id), { postCount: 1, articleCount: 1 })
})

onBoth('a digest keeps its text when a copy in another source moves away, or it does', async ({ store }) => {
  const [a, b] = await mirrors(store, { aggregate: true })
  await putPosts(store, a.id, [candidate('A2', { body: 'more', publishedAt: TEST_START + 1 })])
  const [digest] = await make(store, 'default', 'digest')
  await move(store, b)
  assert.deepEqual(await told(store, 'default'), [[digest?.title, digest?.body, false, 'A1,A2']])
  await move(store, b, 'default')
  await make(store, 'default', 'digest')
  await move(store, a)
  assert.deepEqual(await told(store, 'q'), [[digest?.title, digest?.body, false, 'A1,A2']])
  assert.deepEqual(await unlinked(store, 'default'), ['B1'])
})

onBoth('a reply of a source that stays leaves the text of an article that goes', async ({ store }) => {
  const [a, b] = await mirrors(store, { aggregate: true })
  await putPosts(store, b.id, [candidate('R to @b: B2', { body: 'reply', publishedAt: TEST_START + 1 })])
  const thread = 'same\n\n---\n\nreply'
  await make(store)
  assert.deepEqual(await told(store, 'default'), [['A1', thread, false, 'A1,B1,R to @b: B2']])
  await move(store, a)
  assert.deepEqual(await told(store, 'q'), [['A1', 'same', false, 'A1']])
  await make(store)
  assert.deepEqual(await told(store, 'default'), [['B1', thread, false, 'B1,R to @b: B2']])
})

onBoth('clean-up of the podcast that a source went to takes nothing of the one that it left', async ({ store }) => {
  const [a] = await mirrors(store)
  await make(store)
  await move(store, a)
  await store.changePodcast('q', { maxArticleAgeDays: 1 })
  await store.cleanUp({ now: TEST_START + 2 * DAY, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 1000 })
  assert.deepEqual((await postsAfter(store, 'q', '0', 10)).length, 0)
  assert.deepEqual((await postsAfter(store, 'default', '0', 10)).length, 1)
})

onBoth('moves and aggregations at once leave no article with posts of another podcast', async (opened) => {
  const { store } = opened
  const other = await opened.again()
  const sources = await mirrors(store, { aggregate: true })
  const moving = sources.map(async (source, index) => {
    for (let round = 0; round < 12; round++) {
      const title = `${source.id} ${round}`
      await putPosts(store, source.id, [candidate(title, { body: `text ${round}` })])
      await move(index ? store : other, source, (round + index) % 2 ? 'default' : 'q')
    }
  })
  const asking = ['default', 'q'].map(async (podcastId) => {
    for (let round = 0; round < 12; round++) {
      const created = await make(round % 2 ? store : other, podcastId)
      const ids = created.filter((_, index) => index % 2 === 0).map(({ id }) => id)
      // A move may have been quicker; then none of them is marked.
      await store.markProcessed(podcastId, ids, { at: 1000 })
    }
  })
  await Promise.all([...moving, ...asking])
  for (const podcastId of ['default', 'q']) {
    await make(store, podcastId)
    await told(store, podcastId)
    assert.deepEqual(await unlinked(store, podcastId), [])
  }
})
