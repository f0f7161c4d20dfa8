import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { putSource } from '../../../test/support/posts.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()

type Paged = (cursor: string) => Promise<unknown>

const TITLE = { by: 'title', isDescending: false } as const
const HEALTH = { by: 'health', isDescending: true } as const

/** Every list that is paged, by the shape of its key. */
function listsOf(store: Store, sourceId: string): { readonly good: readonly unknown[]; readonly ask: Paged }[] {
  const page = (cursor: string) => ({ limit: 10, cursor })
  const posts = (cursor: string) => ({ ...page(cursor), podcastId: 'default', sourceId: null, since: null })
  const scope = { userId: null, now: TEST_START }
  const sources = { podcastId: null, type: null, host: null, health: null, q: null, url: null }
  const polls = { userId: null, sourceId: null, host: null, outcome: null, since: null }
  return [
    { good: [TEST_START, 'id'], ask: (cursor) => store.listUsers(page(cursor)) },
    { good: [TEST_START, 'id'], ask: (cursor) => store.listPodcasts('default', page(cursor)) },
    { good: [TEST_START, 'id'], ask: (cursor) => store.listTokens('default', page(cursor)) },
    { good: [TEST_START, 'id'], ask: (cursor) => store.listWebhooks('default', page(cursor)) },
    { good: ['created', TEST_START, 'id'], ask: (cursor) => store.listSources({ ...page(cursor), ...sources }) },
    { good: ['title', 'a', 'id'], ask: (cursor) => store.listSources({ ...page(cursor), ...sources, sort: TITLE }) },
    {
      good: ['-health', 1, TEST_START, 'id'],
      ask: (cursor) => store.listSources({ ...page(cursor), ...sources, sort: HEALTH }),
    },
    { good: [TEST_START, 7], ask: (cursor) => store.listAllPolls({ ...page(cursor), ...polls }) },
    { good: ['name'], ask: (cursor) => store.listCursors('default', page(cursor)) },
    { good: [TEST_START, 7], ask: (cursor) => store.listPosts({ ...posts(cursor), unlinked: false, q: null }) },
    { good: [TEST_START, 7], ask: (cursor) => store.listPosts({ ...posts(cursor), unlinked: true, q: 'word' }) },
    { good: [7], ask: (cursor) => store.listArticles({ ...page(cursor), podcastId: 'default', processed: null }) },
    { good: [7], ask: (cursor) => store.listDeadLetters('none', page(cursor)) },
    { good: [7], ask: (cursor) => store.listPolls(sourceId, page(cursor)) },
    { good: ['example.org'], ask: (cursor) => store.listHosts({ ...page(cursor), ...scope }) },
    { good: ['example.org'], ask: (cursor) => store.listHosts({ ...page(cursor), ...scope, waiting: true }) },
  ]
}

/** One part of a good key is something that was never given out. */
function forgeriesOf(good: readonly unknown[]): string[] {
  const parts = good.flatMap((part, at) => {
    const bad = typeof part === 'number' ? ['1e308', '1e22', '1.5', '"7"', 'null'] : ['"a\\u0000b"', '7', 'null', '{}']
    return bad.map((json) => `[${good.map((each, index) => (index === at ? json : JSON.stringify(each))).join(',')}]`)
  })
  return [...parts, '[]', '{}', 'null', `[${[...good, 1].map((part) => JSON.stringify(part)).join(',')}]`, '[1e999]']
}

onBoth('a cursor that no list gave out is refused by every list, a good one is taken', async ({ store }) => {
  const { id } = await putSource(store)
  const encoded = (json: string) => Buffer.from(json).toString('base64url')
  for (const [index, { good, ask }] of listsOf(store, id).entries()) {
    await ask(encoded(JSON.stringify(good)))
    for (const forged of forgeriesOf(good)) {
      await assert.rejects(ask(encoded(forged)), (error: { code?: string; errors?: { path: string }[] }) => {
        assert.equal(error.code, 'invalid-input', `list ${index}, ${forged}: ${error}`)
        assert.deepEqual(
          error.errors?.map(({ path }) => path),
          ['cursor'],
        )
        return true
      })
    }
  }
})
