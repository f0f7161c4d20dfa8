import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { NO_EXTRAS } from '../../src/domain/post.ts'
import { newRhythm } from '../../src/domain/rhythm.ts'
import type { PollMoment } from '../../src/ports/polling-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { getPost, postsAfter } from '../support/read-store.ts'
import { ALL, aCandidate, anEvent, aRecord, aSource, type Check, DAY_MS, NOW, poll, withSources } from './fixtures.ts'

const NOTHING_CARRIED = { guids: new Set<string>(), hashes: new Set<string>() }

async function isKnown(store: Store, hash: string): Promise<boolean> {
  return (await store.knownEntries('s1', { guids: [], urls: [], hashes: [hash] })).length > 0
}

export function recordPollContract(check: Check): void {
  check('a poll writes posts, source, host, record and events together', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const candidate = aCandidate(1, { categories: ['a', 'ü'], author: 'Ada', publishedAt: null, guid: null })
    const written = await poll(store, 's1', {
      posts: [candidate],
      lane: 'a.example',
      effects: {
        source: { lastPolled: NOW, nextPollAt: NOW + 9, lastSucceededAt: NOW },
        host: { notBefore: NOW + 3, lastSucceededAt: NOW },
        record: aRecord('s1', { created: 1, found: 1, notModified: true, reason: 'cut' }),
        events: [anEvent({ data: { created: 1 } }), anEvent({ type: 'posts.created' })],
      },
    })
    assert.equal(written.kind, 'recorded')
    const source = aSource('s1', { lastPolled: NOW, nextPollAt: NOW + 9, lastSucceededAt: NOW, postCount: 1 })
    assert.deepEqual(written.source, source)
    assert.deepEqual(await store.getSource('s1'), source)
    assert.deepEqual(await getPost(store, '1'), {
      ...{ ...NO_EXTRAS, ...candidate, id: '1', sourceId: 's1', createdAt: NOW },
      ...{ transcriptUrl: null, fullTextState: 'none', fullTextReason: null },
    })
    assert.equal((await store.hostState('a.example'))?.notBefore, NOW + 3)
    assert.deepEqual((await store.listPolls('s1', ALL)).items, [written.record])
    assert.deepEqual(written.record, {
      ...aRecord('s1', { created: 1, found: 1, notModified: true, reason: 'cut' }),
      id: written.record.id,
    })
    assert.deepEqual(
      (await store.eventsAfter('0', 10)).map(({ id, type, data }) => [id, type, data]),
      [
        ['1', 'poll.finished', { created: 1 }],
        ['2', 'posts.created', { lastPostId: '1' }],
      ],
    )
    assert.equal(await store.lastEventId(), '2')
  })

  check('the rules get what is known of a source that was polled before rhythms were kept', async ({ store, db }) => {
    const lastSeenId = new Date(NOW - 2 * DAY_MS).toISOString()
    const polled = { lastSucceededAt: NOW - DAY_MS, postCount: 2, lastSeenId }
    await withSources(store, aSource('s1', polled), aSource('s2'), aSource('s3', { ...polled, rhythm: newRhythm(NOW) }))
    const created = (n: number, at: number) => ({
      effects: { record: aRecord('s1', { created: n, startedAt: at }) },
    })
    await poll(store, 's1', {
      ...{ posts: [aCandidate(1), aCandidate(2, { publishedAt: null })], at: NOW - 5 },
      ...created(2, NOW - 9 * DAY_MS),
      tombstones: [aCandidate(3, { publishedAt: NOW - 20 * DAY_MS }), aCandidate(4, { publishedAt: null })],
    })
    await poll(store, 's1', created(0, NOW - 3 * DAY_MS))
    const day = Math.floor(NOW / DAY_MS) - 50
    const columns = '(source_id, day, polls, transient, permanent, created, bytes)'
    await db.run(`INSERT INTO poll_days ${columns} VALUES ('s1', ?, 9, 1, 0, 4, 1)`, [day])
    await db.run(`INSERT INTO poll_days ${columns} VALUES ('s1', ?, 1, 1, 0, 0, 1)`, [day - 9])
    const told: PollMoment['history'][] = []
    for (const id of ['s1', 's2', 's3']) {
      await poll(store, id, {
        decide: ({ history }) => {
          told.push(history)
          return { source: {}, host: null, record: aRecord(id), events: [] }
        },
      })
    }
    assert.deepEqual(told.slice(1), [null, null])
    assert.deepEqual(told[0] && { ...told[0], published: told[0].published.toSorted((a, b) => a - b) }, {
      firstSucceededAt: day * DAY_MS,
      stored: 6,
      published: [NOW - 20 * DAY_MS, NOW - 2 * DAY_MS, NOW - 1000, NOW - 5],
      foundAt: [NOW - 9 * DAY_MS, day * DAY_MS],
    })
  })

  check('the rules get the number of new posts and the rows as they are', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1)], tombstones: [aCandidate(2)] })
    await store.releaseHost('a.example', { startedAt: NOW, notBefore: NOW + 77 }, null)
    await store.changeSource('s1', () => ({ set: { label: 'changed meanwhile' }, events: [] }))
    let told: PollMoment | null = null
    await poll(store, 's1', {
      posts: [
        aCandidate(1),
        aCandidate(2),
        aCandidate(3),
        aCandidate(4),
        aCandidate('again', { contentHash: 'hash-4' }),
      ],
      lane: 'a.example',
      decide: (moment) => {
        told = moment
        return { source: {}, host: null, record: aRecord('s1'), events: [] }
      },
    })
    const { source, host, created, lostToDuplicates, moveTaken } = told as unknown as PollMoment
    assert.deepEqual({ created, lostToDuplicates, moveTaken }, { created: 2, lostToDuplicates: 3, moveTaken: false })
    assert.equal(source.label, 'changed meanwhile')
    assert.equal(host?.notBefore, NOW + 77)
    assert.deepEqual(
      (await postsAfter(store, 'default', '0', 9)).map((post) => post.contentHash),
      ['hash-1', 'hash-3', 'hash-4'],
    )
    assert.equal((await store.hostState('a.example'))?.notBefore, NOW + 77)
  })

  check('the same poll twice stores nothing twice', async ({ store, again }) => {
    await withSources(store, aSource('s1'))
    const posts = Array.from({ length: 50 }, (_, n) => aCandidate(n))
    const other = await again()
    await Promise.all([poll(store, 's1', { posts }), poll(other, 's1', { posts }), other.addPosts('s1', 1, posts, NOW)])
    assert.equal((await store.listPosts({ ...ALL, podcastId: 'default' })).items.length, 50)
  })

  check('if the rules throw, nothing of the poll is stored', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const fail = () => {
      throw new Error('a bug')
    }
    const write = { posts: [aCandidate(1)], tombstones: [aCandidate(2)], lane: 'a.example' }
    await assert.rejects(poll(store, 's1', { ...write, decide: fail }), /a bug/)
    assert.equal((await store.listPolls('s1', ALL)).items.length, 0)
    assert.equal(await isKnown(store, 'hash-1'), false)
    assert.equal(await isKnown(store, 'hash-2'), false)
    assert.equal((await poll(store, 's1', write)).kind, 'recorded')
  })

  check('the result of a poll of another version, or of a removed source, is ignored', async ({ store }) => {
    await withSources(store, aSource('s1', { version: 2 }))
    const write = { posts: [aCandidate(1)], decide: () => assert.fail('not asked') }
    assert.deepEqual(await poll(store, 's1', write), { kind: 'source-changed' })
    assert.deepEqual(await poll(store, 'gone', write), { kind: 'source-gone' })
    assert.equal(await store.addPosts('s1', 1, [aCandidate(1)], NOW), 'source-changed')
    assert.equal(await store.addPosts('gone', 1, [aCandidate(1)], NOW), 'source-gone')
    assert.equal((await store.totals({ userId: null, now: NOW })).posts, 0)
  })

  check('settings that the rules do not name stay as a person set them', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await store.changeSource('s1', () => ({ set: { pollIntervalMinutes: 5, enabled: false }, events: [] }))
    await poll(store, 's1', { effects: { source: { lastPolled: NOW } } })
    assert.deepEqual(
      await store.getSource('s1'),
      aSource('s1', { pollIntervalMinutes: 5, enabled: false, lastPolled: NOW }),
    )
  })

  check('a poll that would move its source learns that another source has that URL', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    const moveTo = async (urlKey: string) => {
      let taken: boolean | null = null
      await poll(store, 's1', {
        moveTo: urlKey,
        decide: ({ moveTaken }) => {
          taken = moveTaken
          const source = moveTaken ? {} : { url: urlKey, urlKey }
          return { source, host: null, record: aRecord('s1'), events: [] }
        },
      })
      return taken
    }
    assert.equal(await moveTo(aSource('s2').urlKey), true)
    assert.equal(await moveTo('https://a.example/moved'), false)
    assert.equal((await store.getSource('s1'))?.urlKey, 'https://a.example/moved')
    assert.equal(await store.addSource(aSource('s3', { urlKey: aSource('s1').urlKey }), [], null), 'added')
  })

  check('entries are known by guid, hash or url, stored or tombstoned', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)], tombstones: [aCandidate(3)] })
    await poll(store, 's2', { posts: [aCandidate(4)] })
    const known = async (of: object) =>
      (await store.knownEntries('s1', { guids: [], hashes: [], urls: [], ...of })).map((e) => e.contentHash).toSorted()
    assert.deepEqual(await known({ guids: ['guid-1', 'guid-3', 'guid-4', 'guid-9'] }), ['hash-1', 'hash-3'])
    assert.deepEqual(await known({ urls: [aCandidate(2).url, aCandidate(3).url] }), ['hash-2', 'hash-3'])
    assert.deepEqual(await known({ hashes: ['hash-1', 'hash-4'], guids: ['guid-1'] }), ['hash-1'])
    assert.deepEqual(await known({}), [])
    const { guid, contentHash, url, publishedAt } = aCandidate(3)
    assert.deepEqual(await store.knownEntries('s1', { guids: ['guid-3'], hashes: [], urls: [] }), [
      { guid, contentHash, url, publishedAt },
    ])
  })

  check('guids and URLs of any length are compared to their end', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const long = '😀'.repeat(5000)
    const entry = (n: number) => aCandidate(n, { guid: `${long}${n}`, url: `https://a.example/${long}${n}` })
    await poll(store, 's1', { posts: [entry(1), entry(2)], tombstones: [entry(3)] })
    const asked = { guids: [`${long}2`, `${long}3`], urls: [`https://a.example/${long}1`], hashes: [] }
    const known = await store.knownEntries('s1', asked)
    assert.deepEqual(known.map((e) => e.contentHash).toSorted(), ['hash-1', 'hash-2', 'hash-3'])
    assert.equal((await store.knownEntries('s1', { ...asked, guids: [long], urls: [long] })).length, 0)
  })

  check('thousands of entries can be looked up at once', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const posts = Array.from({ length: 2500 }, (_, n) => aCandidate(n))
    assert.equal(await store.addPosts('s1', 1, posts, NOW), 2500)
    const known = await store.knownEntries('s1', {
      guids: posts.map((post) => post.guid ?? ''),
      urls: posts.map((post) => post.url),
      hashes: [...posts.map((post) => post.contentHash), 'unknown'],
    })
    assert.equal(known.length, 2500)
    assert.equal(await store.addPosts('s1', 1, [...posts, aCandidate('new')], NOW), 1)
  })

  check('text that one engine cannot store is stored without the refused characters', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { posts: [aCandidate(1, { title: 'a\0b', guid: 'g\0', body: 'x\ud800y' })] })
    assert.equal((await getPost(store, '1'))?.title, 'a\ufffdb')
    assert.equal((await getPost(store, '1'))?.body, 'x\ufffdy')
  })

  check(
    'entries that were stored, or dropped for their age, since they were chosen are not stored',
    async ({ store }) => {
      await withSources(store, aSource('s1'))
      const asRead = async () => {
        const source = await store.getSource('s1')
        assert.ok(source)
        return { source, host: null }
      }
      const [beforeAll, at] = [await asRead(), NOW + 1000]
      await poll(store, 's1', { posts: [aCandidate(1)], asRead: beforeAll })
      const effects = { source: { lastPolled: at } }
      const betweenThem = await asRead()
      await poll(store, 's1', { tombstones: [aCandidate(2)], asRead: betweenThem, at, effects })
      for (const stale of [beforeAll, betweenThem]) {
        const late = await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)], asRead: stale })
        assert.equal(late.kind === 'recorded' && late.record.created, 0)
      }
      const posts = [aCandidate(3), aCandidate(4), aCandidate(3)]
      const written = await poll(store, 's1', { posts, asRead: await asRead() })
      assert.equal(written.kind === 'recorded' && written.record.created, 2)
      assert.equal((await store.getSource('s1'))?.postCount, 3)
    },
  )

  check('a tombstone stays while documents contain its entry, by hash or by guid', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { tombstones: [aCandidate(1), aCandidate(2)], carried: NOTHING_CARRIED })
    for (let day = 0; day < 400; day += 50) {
      const carried = { hashes: new Set(['hash-1']), guids: new Set(['guid-2']) }
      await poll(store, 's1', { carried, at: NOW + day * DAY_MS })
    }
    assert.equal(await isKnown(store, 'hash-1'), true)
    assert.equal(await isKnown(store, 'hash-2'), true)
  })

  check('a tombstone is removed by a poll ninety days after its entry was first missing', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { tombstones: [aCandidate(1)] })
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW })
    await poll(store, 's1', { carried: null, at: NOW + 200 * DAY_MS })
    assert.equal(await isKnown(store, 'hash-1'), true, 'time without parsing does not count')
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW + 90 * DAY_MS - 1 })
    assert.equal(await isKnown(store, 'hash-1'), true)
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW + 90 * DAY_MS })
    assert.equal(await isKnown(store, 'hash-1'), false)
  })

  check('a tombstone whose entry comes back starts its ninety days again', async ({ store }) => {
    await withSources(store, aSource('s1'))
    await poll(store, 's1', { tombstones: [aCandidate(1)] })
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW })
    await poll(store, 's1', { carried: { ...NOTHING_CARRIED, hashes: new Set(['hash-1']) }, at: NOW + 80 * DAY_MS })
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW + 100 * DAY_MS })
    await poll(store, 's1', { carried: NOTHING_CARRIED, at: NOW + 180 * DAY_MS })
    assert.equal(await isKnown(store, 'hash-1'), true)
  })

  check(
    'of a thousand tombstones each goes some polls after its ninety days, and none that a document carries',
    async ({ store }) => {
      await withSources(store, aSource('s1'))
      const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex')
      const entries = Array.from({ length: 1000 }, (_, n) =>
        aCandidate(n, { contentHash: hashOf(n), guid: `guid-${n}` }),
      )
      await poll(store, 's1', { tombstones: entries })
      const carried = { hashes: new Set([hashOf(1), hashOf(2)]), guids: new Set(['guid-3']) }
      const left = async () => {
        const all = await store.knownEntries('s1', { guids: [], urls: [], hashes: entries.map((e) => e.contentHash) })
        return all.map(({ guid }) => guid).toSorted()
      }
      for (const [day, kept] of [
        [1, 1000],
        [90, 1000],
        [92, 3],
      ] as const) {
        for (let n = 0; n < 40; n++) await poll(store, 's1', { carried, at: NOW + day * DAY_MS + n * 1_800_000 })
        assert.equal((await left()).length, kept, `day ${day}`)
      }
      assert.deepEqual(await left(), ['guid-1', 'guid-2', 'guid-3'])
    },
  )

  check('polls are listed newest first, page by page', async ({ store }) => {
    await withSources(store, aSource('s1'))
    for (let n = 0; n < 5; n++) await poll(store, 's1', { effects: { record: aRecord('s1', { startedAt: NOW + n }) } })
    const first = await store.listPolls('s1', { limit: 3, cursor: null })
    const rest = await store.listPolls('s1', { limit: 3, cursor: first.nextCursor })
    const startedAt = [...first.items, ...rest.items].map((record) => record.startedAt - NOW)
    assert.deepEqual(startedAt, [4, 3, 2, 1, 0])
    assert.equal(rest.nextCursor, null)
  })
}
