// What a user's posts and articles take is kept as they come, change, move and go: the figure is always that of a count.
import assert from 'node:assert/strict'
import { unpackText } from '../../src/packed-text.ts'
import { rewriteArticle } from '../../src/storage/articles/articles.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { addArticles } from '../support/store-and-database.ts'
import { aCandidate, anArticle, aSource, type Check, DAY_MS, NOW, type Opened, poll, withSources } from './fixtures.ts'

const ROW_BYTES = 500
const TEXTS = {
  posts: ['title', 'body', 'url', 'guid', 'categories', 'enclosures'],
  articles: ['title', 'body', 'url'],
}

async function counted(db: Db, userId: string): Promise<number> {
  let bytes = 0
  for (const [table, columns] of Object.entries(TEXTS)) {
    const rows = await db.all(
      `SELECT ${columns.join(', ')} FROM ${table} WHERE podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)`,
      [userId],
    )
    for (const row of rows) {
      bytes += ROW_BYTES
      for (const column of columns) bytes += Buffer.byteLength((row[column] as string | null) ?? '')
    }
  }
  const contents = await db.all(
    `SELECT c.html, c.full_text FROM post_contents c JOIN posts p ON p.id = c.post_id
     WHERE p.podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)`,
    [userId],
  )
  for (const { html, full_text } of contents)
    bytes += ((html as Uint8Array | null)?.length ?? 0) + ((full_text as Uint8Array | null)?.length ?? 0)
  const bundled = await db.all(
    `SELECT p.html_index, b.html FROM posts p JOIN html_bundles b ON b.id = p.html_bundle
     WHERE p.podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)`,
    [userId],
  )
  for (const { html, html_index } of bundled) bytes += await partOf(html as Uint8Array, Number(html_index))
  return bytes
}

/** Of a bundle whose texts are all equal. */
async function partOf(packed: Uint8Array, index: number): Promise<number> {
  const [lengths = ''] = ((await unpackText(packed)) ?? '').split('\n')
  const each = packed.length / lengths.split(',').length
  return Math.round(each * (index + 1)) - Math.round(each * index)
}

async function twoUsers({ store }: Opened): Promise<void> {
  await store.addUser({ id: 'u2', name: '', createdAt: NOW })
  await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
  await withSources(store, aSource('s1'), aSource('s2'), aSource('other', { podcastId: 'p2', userId: 'u2' }))
}

async function agree({ store, db }: Opened, what: string): Promise<number[]> {
  const kept = [await store.storedBytes('default'), await store.storedBytes('u2')]
  assert.deepEqual(kept, [await counted(db, 'default'), await counted(db, 'u2')], what)
  return kept
}

const words = (n: number) => Array.from({ length: n }, (_, at) => `word-${at * 7919}`).join(' ')

export function storedBytesContract(check: Check): void {
  check('what posts and articles take is known while they come, change, move and go', async (opened) => {
    const { store, db } = opened
    await twoUsers(opened)
    assert.deepEqual(await agree(opened, 'nothing yet'), [0, 0])
    const behind = { url: 'https://a.example/page', kind: 'page' } as const
    const wantedText = { state: 'pending', reason: null, behind } as const
    const html = `<p>${words(300)}</p>`
    await poll(store, 's1', {
      posts: [aCandidate(1, { html, body: 'Grüße aus Köln', guid: null }), aCandidate(2, { wantedText, html })],
    })
    await poll(store, 's2', { posts: [aCandidate(3, { categories: ['one', 'two'] })] })
    await poll(store, 'other', { posts: [aCandidate(4), aCandidate(5, { html })] })
    const [afterPolls = 0] = await agree(opened, 'polls')
    assert.ok(afterPolls > 2 * html.length * 0.1, 'the HTML counts as it is stored')
    const page = await store.nextPageOf('a.example', NOW, [])
    assert.ok(page)
    const found = { state: 'fetched', reason: null, text: words(500), html: null } as const
    const nothingElse = { image: null, language: null, usagePreferences: null, events: [] }
    assert.ok(await store.finishPage({ postId: page.post.id, dueAt: page.dueAt }, { ...found, ...nothingElse }))
    const [afterPage = 0] = await agree(opened, 'the text of a page')
    assert.ok(afterPage > afterPolls)
    const [article] = await addArticles(db, [anArticle('s1', ['1']), anArticle('s2', ['3'], { isProcessed: true })])
    await agree(opened, 'articles')
    await db.transaction((tx) => rewriteArticle(tx, Number(article?.id), words(50)))
    await agree(opened, 'a text that is written again')
    await store.changeSource('s1', () => ({ set: { podcastId: 'p2' }, events: [] }))
    await agree(opened, 'a source that moves')
    await store.removeSource('other')
    await store.cleanUp({ now: NOW + 30 * DAY_MS, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 500 })
    await agree(opened, 'clean-up')
    for (const id of ['s1', 's2']) await store.removeSource(id)
    await store.cleanUp({ now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 500 })
    assert.deepEqual(await agree(opened, 'removed sources'), [0, 0])
  })

  check('what a user stored goes with the user', async (opened) => {
    const { store } = opened
    await twoUsers(opened)
    await poll(store, 'other', { posts: [aCandidate(4)] })
    assert.ok((await store.storedBytes('u2')) > ROW_BYTES)
    await store.removeUser('u2')
    assert.equal(await store.storedBytes('u2'), 0)
  })
}
