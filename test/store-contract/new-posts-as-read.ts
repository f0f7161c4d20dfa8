// A scheduled poll that brings new posts, from rows that were read when it began. On PostgreSQL it is recorded by one
// statement if these rows are still the same; whatever came in between, the result is that of the rows as they are.
import assert from 'node:assert/strict'
import { LEASE_MS } from '../../src/domain/host-lease.ts'
import type { PollMoment, PollWrite } from '../../src/ports/polling-store.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { recordPoll } from '../../src/storage/polling/record-poll.ts'
import { ALL, aCandidate, anEvent, aRecord, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

const END = NOW + 5
const VISIT = { startedAt: NOW, notBefore: NOW + 1000, lease: { by: 'us', until: NOW + LEASE_MS } }

const POSTS = [
  aCandidate(1, { html: '<p>Grüße 😀</p>', publishedAt: null, guid: null, categories: ['News', '"quoted", {a}'] }),
  aCandidate(2, { body: `NULL 'and' \\ ${'long '.repeat(3000)}`, author: 'Ann', language: 'de', publishedAt: -5 }),
  aCandidate(3, {
    html: '<p>three</p>',
    title: '',
    image: 'https://a.example/i.png',
    commentsUrl: 'https://c.example/',
  }),
  aCandidate(3, { title: 'the same hash' }),
  aCandidate(4, {
    enclosures: [{ url: 'https://a.example/a.mp3', type: 'audio/mpeg', length: 2 ** 40 }],
    wantedText: { state: 'pending', reason: null, behind: { url: 'https://p.example/4', kind: 'page' } },
  }),
]

type AsRead = NonNullable<PollWrite['asRead']>

async function begin(store: Store, lane = 'a.example'): Promise<AsRead> {
  const { source } = await store.lookAtLane(lane, NOW, [])
  const host = await store.leaseHost(lane, VISIT)
  assert.ok(source && host)
  return { source, host }
}

function writeOf({ source, host }: AsRead, given: Partial<PollWrite>, seen: PollMoment[] = []): PollWrite {
  const { id: sourceId, lane, version } = source
  return {
    ...{ sourceId, version, posts: POSTS, tombstones: [], carried: null, at: END, lane, leasedBy: 'us' },
    asRead: { source, host },
    decide: (moment) => {
      seen.push(moment)
      const { created } = moment
      const told = { sourceId, data: { url: 'https://a.example/', count: created } }
      return {
        source: { lastPolled: END, nextPollAt: END + 60_000, lastSucceededAt: END },
        host: { notBefore: END + 1000, lastSucceededAt: END },
        record: aRecord(sourceId, { created, found: POSTS.length }),
        events: [anEvent({ sourceId }), anEvent({ type: 'posts.created', ...told })],
      }
    },
    ...given,
  }
}

/** All that a poll leaves, without what differs between two sources. */
async function leftBy({ store, db }: { readonly store: Store; readonly db: Database }, id: string) {
  const source = await store.getSource(id)
  const posts = (await store.listPosts({ ...ALL, podcastId: 'default', sourceId: id })).items.toReversed()
  const contents = await store.postContents(
    posts.map((post) => post.id),
    { html: true },
  )
  const firstId = Number(posts[0]?.id)
  const rows = await db.all(
    `SELECT p.id - b.id AS place, p.html_index, p.content_bytes, b.last_post_id - b.id AS last
     FROM posts p JOIN html_bundles b ON b.id = p.html_bundle WHERE p.source_id = ? ORDER BY p.id`,
    [id],
  )
  const pages = await db.all(
    'SELECT f.post_id AS id, f.url, f.kind, f.lane, f.due_at, f.tries FROM page_fetches f JOIN posts p ON p.id = f.post_id WHERE p.source_id = ?',
    [id],
  )
  const events = (await store.eventsAfter('0', 99)).filter((event) => event.sourceId === id)
  return {
    source: { ...source, id: '', host: '', lane: '', url: '', urlKey: '' },
    posts: posts.map((post) => ({ ...post, id: Number(post.id) - firstId, sourceId: '' })),
    html: posts.map((post) => contents.get(post.id)?.html ?? null),
    bundles: rows.map((row) => ({ ...row })),
    pages: pages.map((page) => ({ ...page, id: Number(page.id) - firstId })),
    events: events.map(({ type, at, data }) => ({ type, at, data: { ...data, lastPostId: lastOf(data, firstId) } })),
    polls: (await store.listPolls(id, ALL)).items.map((record) => ({ ...record, id: '', sourceId: '' })),
  }
}

function lastOf(data: object, firstId: number): number | null {
  const { lastPostId } = data as { lastPostId?: string }
  return lastPostId === undefined ? null : Number(lastPostId) - firstId
}

export function newPostsAsReadContract(check: Check): void {
  check('a poll with new posts leaves the same, whether its rows are read again or not', async ({ store, db }) => {
    const lane = 'b.example'
    await withSources(store, aSource('a', { nextPollAt: NOW }), aSource('b', { nextPollAt: NOW, host: lane, lane }))
    const [a, b] = [await begin(store), await begin(store, lane)]
    const one = await store.recordPoll(writeOf(a, {}))
    // A copy is not what the store gave, so the rows are read again.
    const other = await store.recordPoll(writeOf({ source: { ...b.source }, host: b.host }, {}))
    assert.deepEqual([one.kind, other.kind], ['recorded', 'recorded'])
    for (const written of [one, other]) assert.ok(written.kind === 'recorded' && written.isLaneEmpty === false)
    const left = await leftBy({ store, db }, 'a')
    assert.deepEqual(left, await leftBy({ store, db }, 'b'))
    assert.deepEqual([left.posts.length, left.source.postCount, left.pages.length], [4, 4, 1])
    assert.deepEqual(left.html, ['<p>Grüße 😀</p>', null, '<p>three</p>', null])
    assert.deepEqual(
      left.events.map(({ type, data }) => [type, data.lastPostId]),
      [
        ['poll.finished', null],
        ['posts.created', 3],
      ],
    )
    const counts = await db.all(`SELECT sum(n) AS n FROM podcast_counts WHERE kind = 'posts'`)
    assert.equal(Number(counts[0]?.n), 8)
  })

  check('listeners hear of new posts once, with the id of the last', async ({ store, db }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const [told, written]: [unknown[], number[]] = [[], []]
    const ends = [db.onEvents((events) => told.push(...events)), db.onEventsWritten((id) => written.push(id))]
    await store.recordPoll(writeOf(await begin(store), {}))
    const rows = await store.eventsAfter('0', 9)
    assert.deepEqual(
      told,
      rows.map(({ id: _, ...event }) => event),
    )
    assert.deepEqual(written, [Number(rows[0]?.id)])
    for (const end of ends) end()
  })

  check('posts that were stored since the rows were read are not stored again', async ({ store }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const asRead = await begin(store)
    await poll(store, 'a', { posts: [aCandidate(2)] })
    const seen: PollMoment[] = []
    await store.recordPoll(writeOf(asRead, {}, seen))
    assert.deepEqual([seen.at(-1)?.created, seen.at(-1)?.lostToDuplicates], [3, 2])
    assert.equal((await store.getSource('a'))?.postCount, 4)
  })

  check('posts that the poll did not know of are not stored again', async ({ store }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    await poll(store, 'a', { posts: [aCandidate(2)] })
    const seen: PollMoment[] = []
    const written = await store.recordPoll(writeOf(await begin(store), {}, seen))
    assert.equal(written.kind, 'recorded')
    assert.deepEqual([seen.at(-1)?.created, seen.at(-1)?.lostToDuplicates], [3, 2])
    assert.deepEqual(
      (await store.listPosts({ ...ALL, podcastId: 'default', sourceId: 'a' })).items
        .map(({ contentHash }) => contentHash)
        .sort(),
      ['hash-1', 'hash-2', 'hash-3', 'hash-4'],
    )
  })

  check('tombstones age with a poll whose rows are as they were read', async ({ store, db }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const gone = ['old', 'back', 'absent'].map((name) => aCandidate(name))
    await poll(store, 'a', { tombstones: gone })
    const missingSince = { old: NOW - 91 * 86_400_000, back: NOW - 1000 }
    for (const [name, since] of Object.entries(missingSince)) {
      await db.run('UPDATE tombstones SET missing_since = ? WHERE content_hash = ?', [since, `hash-${name}`])
    }
    const carried = { guids: new Set(['guid-back']), hashes: new Set<string>() }
    await store.recordPoll(writeOf(await begin(store), { carried }))
    const rows = await db.all('SELECT content_hash, missing_since FROM tombstones ORDER BY content_hash')
    assert.deepEqual(
      rows.map((row) => [row.content_hash, row.missing_since]),
      [
        ['hash-absent', END],
        ['hash-back', null],
      ],
    )
  })

  check('a poll with new posts needs no transaction where statements are round trips', async ({ store, db }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const write = writeOf(await begin(store), { carried: { guids: new Set(), hashes: new Set() } })
    if (!db.dialect.isShared) return
    const alone = new Proxy(db, {
      get: (target, key) => {
        if (key === 'transaction') return () => assert.fail('a transaction was begun')
        const value = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    assert.equal((await recordPoll(alone, write, { areHere: false })).kind, 'recorded')
    assert.equal((await store.getSource('a'))?.postCount, 4)
  })
}
