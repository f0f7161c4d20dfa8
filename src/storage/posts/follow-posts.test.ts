import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { addArticles } from '../../../test/support/store-and-database.ts'
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()

/** Page after page to the end. */
async function followed(store: Store, filters: Omit<PostFilters, 'podcastId'>, limit = 2) {
  const titles: string[] = []
  for (let after = '0'; ; ) {
    const { posts, position } = await store.followPosts({ podcastId: 'default', ...filters, after, limit })
    titles.push(...posts.map(({ title }) => title))
    if (posts.length === 0) return { titles, position }
    assert.ok(Number(position) >= Number(posts.at(-1)?.id))
    after = position
  }
}

onBoth('posts are followed within filters, oldest first, each once', async ({ store }) => {
  const one = await putSource(store, { label: 'News' })
  const two = await putSource(store)
  for (const n of [1, 2, 3]) {
    const at = TEST_START + n * 1000
    await putPosts(store, one.id, [candidate(`one ${n} word`), candidate(`one ${n} other`)], at)
    await putPosts(store, two.id, [candidate(`two ${n} word`)], at)
  }
  const words = ['one 1 word', 'one 2 word', 'one 3 word']
  const others = ['one 1 other', 'one 2 other', 'one 3 other']
  const ofOne = words.flatMap((word, n) => [word, others[n] ?? ''])
  assert.deepEqual(await followed(store, { sourceId: one.id }), { titles: ofOne, position: '9' })
  assert.deepEqual((await followed(store, { label: 'News' })).titles, ofOne)
  assert.deepEqual((await followed(store, { since: TEST_START + 3000, sourceId: one.id })).titles, ofOne.slice(4))
  assert.deepEqual((await followed(store, { q: 'WORD', sourceId: one.id })).titles, words)
  assert.equal((await followed(store, { unlinked: true })).titles.length, 9)
  assert.deepEqual(await followed(store, { q: 'nowhere' }), { titles: [], position: '9' })
  assert.deepEqual((await followed(store, { q: '!?' })).titles, [])
})

onBoth('posts are listed and followed by their language', async ({ store }) => {
  const { id } = await putSource(store)
  const tags = ['en', 'en-GB', 'en-GB-oxendict', 'fi', 'fil', null]
  await putPosts(
    store,
    id,
    tags.map((language) => candidate(language ?? 'none', { language })),
  )
  for (const [language, titles] of [
    ['en', ['en', 'en-GB', 'en-GB-oxendict']],
    ['en-GB', ['en-GB', 'en-GB-oxendict']],
    ['fi', ['fi']],
    ['fil', ['fil']],
    ['de', []],
  ] as const) {
    assert.deepEqual((await followed(store, { language })).titles, titles)
    const { items } = await store.listPosts({ podcastId: 'default', language, limit: 10, cursor: null })
    assert.deepEqual(items.map(({ title }) => title).toReversed(), titles)
  }
})

onBoth('posts that are linked, of removed sources or of other podcasts are passed over', async ({ store, db }) => {
  const [one, two] = [await putSource(store), await putSource(store)]
  await putPosts(store, one.id, [candidate('linked'), candidate('free')])
  await putPosts(store, two.id, [candidate('removed')])
  const content = {
    title: 't',
    body: 'b',
    url: 'https://e.example/',
    publishedAt: null,
    author: null,
    contentHash: 'h',
  }
  const article = {
    ...content,
    sourceId: one.id,
    podcastId: 'default',
    isProcessed: false,
    processedAt: null,
    createdAt: TEST_START,
    postIds: ['1'],
  }
  await addArticles(db, [article])
  await store.removeSource(two.id)
  assert.deepEqual((await followed(store, { unlinked: true })).titles, ['free'])
  assert.deepEqual((await followed(store, { since: 0 })).titles, ['linked', 'free'])
  const elsewhere = await store.followPosts({ podcastId: 'other', since: 0, after: '0', limit: 5 })
  assert.deepEqual(elsewhere, { posts: [], position: '0' })
})

onBoth('a match far behind very many others is found, and the position is beyond them', async ({ store }) => {
  const [many, rare] = [await putSource(store), await putSource(store)]
  const others = Array.from({ length: 10_100 }, (_, n) => candidate(`${n}`))
  await putPosts(store, many.id, others)
  await putPosts(store, rare.id, [candidate('rare')])
  await putPosts(store, many.id, [candidate('last')])
  assert.deepEqual(await followed(store, { sourceId: rare.id }), { titles: ['rare'], position: '10102' })
})

onBoth('who follows within filters while several write misses nothing', async (opened) => {
  const stores = [opened.store, await opened.again(), await opened.again()]
  const sources = [await putSource(opened.store), await putSource(opened.store), await putSource(opened.store)]
  const [watched] = sources
  let writing = true
  const writers = sources.map(async ({ id }, index) => {
    for (let round = 0; round < 10; round++) {
      const posts = Array.from({ length: 1 + ((round + index) % 3) }, (_, n) => candidate(`${id} ${round} ${n} seen`))
      await putPosts(stores[index] ?? opened.store, id, posts)
    }
  })
  const done = Promise.all(writers).finally(() => {
    writing = false
  })
  const all: [PostFilters, string[], string][] = [
    [{ podcastId: 'default', sourceId: watched?.id ?? '' }, [], '0'],
    [{ podcastId: 'default', sourceId: watched?.id ?? '', q: 'seen' }, [], '0'],
  ]
  for (let last = false; !last; ) {
    last = !writing
    for (const each of all) {
      const { posts, position } = await opened.store.followPosts({ ...each[0], after: each[2], limit: 3 })
      each[1].push(...posts.map(({ id }) => id))
      each[2] = position
      if (posts.length > 0) last = false
    }
  }
  await done
  const written = await opened.store.listPosts({
    podcastId: 'default',
    sourceId: watched?.id ?? '',
    limit: 500,
    cursor: null,
  })
  const expected = written.items.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))
  assert.equal(expected.length, 19)
  for (const [, seen] of all) assert.deepEqual(seen, expected)
})
