import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { parseSearch } from '../../domain/search-query.ts'
import type { PostQuery } from '../../ports/consumer-store.ts'
import type { Store } from '../../ports/store.ts'
import { searchNewest } from './search-posts.ts'

const onBoth = useEngines()

async function found(store: Store, q: string, more: Partial<PostQuery> = {}): Promise<string[]> {
  const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, q, ...more })
  return page.items.map(({ title }) => title)
}

onBoth('phrases, words to leave out and words of the title', async ({ store }) => {
  const source = await putSource(store)
  await putPosts(store, source.id, [
    candidate('Rust', { body: 'memory safety is big news' }),
    candidate('Go', { body: 'safety of memory; rust is mentioned' }),
    candidate('Big', { body: 'news about Java and memory-safety' }),
  ])
  assert.deepEqual(await found(store, 'memory safety'), ['Big', 'Go', 'Rust'])
  assert.deepEqual(await found(store, '"memory safety"'), ['Big', 'Rust'])
  assert.deepEqual(await found(store, '"Memory Safety" -java'), ['Rust'])
  assert.deepEqual(await found(store, 'memory -"big news"'), ['Big', 'Go'])
  assert.deepEqual(await found(store, '"big news"'), ['Rust'], 'no phrase from the title into the text')
  assert.deepEqual(await found(store, 'rust'), ['Go', 'Rust'])
  assert.deepEqual(await found(store, 'title:rust'), ['Rust'])
  assert.deepEqual(await found(store, 'safety -title:go'), ['Big', 'Rust'])
  assert.deepEqual(await found(store, '-java'), [])
})

onBoth('scripts without spaces between words are found in the middle of a sentence', async ({ store }) => {
  const source = await putSource(store)
  await putPosts(store, source.id, [
    candidate('日本で大きな地震がありました', { body: 'a' }),
    candidate('地下の震え', { body: 'b' }),
    candidate('ข่าว', { body: 'เกิดแผ่นดินไหวในประเทศไทย' }),
    candidate('iPhone発売', { body: 'スーパーで' }),
  ])
  const finds = {
    地震: ['日本で大きな地震がありました'],
    震: ['地下の震え', '日本で大きな地震がありました'],
    え: ['地下の震え'],
    大きな地震: ['日本で大きな地震がありました'],
    แผ่นดินไหว: ['ข่าว'],
    'iphone 発売': ['iPhone発売'],
    '"iphone発売"': ['iPhone発売'],
    スーパー: ['iPhone発売'],
    震地: [],
    'title:地震': ['日本で大きな地震がありました'],
    'の -地震': ['地下の震え'],
  }
  for (const [q, titles] of Object.entries(finds)) assert.deepEqual(await found(store, q), titles, q)
})

onBoth('by relevance the best come first, on all pages, while new posts arrive', async ({ store }) => {
  const source = await putSource(store)
  const filler = 'and other things '.repeat(30)
  await putPosts(store, source.id, [
    candidate('Storm over the sea', { body: `storm storm ${filler}` }),
    candidate('Weather', { body: `a storm, ${filler}` }),
    candidate('Nothing', { body: filler }),
    candidate('Notes', { body: 'storm tomorrow' }),
  ])
  const best = ['Storm over the sea', 'Notes', 'Weather']
  assert.deepEqual(await found(store, 'storm', { sort: 'relevance' }), best)
  const query = { podcastId: 'default', q: 'storm', sort: 'relevance' as const, limit: 2 }
  const first = await store.listPosts({ ...query, cursor: null })
  await putPosts(store, source.id, [candidate('Storm Storm', { body: 'storm' })])
  const rest = await store.listPosts({ ...query, cursor: first.nextCursor })
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ title }) => title),
    best,
  )
  assert.equal(rest.nextCursor, null)
  const newest = await store.listPosts({ podcastId: 'default', q: 'storm', limit: 1, cursor: null })
  await assert.rejects(store.listPosts({ ...query, cursor: newest.nextCursor }), /cursor/)
})

