import assert from 'node:assert/strict'
import fc from 'fast-check'
import { healthOf, SOURCE_HEALTHS } from '../../src/domain/health.ts'
import type { Source } from '../../src/domain/source.ts'
import type { SecretRow } from '../../src/ports/secret-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { anySecret, getPost, postsAfter } from '../support/read-store.ts'
import { OTHER_SETTINGS } from '../support/settings.ts'
import { addArticles } from '../support/store-and-database.ts'
import { ALL, aCandidate, anArticle, anEvent, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

const SECRET: SecretRow = { scope: 'source', ownerId: 's1', name: 'url', keyId: 'k', sealed: 'x', updatedAt: NOW }

async function ids(store: Store, query: object): Promise<string[]> {
  return (await store.listSources({ ...ALL, podcastId: null, ...query })).items.map((source) => source.id)
}

export function sourcesContract(check: Check): void {
  check('a source is read back with every field as it was stored', async ({ store }) => {
    const full: Source = aSource('s1', {
      type: 'website',
      ...OTHER_SETTINGS,
      label: 'Grüße ☕',
      enabled: false,
      pollDelaySeconds: 0,
      feedUrl: 'https://a.example/feed',
      title: 'Its own title',
      siteUrl: 'https://a.example/',
      language: 'pt-BR',
      postCount: 3,
      lastPolled: NOW,
      lastSucceededAt: NOW - 1,
      lastSeenId: '2026-11-15T00:00:00Z',
      nextPollAt: NOW + 5,
      consecutiveFailures: 4,
      permanentRun: ['404', 'DNS'],
      lastFailureType: 'permanent',
      lastFailureReason: 'gone',
      disabledReason: 'Auto-disabled',
      validators: { etag: 'W/"a"', lastModified: 'Sun, 15 Nov 2026 12:00:00 GMT' },
      bodyHash: 'ff',
      freshUntil: NOW + 7,
      retryAt: NOW + 8,
      redirect: { url: 'https://b.example/', seen: 2 },
      hasCredentials: true,
      trusted: false,
      version: 7,
    })
    assert.equal(await store.addSource(full, [], null), 'added')
    assert.deepEqual(await store.getSource('s1'), full)
    await withSources(store, aSource('s2'))
    assert.deepEqual(await store.getSource('s2'), aSource('s2'))
    assert.equal(await store.getSource('s3'), null)
  })

  check('an id that no row can have is not found', async ({ store }) => {
    const id = 'a\0b'
    assert.deepEqual(
      [await store.getSource(id), await store.getUser(id), await store.getPodcast(id)],
      [null, null, null],
    )
    assert.equal(await store.hostState(id), null)
    assert.deepEqual((await store.listPolls(id, { limit: 10, cursor: null })).items, [])
  })

  check('a podcast has each URL once, and event and secret are stored only with the source', async ({ store }) => {
    const secret = { ...SECRET, ownerId: 's2' }
    assert.equal(await store.addSource(aSource('s1'), [anEvent({ type: 'source.created' })], SECRET), 'added')
    const twin = aSource('s2', { urlKey: aSource('s1').urlKey })
    assert.equal(await store.addSource(twin, [anEvent({ type: 'source.created' })], secret), 'exists')
    assert.equal(await store.getSource('s2'), null)
    assert.equal((await store.eventsAfter('0', 10)).length, 1)
    assert.equal(await store.getSecret('source', 's2', 'url'), null)
    assert.ok(await store.getSecret('source', 's1', 'url'))
    await store.addPodcast({
      id: 'p2',
      userId: 'default',
      name: '',
      topic: null,
      maxArticleAgeDays: null,
      createdAt: NOW,
    })
    assert.equal(await store.addSource({ ...twin, podcastId: 'p2' }, [], null), 'added')
  })

  check('a URL longer than an index entry is stored and compared to its end', async ({ store }) => {
    const url = `https://a.example/${'x'.repeat(9000)}`
    assert.equal(await store.addSource(aSource('s1', { url, urlKey: url }), [], null), 'added')
    assert.equal(await store.addSource(aSource('s2', { url, urlKey: url }), [], null), 'exists')
    assert.equal(await store.addSource(aSource('s3', { url: `${url}y`, urlKey: `${url}y` }), [], null), 'added')
  })

  check('a change is decided on the row as it is and writes only what it names', async ({ store }) => {
    await withSources(store, aSource('s1', { label: 'a', consecutiveFailures: 2 }))
    const changed = await store.changeSource('s1', (current) => ({
      set: { consecutiveFailures: current.consecutiveFailures + 1, enabled: false },
      events: [anEvent({ type: 'source.disabled' })],
    }))
    assert.deepEqual(changed, aSource('s1', { label: 'a', consecutiveFailures: 3, enabled: false }))
    assert.deepEqual(await store.getSource('s1'), changed)
    assert.equal((await store.eventsAfter('0', 10))[0]?.type, 'source.disabled')
    assert.deepEqual(await store.changeSource('s1', () => null), changed)
    assert.equal(await store.changeSource('nothing', () => assert.fail()), null)
  })

  check('changes of one source at the same time happen one after another', async ({ store, again }) => {
    await withSources(store, aSource('s1'))
    const stores = [store, await again()]
    const bump = (of: Store) =>
      of.changeSource('s1', (current) => ({
        set: { consecutiveFailures: current.consecutiveFailures + 1 },
        events: [],
      }))
    await Promise.all(Array.from({ length: 20 }, (_, n) => bump(stores[n % 2] ?? store)))
    assert.equal((await store.getSource('s1'))?.consecutiveFailures, 20)
  })

  check('a change to a URL that another source has is refused completely', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    const set = { url: 'x', urlKey: aSource('s1').urlKey, label: 'new' }
    assert.equal(await store.changeSource('s2', () => ({ set, events: [anEvent()] })), 'exists')
    assert.deepEqual(await store.getSource('s2'), aSource('s2'))
    assert.equal((await store.eventsAfter('0', 10)).length, 0)
  })

  check('a change that throws leaves everything as it was', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const refuse = () => {
      throw new Error('no')
    }
    await assert.rejects(store.changeSource('s1', refuse), /no/)
    assert.deepEqual(await store.getSource('s1'), aSource('s1'))
    await store.writeMeta('still', 'works')
  })

  check('stored URL credentials are kept, replaced or removed, as the change says', async ({ store }) => {
    await store.addSource(aSource('s1'), [], SECRET)
    await store.changeSource('s1', () => ({ set: { label: 'x' }, events: [] }))
    assert.ok(await store.getSecret('source', 's1', 'url'))
    await store.changeSource('s1', () => ({ set: {}, events: [], secret: { ...SECRET, sealed: 'y' } }))
    assert.equal((await store.getSecret('source', 's1', 'url'))?.sealed, 'y')
    await store.changeSource('s1', () => ({ set: {}, events: [], secret: null }))
    assert.equal(await store.getSecret('source', 's1', 'url'), null)
  })

  check('posts and articles move with their source to another podcast', async ({ store, db }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: [aCandidate(1)] })
    await poll(store, 's2', { posts: [aCandidate(2)] })
    await addArticles(db, [anArticle('s1', ['1'])])
    const moved = await store.changeSource('s1', () => ({ set: { podcastId: 'p2' }, events: [] }))
    assert.deepEqual(moved, await store.getSource('s1'))
    assert.equal((await store.getSource('s1'))?.userId, 'u2')
    assert.deepEqual(
      (await store.listPosts({ ...ALL, podcastId: 'p2' })).items.map((post) => post.id),
      ['1'],
    )
    assert.deepEqual(
      (await store.listPosts({ ...ALL, podcastId: 'default' })).items.map((post) => post.id),
      ['2'],
    )
    assert.equal((await store.listArticles({ ...ALL, podcastId: 'p2', processed: null })).items.length, 1)
  })

  check('the filter by health agrees with the rule for any source', async ({ store }) => {
    const states = fc.record({
      enabled: fc.boolean(),
      consecutiveFailures: fc.integer({ min: 0, max: 2 }),
      lastSucceededAt: fc.constantFrom(null, 0, NOW),
      quietSince: fc.constantFrom(null, 0, NOW),
    })
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(states, { minLength: 1, maxLength: 12 }), async (given) => {
        const podcastId = `p-${++runs}`
        await store.addPodcast({
          ...{ id: podcastId, userId: 'default', name: podcastId },
          ...{ topic: null, maxArticleAgeDays: null, createdAt: NOW },
        })
        const sources = given.map((state, n) => aSource(`s-${runs}-${n}`, { podcastId, createdAt: NOW + n, ...state }))
        await withSources(store, ...sources)
        for (const health of SOURCE_HEALTHS) {
          const expected = sources.filter((source) => healthOf(source) === health).map(({ id }) => id)
          assert.deepEqual(await ids(store, { podcastId, health }), expected, health)
        }
      }),
      { numRuns: 20 },
    )
  })

  check('sources are listed in order of creation, with filters', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await withSources(
      store,
      aSource('new', { createdAt: NOW + 1 }),
      aSource('ok', { createdAt: NOW + 2, lastSucceededAt: NOW, label: 'ÄRZTE und 100%' }),
      aSource('failing', { createdAt: NOW + 3, consecutiveFailures: 1, host: 'b.example' }),
      aSource('disabled', { createdAt: NOW, enabled: false, type: 'website' }),
      aSource('other', { createdAt: NOW + 4, podcastId: 'p2', lastSucceededAt: NOW }),
    )
    assert.deepEqual(await ids(store, {}), ['disabled', 'new', 'ok', 'failing', 'other'])
    assert.deepEqual(await ids(store, { podcastId: 'default', health: 'ok' }), ['ok'])
    assert.deepEqual(await ids(store, { health: 'failing' }), ['failing'])
    assert.deepEqual(await ids(store, { health: 'disabled' }), ['disabled'])
    assert.deepEqual(await ids(store, { health: 'new' }), ['new'])
    assert.deepEqual(await ids(store, { userId: 'u2' }), ['other'])
    assert.deepEqual(await ids(store, { host: 'b.example' }), ['failing'])
    assert.deepEqual(await ids(store, { type: 'website' }), ['disabled'])
    assert.deepEqual(await ids(store, { q: 'ärzte' }), ['ok'])
    assert.deepEqual(await ids(store, { q: '0%' }), ['ok'])
    assert.deepEqual(await ids(store, { q: 'A.EXAMPLE/new' }), ['new'])
    assert.deepEqual(await ids(store, { q: '_' }), [])
    assert.deepEqual(await ids(store, { url: aSource('new').url }), ['new'])
  })

  check('a filter finds its sources however many others are between them', async ({ store }) => {
    const sources = Array.from({ length: 2100 }, (_, n) => {
      return aSource(`s${String(n).padStart(4, '0')}`, n % 1050 === 7 ? { type: 'website' } : {})
    })
    await withSources(store, ...sources)
    const first = await store.listSources({ podcastId: 'default', type: 'website', limit: 1, cursor: null })
    assert.deepEqual(
      first.items.map((source) => source.id),
      ['s0007'],
    )
    const rest = await store.listSources({ podcastId: null, type: 'website', limit: 1, cursor: first.nextCursor })
    assert.deepEqual(
      rest.items.map((source) => source.id),
      ['s1057'],
    )
    assert.equal(rest.nextCursor, null)
  })

  check(
    'a change forgets entries of a source that were only older than its backfill, as far as it says',
    async ({ store }) => {
      await withSources(store, aSource('s1'), aSource('s2'))
      const skipped = (n: number, publishedAt: number) => ({ ...aCandidate(n, { publishedAt }), isBeforeCreated: true })
      const tombstones = [skipped(1, NOW - 10), skipped(2, NOW - 20), skipped(3, NOW - 21), aCandidate(4)]
      for (const id of ['s1', 's2']) await poll(store, id, { tombstones, posts: [aCandidate(5)] })
      const known = async (id: string) => {
        const hashes = [1, 2, 3, 4, 5].map((n) => `hash-${n}`)
        const entries = await store.knownEntries(id, { guids: [], hashes, urls: [] })
        return entries.map(({ contentHash }) => contentHash).toSorted()
      }
      await store.changeSource('s1', () => ({ set: { label: 'a' }, events: [] }))
      assert.equal((await known('s1')).length, 5)
      const set = { choosesAsFirst: true }
      await store.changeSource('s1', () => ({ set, events: [], forgetSkippedSince: NOW - 20 }))
      assert.deepEqual(await known('s1'), ['hash-3', 'hash-4', 'hash-5'])
      assert.equal((await known('s2')).length, 5)
      assert.equal((await store.getSource('s1'))?.choosesAsFirst, true)
    },
  )

  check('posts and articles are counted by source', async ({ store, db }) => {
    await withSources(store, aSource('s1'), aSource('s2'))
    await poll(store, 's1', { posts: [aCandidate(1), aCandidate(2)] })
    await addArticles(db, [anArticle('s1', ['1', '2'])])
    const counts = await store.countsOf(['s1', 's2'])
    assert.deepEqual(counts.get('s1'), { postCount: 2, articleCount: 1 })
    assert.deepEqual(counts.get('s2'), { postCount: 0, articleCount: 0 })
  })

  check('removing a source removes everything of it and nothing of others', async ({ store, db }) => {
    await store.addSource(aSource('s1'), [], SECRET)
    await withSources(store, aSource('s2'))
    const posts = Array.from({ length: 1500 }, (_, n) => aCandidate(n))
    await poll(store, 's1', { posts, tombstones: [aCandidate('old')] })
    await poll(store, 's2', { posts: [aCandidate('theirs')] })
    await addArticles(db, [anArticle('s1', ['1']), anArticle('s2', ['1501'])])
    assert.equal(await store.removeSource('s1'), true)
    assert.equal(await store.removeSource('s1'), false)
    const gone = async () => {
      assert.equal(await store.getSource('s1'), null)
      assert.equal(await store.getSecret('source', 's1', 'url'), null)
      assert.equal(await getPost(store, '1'), null)
      assert.deepEqual(
        (await store.listPosts({ ...ALL, podcastId: 'default' })).items.map((post) => post.id),
        ['1501'],
      )
      assert.equal((await postsAfter(store, 'default', '0', 10)).length, 1)
      assert.equal((await store.listArticles({ ...ALL, podcastId: 'default', processed: null })).items.length, 1)
      const { posts, articles, sources } = await store.totals({ userId: null, now: NOW })
      assert.deepEqual({ posts, articles, sources }, { posts: 1, articles: 1, sources: 1 })
    }
    await gone()
    const limits = { now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 1000 }
    while (!(await store.cleanUp(limits)).done) {
      // What the removal left behind.
    }
    await gone()
    await withSources(store, aSource('s1'))
    assert.equal((await store.knownEntries('s1', { guids: [], urls: [], hashes: ['hash-1', 'hash-old'] })).length, 0)
    assert.equal((await store.listPolls('s1', ALL)).items.length, 0)
  })

  check('removing a user or podcast removes its sources, tokens and keys', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    for (const id of ['p2', 'p3']) {
      await store.addPodcast({ id, userId: 'u2', name: id, topic: null, maxArticleAgeDays: null, createdAt: NOW })
    }
    await store.addSource(aSource('s1', { podcastId: 'p2' }), [], SECRET)
    await withSources(store, aSource('s2', { podcastId: 'p3' }), aSource('s3'))
    await poll(store, 's1', { posts: [aCandidate(1)] })
    await store.putKey({ ...SECRET, scope: 'key', ownerId: 'u2', name: 'x' })
    const token = { id: 't', userId: 'u2', name: '', admin: false, createdAt: NOW, expiresAt: null, lastUsedAt: null }
    await store.addToken(token, 'hash')
    assert.equal(await store.removePodcast('p3'), true)
    assert.equal(await store.removePodcast('p3'), false)
    assert.equal(await store.getSource('s2'), null)
    assert.ok(await store.getSource('s1'))
    assert.equal(await store.removeUser('u2'), true)
    assert.equal(await store.removeUser('u2'), false)
    assert.equal(await anySecret(store), null)
    assert.equal(await store.findToken('hash'), null)
    assert.deepEqual(await ids(store, {}), ['s3'])
    assert.equal((await store.totals({ userId: null, now: NOW })).posts, 0)
  })

  check('adding to a removed user or podcast is refused as not found', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const refusals = async (writes: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(writes)).map((one) => (one.status === 'rejected' ? told(one.reason) : 'done'))
    const told = ({ code, message }: { code: string; message: string }) => `${code}: ${message}`
    const move = store.changeSource('s1', () => ({ set: { podcastId: 'gone' }, events: [] }))
    assert.deepEqual(
      [...new Set(await refusals([move, ...forPodcast(store, 'gone')]))],
      ['not-found: There is no such podcast.'],
    )
    assert.deepEqual([...new Set(await refusals(forUser(store, 'gone')))], ['not-found: There is no such user.'])
    assert.equal((await store.getSource('s1'))?.podcastId, 'default')
    assert.equal(await anySecret(store), null)
  })

  check('what is added to a user during its removal is removed too, or refused', async ({ store, again }) => {
    const other = await again()
    for (let round = 0; round < 20; round++) {
      const [user, podcast] = [`u${round}`, `p${round}`]
      await store.addUser({ id: user, name: user, createdAt: NOW })
      await store.addPodcast({ ...aPodcast(podcast), userId: user })
      await withSources(store, aSource(`c-${podcast}`, { podcastId: podcast }))
      const secret = { ...SECRET, ownerId: `c-${podcast}` }
      const changed = other.changeSource(secret.ownerId, () => ({ set: {}, events: [], secret }))
      const added = Promise.allSettled([changed, ...forPodcast(other, podcast), ...forUser(other, user)])
      // A little later each time, so that removing meets every step of the adding.
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.equal(round % 2 === 0 || (await store.removePodcast(podcast)), true)
      assert.equal(await store.removeUser(user), true)
      const refused = (await added).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
      assert.deepEqual([...new Set(refused)], refused.length > 0 ? ['not-found'] : [])
      assert.equal(await anySecret(store), null)
    }
    assert.deepEqual(await ids(store, {}), [])
  })
}

