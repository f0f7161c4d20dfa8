import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import type { Post } from '../../domain/post.ts'
import { parseSearch } from '../../domain/search-query.ts'
import { packText } from '../../packed-text.ts'
import type { PostQuery } from '../../ports/consumer-store.ts'
import type { Page } from '../../ports/page.ts'
import type { Store } from '../../ports/store.ts'
import type { Database } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { listPosts } from './list-posts.ts'
import { searchNewest, searchRelevant, type Wanted } from './search-posts.ts'
import { AMPLE_BUDGET } from './search-time.ts'

const onBoth = useEngines()

const NO_TIME = { ms: -1, ids: 0, mostMs: -1 }

async function found(store: Store, q: string, more: Partial<PostQuery> = {}): Promise<string[]> {
  const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, q, ...more })
  return page.items.map(({ title }) => title)
}

/** Before posts are indexed and after: what they are compared with must not depend on it. */
async function beforeAndAfterIndexing(store: Store, check: (when: string) => Promise<void>): Promise<void> {
  await check('not indexed')
  while ((await store.indexPosts()) > 0);
  await check('indexed')
}

onBoth('phrases, words to leave out and words of the title', async ({ store }) => {
  const source = await putSource(store)
  await putPosts(store, source.id, [
    candidate('Rust', { body: 'memory safety is big news' }),
    candidate('Go', { body: 'safety of memory; rust is mentioned' }),
    candidate('Big', { body: 'news about Java and memory-safety' }),
  ])
  await beforeAndAfterIndexing(store, async (when) => {
    assert.deepEqual(await found(store, 'memory safety'), ['Big', 'Go', 'Rust'], when)
    assert.deepEqual(await found(store, '"memory safety"'), ['Big', 'Rust'], when)
    assert.deepEqual(await found(store, '"Memory Safety" -java'), ['Rust'], when)
    assert.deepEqual(await found(store, 'memory -"big news"'), ['Big', 'Go'], when)
    assert.deepEqual(await found(store, '"big news"'), ['Rust'], `no phrase from the title into the text, ${when}`)
    assert.deepEqual(await found(store, 'rust'), ['Go', 'Rust'], when)
    assert.deepEqual(await found(store, 'title:rust'), ['Rust'], when)
    assert.deepEqual(await found(store, 'safety -title:go'), ['Big', 'Rust'], when)
    assert.deepEqual(await found(store, '-java'), [], when)
  })
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
  await beforeAndAfterIndexing(store, async (when) => {
    for (const [q, titles] of Object.entries(finds)) assert.deepEqual(await found(store, q), titles, `${q}, ${when}`)
  })
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
  while ((await store.indexPosts()) > 0);
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
    assert.equal(await store.unindexedPosts(), 60)
    assert.deepEqual(await found(store, 'old'), ['new old'])
    const { posts, position } = await store.followPosts({ podcastId: 'default', q: 'old', after: '0', limit: 500 })
    assert.deepEqual([posts.length, position], [61, '61'], 'nobody who follows misses a post')
    assert.deepEqual([await store.indexPosts(), await store.indexPosts()], [1, 20], 'new posts first')
    assert.deepEqual((await found(store, 'old')).slice(0, 2), ['new old', 'old 59'])
    while ((await store.indexPosts()) > 0);
    assert.equal(await store.unindexedPosts(), 0)
    assert.equal((await store.listPosts({ podcastId: 'default', q: 'old', limit: 100, cursor: null })).items.length, 61)
  },
)

onBoth('a search that takes too long says where to go on, and nothing is missed', async ({ store, db }) => {
  const source = await putSource(store)
  for (const first of [0, 30_000, 60_000]) {
    await (db.dialect.engine === 'postgres'
      ? db.get(`SELECT setval('posts_ids', ?)`, [first])
      : db.run(`UPDATE counters SET value = ? WHERE name = 'posts'`, [first]))
    await putPosts(store, source.id, [candidate(`word ${first}`)])
  }
  while ((await store.indexPosts()) > 0);
  // Three that are not indexed.
  await putPosts(store, source.id, [candidate('word a'), candidate('word b'), candidate('other')])
  const search = async (beforeId: number, more: Partial<Wanted> = {}) => {
    const range = { beforeId, wanted: 10, budget: NO_TIME, fewMatches: 0, ...more }
    const { posts, goOnBefore } = await searchNewest(db, { podcastId: 'default' }, parseSearch('word'), range)
    return { titles: posts.map(({ title }) => title), goOnBefore }
  }
  const titles: string[] = []
  let calls = 0
  for (let goOn: number | null = Number.MAX_SAFE_INTEGER; goOn !== null; calls++) {
    const found = await search(goOn)
    titles.push(...found.titles)
    goOn = found.goOnBefore
  }
  assert.deepEqual(titles, ['word b', 'word a', 'word 60000', 'word 30000', 'word 0'])
  assert.ok(calls > 2)
  const newest = await search(Number.MAX_SAFE_INTEGER, { wanted: 3, budget: AMPLE_BUDGET })
  assert.deepEqual(newest, { titles: ['word b', 'word a', 'word 60000'], goOnBefore: null })
  const above = await search(Number.MAX_SAFE_INTEGER, { lowest: 30_002, budget: AMPLE_BUDGET })
  assert.deepEqual(above, { titles: ['word b', 'word a', 'word 60000'], goOnBefore: null })
})

