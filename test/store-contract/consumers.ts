import assert from 'node:assert/strict'
import type { PostQuery } from '../../src/ports/consumer-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { writeEvents } from '../support/events.ts'
import { getPost, postsAfter } from '../support/read-store.ts'
import { addArticles } from '../support/store-and-database.ts'
import { until } from '../support/until.ts'
import { ALL, aCandidate, anArticle, anEvent, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

async function hashes(store: Store, query: Partial<PostQuery>): Promise<string[]> {
  const page = await store.listPosts({ ...ALL, podcastId: 'default', ...query })
  return page.items.map((post) => post.contentHash)
}

/** As often as it takes: a search indexes for a short time only, and answers a part if the machine is slow. */
async function untilFound(store: Store, q: string, expected: number): Promise<void> {
  const found = async (): Promise<number> => {
    let count = 0
    let cursor: string | null = null
    do {
      const page = await store.listPosts({ podcastId: 'default', q, limit: 1000, cursor })
      count += page.items.length
      cursor = page.nextCursor
    } while (cursor !== null)
    return count
  }
  await until(`${expected} posts are found`, async () => (await found()) >= expected)
  assert.equal(await found(), expected)
}

export function consumersContract(check: Check): void {
  check(
    'posts are listed newest first, and filtered by source, time and whether an article has them',
    async ({ store, db }) => {
      await withSources(store, aSource('s1'), aSource('s2'))
      await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)], at: NOW })
      await poll(store, 's2', { posts: [aCandidate(3)], at: NOW + 10 })
      await addArticles(db, [anArticle('s1', ['2'])])
      assert.deepEqual(await hashes(store, {}), ['hash-3', 'hash-2', 'hash-1'])
      assert.deepEqual(await hashes(store, { sourceId: 's1' }), ['hash-2', 'hash-1'])
      assert.deepEqual(await hashes(store, { since: NOW + 10 }), ['hash-3'])
      assert.deepEqual(await hashes(store, { unlinked: true }), ['hash-3', 'hash-1'])
      assert.deepEqual(await hashes(store, { podcastId: 'other' }), [])
      const first = await store.listPosts({ podcastId: 'default', limit: 2, cursor: null })
      const rest = await store.listPosts({ podcastId: 'default', limit: 2, cursor: first.nextCursor })
      assert.deepEqual(
        rest.items.map((post) => post.contentHash),
        ['hash-1'],
      )
    },
  )

  check('what a post has beside its text comes back, and its HTML stands apart', async ({ store }) => {
    await withSources(store, aSource('s1', { label: 'Ship' }), aSource('s2'))
    const extras = {
      language: 'de',
      image: 'https://a.example/i.jpg',
      enclosures: [{ url: 'https://a.example/e.mp3', type: 'audio/mpeg', length: 5_000_000_000, duration: 60 }],
      commentsUrl: 'https://a.example/c',
      usagePreferences: 'train-ai=n',
    }
    const html = `<p>${'ünï '.repeat(5000)}</p>`
    await poll(store, 's1', { posts: [aCandidate(1, { ...extras, html }), aCandidate(2, { html: '<p>short</p>' })] })
    await poll(store, 's2', { posts: [aCandidate(3)] })
    const post = await store.getPost('default', '1')
    assert.deepEqual({ ...post, ...extras }, post)
    assert.equal(await store.getPost('other', '1'), null)
    assert.equal(await store.getPost('default', 'x'), null)
    const contents = await store.postContents(['1', '2', '3', '99'])
    assert.deepEqual(
      [...contents].toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        ['1', { html, fullText: null }],
        ['2', { html: '<p>short</p>', fullText: null }],
      ],
    )
    assert.deepEqual([...(await store.sourceTitles(['s1', 's2']))], [['s1', 'Ship']])
    await store.removeSource('s1')
    assert.equal(await store.getPost('default', '1'), null)
    await store.cleanUp({ now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 1000 })
    assert.equal((await store.postContents(['1', '2'])).size, 0)
  })

  check('a search finds posts that have all its words, whatever else it contains', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    const posts = [
      aCandidate(1, { title: 'Rust and Go', body: 'compared at example.com/a-b by Ada' }),
      aCandidate(2, { title: 'Go', body: 'naïve Straße' }),
      aCandidate(3, { title: 'gone', body: "don't" }),
    ]
    await poll(store, 's1', { posts })
    assert.deepEqual(await hashes(store, { q: 'go' }), ['hash-2', 'hash-1'])
    assert.deepEqual(await hashes(store, { q: 'GO rust' }), ['hash-1'])
    assert.deepEqual(await hashes(store, { q: 'example' }), ['hash-1'])
    assert.deepEqual(await hashes(store, { q: 'https://example.com/a-b' }), [])
    assert.deepEqual(await hashes(store, { q: 'example.com/a-b' }), ['hash-1'])
    assert.deepEqual(await hashes(store, { q: 'naïve' }), ['hash-2'])
    assert.deepEqual(await hashes(store, { q: "don't" }), ['hash-3'])
    for (const odd of [
      '"',
      "'",
      '*',
      'go*',
      '(',
      'a AND',
      'NOT',
      'NEAR(',
      '& | !',
      ':*',
      '\\',
      '--',
      'text:go',
      '😀',
      '%',
    ]) {
      await store.listPosts({ ...ALL, podcastId: 'default', q: odd })
    }
    assert.deepEqual(await hashes(store, { q: '"go" &' }), ['hash-2', 'hash-1'])
    assert.deepEqual(await hashes(store, { q: '!!!' }), [])
    assert.deepEqual(await hashes(store, { q: 'go', sourceId: 's2' }), [])
    const first = await store.listPosts({ podcastId: 'default', q: 'go', limit: 1, cursor: null })
    assert.deepEqual(await hashes(store, { q: 'go', limit: 1, cursor: first.nextCursor }), ['hash-1'])
  })

  check('a search finds its words in any form and between any characters', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const bodies = [
      'cafe\u0301 tables',
      'İstanbul',
      'ΣΊΣΥΦΟΣ',
      'ПРИВЕТ',
      'Use List<String> in Java',
      'x~y',
      'हिन्दी',
      'a…b·c',
    ]
    const posts = bodies.map((body, n) => aCandidate(n, { title: `t${n}`, body }))
    await poll(store, 's1', { posts })
    for (const [n, words] of [
      [0, ['cafe\u0301', 'café', 'CAFÉ']],
      [1, ['İstanbul', 'istanbul', 'ISTANBUL']],
      [2, ['ΣΊΣΥΦΟΣ', 'σίσυφος']],
      [3, ['привет', 'Привет']],
      [4, ['String', 'list', 'List<String>']],
      [5, ['x~y', 'x y', 'y']],
      [6, ['हिन्दी']],
      [7, ['a…b', 'b', 'c']],
    ] as const) {
      for (const q of words) assert.deepEqual(await hashes(store, { q }), [`hash-${n}`], q)
    }
    for (const q of ['cafe', 'हन']) assert.deepEqual(await hashes(store, { q }), [], q)
  })

  check(
    'two searches at the same time, while posts are added and removed, index each post once',
    async ({ store, again }) => {
      const stores = [store, await again()]
      await withSources(store, aSource('s1'), aSource('s2'))
      for (let round = 0; round < 5; round++) {
        const posts = (id: string) =>
          Array.from({ length: 50 }, (_, n) => aCandidate(`${id}-${round}-${n}`, { body: 'pear' }))
        await poll(store, 's1', { posts: posts('s1') })
        await poll(store, 's2', { posts: posts('s2') })
        const searching = [...stores, ...stores].map((each) =>
          each.listPosts({ ...ALL, podcastId: 'default', q: 'pear' }),
        )
        if (round === 4) await store.removeSource('s2')
        await Promise.all(searching)
      }
      await untilFound(store, 'pear', 250)
    },
  )

  check('a search finds posts stored since the last one, and no removed posts', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: [aCandidate(1, { body: 'apple' })] })
    assert.deepEqual(await hashes(store, { q: 'apple' }), ['hash-1'])
    const many = Array.from({ length: 60 }, (_, n) => aCandidate(`apple-${n}`, { body: `apple ${n}` }))
    await poll(store, 's2', { posts: many })
    await untilFound(store, 'apple', 61)
    await store.removeSource('s2')
    assert.deepEqual(await hashes(store, { q: 'apple' }), ['hash-1'])
    await poll(store, 's1', { posts: [aCandidate(2, { body: 'apple tart' })] })
    assert.deepEqual(await hashes(store, { q: 'apple' }), ['hash-2', 'hash-1'])
  })

  check('the longest allowed body is stored and searched', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const words = Array.from({ length: 180_000 }, (_, n) => n.toString(36)).join(' ')
    await poll(store, 's1', { posts: [aCandidate(1, { title: 'long', body: words.slice(0, 1_048_576) })] })
    assert.deepEqual(await hashes(store, { q: 'long 1a' }), ['hash-1'])
    assert.equal((await getPost(store, '1'))?.body.length, Math.min(words.length, 1_048_576))
  })

  check('a reader in commit order sees every post once while several writers write', async ({ store, again }) => {
    const writers = [store, await again()]
    const sources = Array.from({ length: 6 }, (_, n) => aSource(`s${n}`))
    await withSources(store, ...sources)
    let writing = true
    const writes = Promise.all(
      sources.map(async ({ id }, n) => {
        for (let round = 0; round < 15; round++) {
          const posts = Array.from({ length: 1 + ((round + n) % 4) }, (_, k) => aCandidate(`${id}-${round}-${k}`))
          await poll(writers[n % 2] ?? store, id, { posts, effects: { events: [anEvent({ sourceId: id })] } })
        }
      }),
    ).finally(() => {
      writing = false
    })
    const seen: string[] = []
    const events: string[] = []
    for (let last = false; !last; ) {
      last = !writing
      const posts = await postsAfter(store, 'default', seen.at(-1) ?? '0', 7)
      seen.push(...posts.map((post) => post.id))
      events.push(...(await store.eventsAfter(events.at(-1) ?? '0', 7)).map((event) => event.id))
      if (posts.length > 0) last = false
    }
    await writes
    const stored = (await store.totals({ userId: null, now: NOW })).posts
    assert.equal(seen.length, stored)
    assert.equal(new Set(seen).size, stored)
    while (events.length < 90) {
      const more = await store.eventsAfter(events.at(-1) ?? '0', 50)
      assert.ok(more.length > 0, 'an event was passed over')
      events.push(...more.map((event) => event.id))
    }
    assert.deepEqual(
      events,
      Array.from({ length: 90 }, (_, n) => String(n + 1)),
    )
  })

  check('articles are listed with their posts, by state, newest first', async ({ store, db }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2), aCandidate(3)] })
    const added = await addArticles(db, [anArticle('s1', ['1', '3']), anArticle('s1', ['2'], { isProcessed: true })])
    assert.deepEqual(
      added.map((article) => article.id),
      ['1', '2'],
    )
    const query = { podcastId: 'default', ...ALL }
    assert.deepEqual((await store.listArticles({ ...query, processed: null })).items, added.toReversed())
    assert.deepEqual((await store.listArticles({ ...query, processed: false })).items, [added[0]])
    assert.deepEqual((await store.listArticles({ ...query, processed: true })).items, [added[1]])
    const first = await store.listArticles({ podcastId: 'default', processed: null, limit: 1, cursor: null })
    const rest = await store.listArticles({ podcastId: 'default', processed: null, limit: 1, cursor: first.nextCursor })
    assert.deepEqual(rest.items, [added[0]])
    assert.deepEqual(await addArticles(db, []), [])
  })

  check('articles are marked all or none', async ({ store, db }) => {
    await store.addPodcast({
      id: 'p2',
      userId: 'default',
      name: '',
      topic: null,
      maxArticleAgeDays: null,
      createdAt: NOW,
    })
    await withSources(store, aSource('s1'), aSource('s2', { podcastId: 'p2' }))
    await addArticles(db, [anArticle('s1', []), anArticle('s1', []), anArticle('s2', [], { podcastId: 'p2' })])
    const open = async () =>
      (await store.listArticles({ ...ALL, podcastId: 'default', processed: false })).items.map((article) => article.id)
    for (const ids of [
      ['1', '99'],
      ['1', '3'],
      ['1', 'x'],
      ['1', ''],
    ]) {
      assert.equal(await store.markProcessed('default', ids, { at: 1000 }), null)
    }
    assert.deepEqual(await open(), ['2', '1'])
    assert.equal(await store.markProcessed('default', ['1', '2', '1'], { at: 1000 }), 2)
    assert.deepEqual(await open(), [])
    assert.equal(await store.markProcessed('default', ['2'], false), 1)
    assert.deepEqual(await open(), ['2'])
    assert.equal(await store.markProcessed('default', [], { at: 1000 }), 0)
  })

  check('events are read back in order, after a position, as they were written', async ({ store }) => {
    assert.equal(await store.lastEventId(), '0')
    const outage = anEvent({ type: 'outage.started', userId: null, podcastId: null, sourceId: null, host: null })
    await writeEvents(store, [outage, anEvent({ data: { url: 'https://a.example/', n: 1 } })])
    assert.deepEqual(await store.eventsAfter('0', 1), [{ ...outage, id: '1' }])
    assert.deepEqual(
      (await store.eventsAfter('1', 10)).map((event) => event.data),
      [{ url: 'https://a.example/', n: 1 }],
    )
    await assert.rejects(store.eventsAfter('x', 10), { code: 'invalid-input' })
    await assert.rejects(postsAfter(store, 'default', '-1', 10), { code: 'invalid-input' })
  })

  check('listeners hear of events after the commit that wrote them, and of nothing else', async ({ store }) => {
    const heard: Promise<string>[] = []
    const stopListening = store.onEventsWritten(() => heard.push(store.lastEventId()))
    await withSources(store, aSource('s1'))
    await store.writeMeta('tick', '1')
    const decide = () => ({ host: {}, recover: null, events: [anEvent()] })
    const failing = store.recoverHost('a.example', () => {
      throw new Error('no decision')
    })
    await assert.rejects(failing, /no decision/)
    assert.equal(heard.length, 0)
    await store.writeMeta('outage', '{}', [anEvent({ type: 'outage.started' })])
    // One after the other: a listener that asks a little later also sees what was written since.
    assert.deepEqual(await Promise.all(heard), ['1'])
    await store.changeSource('s1', () => ({ set: {}, events: [anEvent()] }))
    assert.deepEqual(await Promise.all(heard), ['1', '2'])
    await store.recoverHost('a.example', decide)
    assert.deepEqual(await Promise.all(heard), ['1', '2', '3'])
    stopListening()
    await store.recoverHost('a.example', decide)
    assert.equal(heard.length, 3)
  })
}