onBoth('a search among the posts of few of many sources finds those of the others never', async ({ store }) => {
  const many = await Promise.all(Array.from({ length: 12 }, (_, n) => putSource(store, { id: `many-${n}` })))
  for (const source of many) await putPosts(store, source.id, [candidate(`word ${source.id}`)])
  await store.addUser({ id: 'ada', name: 'Ada', createdAt: TEST_START })
  const podcast = { id: 'own', userId: 'ada', name: 'own', topic: null, maxArticleAgeDays: null, createdAt: TEST_START }
  await store.addPodcast(podcast)
  const own = await putSource(store, { id: 'own-source', userId: 'ada', podcastId: 'own' })
  await putPosts(store, own.id, [candidate('own word')])
  assert.deepEqual(await found(store, 'word', { podcastId: 'own' }), ['own word'])
  assert.deepEqual(await found(store, 'word', { podcastId: null, userId: 'ada' }), ['own word'])
  assert.deepEqual(await found(store, 'word', { sourceId: 'many-3' }), ['word many-3'])
  assert.deepEqual(await found(store, 'word', { sourceId: 'own-source' }), [], 'of another podcast')
  assert.equal((await found(store, 'word')).length, 12)
  assert.deepEqual(await found(store, 'word', { since: TEST_START + 1 }), [])
  await putPosts(store, 'many-0', [candidate('late word')], TEST_START + 1)
  assert.deepEqual(await found(store, 'word', { since: TEST_START + 1 }), ['late word'])
})

onBoth(
  'posts from before the index are indexed bit by bit, the newest first, and followed meanwhile',
  async ({ store, db }) => {
    const source = await putSource(store)
    await putPosts(
      store,
      source.id,
      Array.from({ length: 60 }, (_, n) => candidate(`old ${n}`)),
    )
    // As the migration leaves a store with posts.
    await db.run(`UPDATE counters SET value = 60 WHERE name IN ('searchable', 'search-backlog')`)
    await putPosts(store, source.id, [candidate('new old')])
    assert.equal(await store.unindexedPosts(), 61)
    assert.deepEqual(await found(store, 'old'), ['new old'])
    const { posts, position } = await store.followPosts({ podcastId: 'default', q: 'old', after: '0', limit: 500 })
    assert.deepEqual([posts.length, position], [61, '61'], 'nobody who follows misses a post')
    assert.equal(await store.indexPosts(), 20)
    assert.deepEqual((await found(store, 'old')).slice(0, 2), ['new old', 'old 59'])
    while ((await store.indexPosts()) > 0);
    assert.equal(await store.unindexedPosts(), 0)
    assert.equal((await store.listPosts({ podcastId: 'default', q: 'old', limit: 100, cursor: null })).items.length, 61)
  },
)

onBoth('a search that takes too long says where to go on, and nothing is missed', async ({ store, db }) => {
  const source = await putSource(store)
  const titles: string[] = []
  for (const first of [0, 30_000, 60_000]) {
    await (db.dialect.engine === 'postgres'
      ? db.get(`SELECT setval('posts_ids', ?)`, [first])
      : db.run(`UPDATE counters SET value = ? WHERE name = 'posts'`, [first]))
    await putPosts(store, source.id, [candidate(`word ${first}`)])
  }
  let goOn: number | null = Number.MAX_SAFE_INTEGER
  let calls = 0
  for (; goOn !== null; calls++) {
    const range = { beforeId: goOn, wanted: 10, budgetMs: -1, fewMatches: 0 }
    const found = await searchNewest(db, { podcastId: 'default' }, parseSearch('word'), range)
    titles.push(...found.posts.map(({ title }) => title))
    goOn = found.goOnBefore
  }
  assert.deepEqual(titles, ['word 60000', 'word 30000', 'word 0'])
  assert.ok(calls > 1)
})
