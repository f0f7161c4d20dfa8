import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { tempStore } from '../../../test/support/temp-store.ts'

const OTHERS = 120_000

/** Fast, because no rule is asked. They are newer than all others. */
function addPostsOf(url: string, sourceId: string): void {
  const db = new DatabaseSync(url.slice('file:'.length))
  db.exec(`INSERT INTO posts (id, podcast_id, source_id, title, body, url, categories, content_hash, created_at)
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${OTHERS})
    SELECT 1000 + n, 'default', '${sourceId}', 'title', 'body', 'https://a.example/' || n, '[]', 'hash ' || n, ${TEST_START + 1} + n
    FROM n`)
  db.close()
}

test('the posts of a source are found without looking through all of its podcast', async () => {
  const { url, store, remove } = await tempStore({ now: TEST_START })
  for (const id of ['few', 'many']) await putSource(store, { id, url: `https://${id}.example/` })
  await putPosts(store, 'few', [candidate('one'), candidate('two')], TEST_START)
  addPostsOf(url, 'many')
  const queries = [
    { podcastId: 'default' },
    { podcastId: 'default', unlinked: true },
    { podcastId: 'default', since: TEST_START - 1000 },
    { podcastId: null },
    { podcastId: null, userId: 'default' },
  ]
  for (const query of queries) {
    // To look through all takes 16 ms and more.
    await assertWithin(4, async () => {
      const { items } = await store.listPosts({ limit: 50, cursor: null, sourceId: 'few', ...query })
      assert.deepEqual(items.map(({ title }) => title).toSorted(), ['one', 'two'])
    })
  }
  await store.close()
  await remove()
})
