import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import type { Post } from '../../domain/post.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()

/** Ada has two podcasts, Bob one. Their posts come in by turns: ids 1 to 9. */
async function threePodcasts(store: Store): Promise<void> {
  const owned = [
    ['ada', 'a1'],
    ['ada', 'a2'],
    ['bob', 'b1'],
  ] as const
  for (const id of ['ada', 'bob']) await store.addUser({ id, name: id, createdAt: TEST_START })
  for (const [userId, id] of owned) {
    const podcast = { id, userId, name: id, topic: null, maxArticleAgeDays: null, createdAt: TEST_START }
    await store.addPodcast(podcast)
    await putSource(store, { id: `source-${id}`, userId, podcastId: id, url: `https://${id}.example/`, label: 'same' })
  }
  for (const round of [1, 2, 3]) {
    for (const [, id] of owned)
      await putPosts(store, `source-${id}`, [candidate(`${id} word ${round}`)], TEST_START + round)
  }
}

function titles(posts: readonly Post[]): string[] {
  return posts.map(({ title }) => title.replace(' word', ''))
}

const ALL_OF_ADA = ['a1 1', 'a2 1', 'a1 2', 'a2 2', 'a1 3', 'a2 3']

onBoth(
  'posts of all podcasts of a user are listed newest first, page by page, without those of others',
  async ({ store }) => {
    await threePodcasts(store)
    for (const filters of [{}, { q: 'word' }, { label: 'same' }]) {
      const found: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await store.listPosts({ podcastId: null, userId: 'ada', limit: 4, cursor, ...filters })
        found.push(...titles(page.items))
        cursor = page.nextCursor
        if (cursor === null) break
      }
      assert.deepEqual(found, ALL_OF_ADA.toReversed(), JSON.stringify(filters))
    }
    const everybody = await store.listPosts({ podcastId: null, userId: null, limit: 20, cursor: null })
    assert.equal(everybody.items.length, 9)
    assert.deepEqual((await store.listPosts({ podcastId: null, userId: 'nobody', limit: 9, cursor: null })).items, [])
  },
)

onBoth('posts of all podcasts of a user are followed in commit order, each once', async ({ store }) => {
  await threePodcasts(store)
  for (const filters of [{}, { q: 'word' }, { label: 'same' }]) {
    const found: string[] = []
    let after = '0'
    for (;;) {
      const { posts, position } = await store.followPosts({
        podcastId: null,
        userId: 'ada',
        limit: 4,
        after,
        ...filters,
      })
      found.push(...titles(posts))
      after = position
      if (posts.length < 4) break
    }
    assert.deepEqual(found, ALL_OF_ADA, JSON.stringify(filters))
    assert.equal(after, '9', 'the posts of others are passed too')
  }
  const all = await store.followPosts({ podcastId: null, userId: null, limit: 20, after: '2' })
  assert.equal(all.posts.length, 7)
})

onBoth('a post that arrives while podcasts are read one after another is not skipped', async ({ store, db }) => {
  await threePodcasts(store)
  // Posts arrive in the podcast that was read first, then in the one that is read next.
  const read = db.all.bind(db)
  let arrived = false
  db.all = async (sql, params) => {
    const rows = await read(sql, params)
    if (!arrived && params?.[0] === 'a1') {
      arrived = true
      await putPosts(store, 'source-a1', [candidate('a1 word 4')])
      await putPosts(store, 'source-a2', [candidate('a2 word 4')])
    }
    return rows
  }
  const first = await store.followPosts({ podcastId: null, userId: 'ada', limit: 100, after: '0' })
  const second = await store.followPosts({ podcastId: null, userId: 'ada', limit: 100, after: first.position })
  assert.deepEqual([...titles(first.posts), ...titles(second.posts)], [...ALL_OF_ADA, 'a1 4', 'a2 4'])
})

onBoth('articles of all podcasts of a user are listed newest first, and found by their id alone', async ({ store }) => {
  await threePodcasts(store)
  for (const podcastId of ['a1', 'b1', 'a2']) {
    const window = { createdSince: 0, publishedSince: 0, mode: 'thread' as const, reprocessPostIds: [] }
    await store.aggregateArticles({ podcastId, at: TEST_START + 10, ...window })
  }
  const page = await store.listArticles({ podcastId: null, userId: 'ada', limit: 4, cursor: null, processed: false })
  const rest = await store.listArticles({
    podcastId: null,
    userId: 'ada',
    limit: 4,
    cursor: page.nextCursor,
    processed: null,
  })
  const found = [...page.items, ...rest.items]
  assert.deepEqual(
    found.map(({ podcastId }) => podcastId),
    ['a2', 'a2', 'a2', 'a1', 'a1', 'a1'],
  )
  const id = found[0]?.id ?? ''
  assert.equal((await store.getArticle(null, id))?.article.id, id)
  assert.equal(await store.getArticle('b1', id), null)
  assert.equal((await store.findPost('4'))?.title, 'a1 word 2')
  for (const none of ['0', '99', 'x', '-1']) assert.equal(await store.findPost(none), null)
})
