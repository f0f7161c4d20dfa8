import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()
const LANE = 'posts.example'

async function found(store: Store, q: string): Promise<string[]> {
  const page = await store.listPosts({ podcastId: 'default', limit: 50, cursor: null, q })
  return page.items.map(({ title }) => title)
}

async function putWaiting(store: Store, title: string, body: string): Promise<void> {
  const { id } = await putSource(store)
  const behind = { url: `https://${LANE}/${title}`, kind: 'page' } as const
  await putPosts(store, id, [candidate(title, { body, wantedText: { state: 'pending', reason: null, behind } })])
}

async function finish(store: Store, text: string | null): Promise<boolean> {
  const page = await store.nextPageOf(LANE, TEST_START, [])
  assert.ok(page)
  return store.finishPage(
    { postId: page.post.id, dueAt: page.dueAt },
    {
      ...{ state: text === null ? 'blocked' : 'fetched', reason: null, text, html: null, image: null, language: null },
      ...{ usagePreferences: null, events: [] },
    },
  )
}

onBoth('a post is found by its full text, whether that came before or after it was indexed', async ({ store }) => {
  await putWaiting(store, 'Early', 'summary one')
  assert.ok(await finish(store, 'volcano erupts at night'))
  assert.deepEqual(await found(store, 'volcano'), ['Early'])
  await putWaiting(store, 'Late', 'summary two')
  assert.deepEqual(await found(store, 'volcano'), ['Early'])
  assert.deepEqual(await found(store, 'summary'), ['Late', 'Early'])
  assert.ok(await finish(store, 'another volcano'))
  assert.deepEqual(await found(store, 'volcano'), ['Late', 'Early'])
  assert.deepEqual(await found(store, 'summary two volcano'), ['Late'])
  assert.deepEqual(await found(store, 'volcano -night'), ['Late'])
})

onBoth('only the process that read a page finishes it', async ({ store }) => {
  await putWaiting(store, 'One', 'summary')
  const page = await store.nextPageOf(LANE, TEST_START, [])
  const asRead = { postId: page?.post.id ?? '', dueAt: page?.dueAt ?? 0 }
  assert.ok(await store.movePage(asRead, { dueAt: TEST_START - 5, tries: 1 }))
  assert.equal(await store.movePage(asRead, { dueAt: TEST_START - 9, tries: 2 }), false)
  assert.equal((await store.nextPageOf(LANE, TEST_START, []))?.tries, 1)
  assert.ok(await finish(store, null))
  assert.equal(await store.nextPageOf(LANE, TEST_START, []), null)
})

onBoth('pages that nobody wants any more are dropped, also one that is being asked', async ({ store }) => {
  await putWaiting(store, 'One', 'summary')
  await putWaiting(store, 'Other', 'summary of another source')
  const page = await store.nextPageOf(LANE, TEST_START, [])
  assert.ok(page)
  await store.changeSource(page.source.id, () => ({ set: {}, events: [], dropPages: true }))
  const asRead = { postId: page.post.id, dueAt: page.dueAt }
  assert.equal(await store.movePage(asRead, { dueAt: TEST_START, tries: 1 }), false)
  const posts = (await store.listPosts({ podcastId: 'default', limit: 50, cursor: null })).items
  const stateOf = (title: string) => posts.find((post) => post.title === title)?.fullTextState
  assert.deepEqual(
    [stateOf(page.post.title), posts.map((post) => post.fullTextState).sort()],
    ['none', ['none', 'pending']],
  )
  assert.notEqual((await store.nextPageOf(LANE, TEST_START, []))?.post.id, page.post.id)
})

onBoth('robots.txt of a host is known once, the latest answer', async ({ store }) => {
  assert.equal(await store.robotsOf(LANE), null)
  const answer = { host: LANE, askedAt: 1, kind: 'rules', text: 'User-agent: *' } as const
  await store.putRobots(answer)
  assert.deepEqual(await store.robotsOf(LANE), answer)
  await store.putRobots({ ...answer, askedAt: 2, kind: 'none', text: null })
  assert.deepEqual(await store.robotsOf(LANE), { host: LANE, askedAt: 2, kind: 'none', text: null })
})
