// For any posts and any search: the index finds what a look at every post finds, on both engines, whether the posts are
// searched at once, bit by bit, or by somebody who follows them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { useEngines } from '../../../test/support/engines.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { matchesSearch } from '../../domain/relevance.ts'
import { parseSearch } from '../../domain/search-query.ts'
import type { Database } from '../database/db.ts'
import { searchNewest } from './search-posts.ts'

const onBoth = useEngines()

const WORDS = ['a', 'b', 'the', 'Über', 'x1', '大地震', '地震', '震', 'を', 'が地', 'ไทย', 'ж']
const GAPS = [' ', ' ', ' ', ', ', '-', '', '_', '.\n', '’']
/** Posts at the limits of blocks of ids. */
const FIRST_IDS = [0, 2040, 32_760, 70_000, 524_280]
const POSTS_EACH = 12

const word = fc.constantFrom(...WORDS)
const text = (most: number) =>
  fc
    .array(fc.tuple(word, fc.constantFrom(...GAPS)), { minLength: 1, maxLength: most })
    .map((pieces) => pieces.flat().join(''))
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`)
const term = fc
  .tuple(fc.constantFrom('', '', '', '-'), fc.constantFrom('', '', 'title:'), fc.oneof(word, word, phrase))
  .map((pieces) => pieces.join(''))
const query = fc.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join(' '))
const post = fc.record({ title: text(4), body: text(12) })

async function goOnAfter(db: Database, id: number): Promise<void> {
  if (db.dialect.engine === 'postgres') await db.get(`SELECT setval('posts_ids', ?)`, [Math.max(id, 1)])
  else await db.run(`UPDATE counters SET value = ? WHERE name = 'posts'`, [id])
}

onBoth('the index finds what a look at every post finds', async ({ store, db }) => {
  const sources = await Promise.all(['s1', 's2'].map((id) => putSource(store, { id })))
  const samples = fc.sample(post, { numRuns: FIRST_IDS.length * POSTS_EACH, seed: 7 })
  for (const [n, first] of FIRST_IDS.entries()) {
    // The last ones stay without an index.
    while (n === FIRST_IDS.length - 1 && (await store.indexPosts()) > 0);
    await goOnAfter(db, first)
    const some = samples.slice(n * POSTS_EACH, (n + 1) * POSTS_EACH)
    const made = some.map(({ title, body }, at) =>
      candidate(`post ${n} ${at}`, { title, body, contentHash: `${n} ${at}` }),
    )
    await putPosts(store, sources[n % 2]?.id ?? '', made)
  }
  const all = (await store.followPosts({ podcastId: 'default', after: '0', limit: 500 })).posts
  assert.equal(all.length, samples.length)
  const found = async (q: string, fewMatches?: number): Promise<string[]> => {
    const ids: string[] = []
    let beforeId: number | null = Number.MAX_SAFE_INTEGER
    while (beforeId !== null) {
      const range = { beforeId, wanted: 500, ...(fewMatches === undefined ? {} : { fewMatches }) }
      const { posts, goOnBefore } = await searchNewest(db, { podcastId: 'default' }, parseSearch(q), range)
      ids.push(...posts.map(({ id }) => id))
      beforeId = goOnBefore
    }
    return ids
  }
  const property = fc.asyncProperty(query, async (q) => {
    const expected = all.filter((each) => matchesSearch(each, parseSearch(q))).map(({ id }) => id)
    assert.deepEqual(await found(q), expected.toReversed(), `at once: ${q}`)
    assert.deepEqual(await found(q, 0), expected.toReversed(), `bit by bit: ${q}`)
    const followed = await store.followPosts({ podcastId: 'default', q, after: '0', limit: 500 })
    assert.deepEqual(
      followed.posts.map(({ id }) => id),
      expected,
      `followed: ${q}`,
    )
  })
  await fc.assert(property, { numRuns: 60, seed: 7 })
})