onBoth(
  'new posts are found with their full texts before they are indexed, and are not indexed for it',
  async (opened) => {
    const { store, db } = opened
    const source = await putSource(store, { id: 'one' })
    const other = await putSource(store, { id: 'two' })
    await putPosts(store, source.id, [candidate('plain storm')])
    await putPosts(store, other.id, [candidate('elsewhere storm'), candidate('page', { body: 'no word of it' })])
    const [page] = (await store.listPosts({ podcastId: 'default', limit: 1, cursor: null })).items
    await db.run(`UPDATE posts SET full_text_state = 'fetched' WHERE id = ?`, [Number(page?.id)])
    await insertRows(db, {
      table: 'post_contents',
      columns: ['post_id', 'full_text'],
      rows: [[Number(page?.id), packText('a storm behind the link')]],
    })
    assert.deepEqual(await found(store, 'storm'), ['page', 'elsewhere storm', 'plain storm'])
    assert.deepEqual(await found(store, 'storm', { sourceId: 'one' }), ['plain storm'])
    assert.deepEqual(await found(store, 'storm -behind'), ['elsewhere storm', 'plain storm'])
    const followed = await store.followPosts({ podcastId: null, q: 'storm', after: '0', limit: 10 })
    assert.deepEqual([followed.posts.length, followed.position], [3, page?.id])
    assert.equal(await store.indexPosts(4), 0, 'three posts wait for a fourth')
    assert.equal(await store.indexPosts(3), 3)
    assert.deepEqual(await found(store, 'storm'), ['page', 'elsewhere storm', 'plain storm'])
  },
)

onBoth('pages by relevance rank the same posts, however far the search behind a page comes', async ({ store, db }) => {
  const source = await putSource(store)
  await putPosts(
    store,
    source.id,
    Array.from({ length: 9 }, (_, n) => candidate(`word ${n}`, { body: 'word '.repeat(n + 1) })),
  )
  const search = parseSearch('word')
  const ranked = await searchRelevant(db, { podcastId: 'default' }, search, {
    ...{ beforeId: 8, lowest: 4 },
    isKnown: true,
  })
  assert.deepEqual(ranked.posts.map(({ id }) => Number(id)).sort(), [4, 5, 6, 7])
  assert.equal(ranked.lowest, 4)
  const pages: string[] = []
  for (let cursor: string | null = null, n = 0; n === 0 || cursor; n++) {
    const query = { podcastId: 'default', q: 'word', sort: 'relevance' as const, limit: 4 }
    const page: Page<Post> = await store.listPosts({ ...query, cursor })
    pages.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  assert.deepEqual(pages.map(Number).sort(), [1, 2, 3, 4, 5, 6, 7, 8, 9])
})

onBoth(
  'a page by relevance ranks the same posts as the one before it, though it takes longer',
  async ({ store, db }) => {
    const source = await putSource(store)
    const count = 400
    // They are not indexed, so they are searched in four steps.
    await putPosts(
      store,
      source.id,
      Array.from({ length: count }, (_, n) => candidate(`post ${n}`, { body: `${'word '.repeat(1 + (n % 7))} ${n}` })),
    )
    let now = performance.now()
    const time = mock.method(performance, 'now', () => now)
    try {
      const ids: number[] = []
      for (let cursor: string | null = null, n = 0; n === 0 || cursor; n++) {
        const slow = new Proxy(db, {
          get(target, name: keyof Database) {
            const value = target[name]
            if (typeof value !== 'function') return value
            if (name === 'all' && n > 0) now += 80
            return value.bind(target)
          },
        })
        const query = { podcastId: 'default', q: 'word', sort: 'relevance' as const, limit: 100 }
        const page: Page<Post> = await listPosts(slow, { ...query, cursor })
        ids.push(...page.items.map(({ id }) => Number(id)))
        cursor = page.nextCursor
      }
      assert.deepEqual(
        ids.sort((a, b) => a - b),
        Array.from({ length: count }, (_, n) => n + 1),
      )
    } finally {
      time.mock.restore()
    }
  },
)

onBoth(
  'the pages by relevance together have all matches, also beyond the newest that are ranked',
  async ({ store }) => {
    const source = await putSource(store)
    const count = 1100
    await putPosts(
      store,
      source.id,
      Array.from({ length: count }, (_, n) =>
        candidate(`post ${n}`, { body: `${n % 100 === 0 ? 'word word word' : 'word'} ${n}` }),
      ),
    )
    const pages: number[][] = []
    for (let cursor: string | null = null, n = 0; n === 0 || cursor; n++) {
      const query = { podcastId: 'default', q: 'word', sort: 'relevance' as const, limit: 500 }
      const page: Page<Post> = await store.listPosts({ ...query, cursor })
      pages.push(page.items.map(({ id }) => Number(id)))
      cursor = page.nextCursor
    }
    assert.deepEqual(
      pages.flat().sort((a, b) => a - b),
      Array.from({ length: count }, (_, n) => n + 1),
    )
    assert.deepEqual(
      pages.map((page) => page.length),
      [500, 500, 100],
    )
    assert.deepEqual([pages[0]?.[0], pages[2]?.[0]], [1001, 1], 'the newest 1,000 are ranked first, then the others')
  },
)
