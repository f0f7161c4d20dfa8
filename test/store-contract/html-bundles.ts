// The HTML of posts that came together is packed together. Each post has its own, and it goes with its posts.
import assert from 'node:assert/strict'
import { packText } from '../../src/packed-text.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { aCandidate, aSource, type Check, DAY_MS, NOW, poll, withSources } from './fixtures.ts'

const LIMITS = { now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 500 }
const OLD = NOW - 7 * DAY_MS - 1
const htmlOf = (n: number) => `<p>Grüße 😀 ${n}</p>`.repeat(n)
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const idsUpTo = (last: number) => upTo(last).map(String)

async function htmlIn(store: Store, ids: readonly string[]): Promise<Record<string, string | null>> {
  const contents = await store.postContents(ids)
  return Object.fromEntries([...contents].map(([id, { html }]) => [id, html]))
}

async function countBundles(db: Db): Promise<number> {
  return Number((await db.get('SELECT count(*) AS n FROM html_bundles'))?.n)
}

export function htmlBundlesContract(check: Check): void {
  check('the HTML of many posts of one poll comes back, each with its own', async ({ store, db }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    // Every third has none, and one is longer than a whole bundle.
    const html = (n: number) => (n % 3 === 0 ? null : htmlOf(n === 100 ? 10_000 : n))
    await poll(store, 's1', { posts: upTo(200).map((n) => aCandidate(n, { html: html(n) })) })
    const htmlBytes = Buffer.from('<p>from another thread</p>')
    await poll(store, 's2', { posts: [aCandidate(201, { htmlBytes }), aCandidate(202, { html: '' })] })
    const expected = upTo(200).flatMap((n): [string, string][] => (html(n) ? [[String(n), html(n) ?? '']] : []))
    assert.deepEqual(await htmlIn(store, idsUpTo(202)), { ...Object.fromEntries(expected), 201: `${htmlBytes}` })
    assert.deepEqual(await htmlIn(store, ['199']), { 199: htmlOf(199) })
    const bundles = await countBundles(db)
    assert.ok(bundles > 3 && bundles < 12, `${bundles} bundles for 134 texts`)
    assert.deepEqual(await store.postContents(['1'], { html: false }), new Map())
  })

  check('HTML stays until its own post is removed, and nothing is left after the last one', async ({ store, db }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: upTo(6).map((n) => aCandidate(n, { html: htmlOf(n) })), at: OLD })
    await poll(store, 's2', { posts: [aCandidate(7, { html: htmlOf(7) })] })
    const rest: Record<string, string> = Object.fromEntries(upTo(7).map((n) => [n, htmlOf(n)]))
    for (const id of [4, 1, 6]) {
      await db.run('DELETE FROM posts WHERE id = ?', [id])
      delete rest[id]
      assert.deepEqual(await htmlIn(store, idsUpTo(7)), rest)
    }
    assert.equal(await countBundles(db), 2)
    assert.equal((await store.cleanUp(LIMITS)).posts, 3)
    assert.deepEqual(await htmlIn(store, idsUpTo(7)), { 7: htmlOf(7) })
    assert.equal(await countBundles(db), 1)
    await store.removeSource('s2')
    await store.cleanUp(LIMITS)
    assert.equal(await countBundles(db), 0)
  })

  check('entries that turn out to be known leave no HTML of their own', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    const posts = [aCandidate(1, { html: htmlOf(1) }), aCandidate(2, { html: htmlOf(2) })]
    await poll(store, 's1', { posts })
    await poll(store, 's1', { posts })
    assert.equal(await countBundles(db), 1)
    await poll(store, 's1', { posts: [...posts, aCandidate(3, { html: htmlOf(3) }), aCandidate(3)] })
    assert.deepEqual(await htmlIn(store, idsUpTo(3)), { 1: htmlOf(1), 2: htmlOf(2), 3: htmlOf(3) })
  })

  check('HTML of a page replaces what came with its post, and that of others stays', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const behind = { url: 'https://a.example/page', kind: 'page' } as const
    const wantedText = { state: 'pending', reason: null, behind } as const
    await poll(store, 's1', {
      posts: [aCandidate(1, { html: htmlOf(1), wantedText }), aCandidate(2, { html: htmlOf(2) })],
    })
    const page = await store.nextPageOf('a.example', NOW, [])
    assert.ok(page)
    const found = { state: 'fetched', reason: null, text: 'whole text', html: '<p>whole text</p>' } as const
    const nothingElse = { image: null, language: null, usagePreferences: null, events: [] }
    assert.ok(await store.finishPage({ postId: page.post.id, dueAt: page.dueAt }, { ...found, ...nothingElse }))
    assert.deepEqual(await htmlIn(store, ['1', '2']), { 1: '<p>whole text</p>', 2: htmlOf(2) })
    assert.equal((await store.postContents(['1'], { html: false })).get('1')?.fullText, 'whole text')
  })

  check('HTML that was stored before there were bundles is read as it is', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2, { html: htmlOf(2) })] })
    await db.run('INSERT INTO post_contents (post_id, html) VALUES (1, ?)', [packText(htmlOf(50))])
    assert.deepEqual(await htmlIn(store, ['1', '2']), { 1: htmlOf(50), 2: htmlOf(2) })
  })
}