const aPodcast = (id: string) => ({ id, name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })

function forUser(store: Store, userId: string): Promise<unknown>[] {
  const token = { id: `t-${userId}`, userId, name: '', admin: false, createdAt: NOW, expiresAt: null, lastUsedAt: null }
  const state = { trusted: true, failures: 0, disabledAt: null, disabledReason: null, createdAt: NOW }
  const webhook = {
    id: `w-${userId}`,
    userId,
    url: 'https://hook.example/',
    types: ['poll.finished'],
    kind: 'webhook',
    includePosts: false,
    ...state,
  } as const
  return [
    store.putKey({ ...SECRET, scope: 'key', ownerId: userId, name: 'x' }),
    store.addWebhook(webhook, { ...SECRET, scope: 'webhook', ownerId: webhook.id, name: 'signing' }),
    store.addPodcast({ ...aPodcast(`p-${userId}`), userId }),
    store.addToken(token, `hash-${userId}`),
  ]
}

function forPodcast(store: Store, podcastId: string): Promise<unknown>[] {
  const source = aSource(`s-${podcastId}`, { podcastId })
  return [
    store.addSource(source, [], { ...SECRET, ownerId: source.id }),
    store.putCursor(podcastId, { name: 'c', position: '0', at: NOW }),
  ]
}
