// What consumers and onlookers get: posts, articles, hosts, previews, events, status.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { CLOSED_BREAKER } from '../../domain/host.ts'
import { NOTHING_SKIPPED } from '../../domain/outcome.ts'

const PODCAST = '/api/users/default/podcasts/default'

describe('posts', () => {
  let api: TestApi
  let sourceId: string
  const titles = (told: { body: { items: { title: string }[] } }) => told.body.items.map((post) => post.title)

  before(async () => {
    api = await startApi()
    sourceId = (await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })).id
    for (const title of ['first', 'second', 'third']) {
      const publishedAt = title === 'second' ? null : api.clock.now()
      const said = { title, body: `body of ${title}`, url: `https://example.org/${title}`, publishedAt, author: null }
      const candidate = { ...said, guid: title, categories: ['news'], contentHash: title.padEnd(64, '0') }
      await api.store.addPosts(sourceId, 1, [candidate], api.clock.now())
      await api.clock.advance(60_000)
    }
  })
  after(() => api.close())

  it('come newest first, in the public shape', async () => {
    const told = await api.ask('GET', `${PODCAST}/posts`)
    assert.deepEqual(titles(told), ['third', 'second', 'first'])
    const { id, ...first } = told.body.items[2]
    assert.match(id, /^\d+$/)
    assert.deepEqual(first, {
      sourceId,
      ...{ title: 'first', body: 'body of first', url: 'https://example.org/first' },
      ...{ publishedAt: '2026-02-17T10:00:00.000Z', author: null, guid: 'first', categories: ['news'] },
      ...{ contentHash: 'first'.padEnd(64, '0'), createdAt: '2026-02-17T10:00:00.000Z' },
      ...{ sourceTitle: null, language: null, image: null, enclosures: [], commentsUrl: null, usagePreferences: null },
      ...{ fullText: null, fullTextState: 'none', fullTextReason: null },
    })
  })

  it('are filtered by time, source, text and whether an article has them', async () => {
    assert.deepEqual(titles(await api.ask('GET', `${PODCAST}/posts?q=second`)), ['second'])
    assert.deepEqual(titles(await api.ask('GET', `${PODCAST}/posts?since=2026-02-17T10:01:00Z`)), ['third', 'second'])
    assert.deepEqual(titles(await api.ask('GET', `${PODCAST}/posts?source=${sourceId}&limit=1`)), ['third'])
    assert.deepEqual(titles(await api.ask('GET', `${PODCAST}/posts?source=other`)), [])
    assert.deepEqual(titles(await api.ask('GET', `${PODCAST}/posts?unlinked=true`)), ['third', 'second', 'first'])
  })

  it('are followed by position, oldest first, each once', async () => {
    const seen: string[] = []
    let position = '0'
    for (;;) {
      const told = await api.ask('GET', `${PODCAST}/posts?after=${position}&limit=2`)
      assert.deepEqual(Object.keys(told.body), ['items', 'position'])
      seen.push(...titles(told))
      if (told.body.items.length === 0) {
        assert.equal(told.body.position, position)
        break
      }
      position = told.body.position
    }
    assert.deepEqual(seen, ['first', 'second', 'third'])
  })

  it('are followed by position with filters for source, time, text and articles', async () => {
    for (const [query, expected] of [
      [`source=${sourceId}&limit=2`, ['first', 'second']],
      ['source=other', []],
      ['since=2026-02-17T10:01:00Z', ['second', 'third']],
      ['unlinked=true', ['first', 'second', 'third']],
      ['q=second', ['second']],
      [`q=third&source=${sourceId}&unlinked=false`, ['third']],
    ] as const) {
      const told = await api.ask('GET', `${PODCAST}/posts?after=0&${query}`)
      assert.equal(told.status, 200, query)
      assert.deepEqual(Object.keys(told.body), ['items', 'position'])
      assert.deepEqual(titles(told), expected, query)
      const on = await api.ask('GET', `${PODCAST}/posts?after=${told.body.position}&${query}`)
      assert.deepEqual(titles(on), query.endsWith('limit=2') ? ['third'] : [], query)
    }
  })

  for (const [query, path] of [
    ['since=yesterday', 'since'],
    ['since=2026-02-30T00:00:00Z', 'since'],
    ['after=abc', 'after'],
    ['after=-1', 'after'],
    // Of a store that was restored from a backup: the numbers will be given out again.
    ['after=4', 'after'],
    ['after=4&q=first', 'after'],
    ['unlinked=perhaps', 'unlinked'],
    ['after=0&cursor=WzEsMV0', 'cursor'],
  ] as const) {
    it(`asked with ${query} name ${path} as wrong`, async () => {
      const told = await api.ask('GET', `${PODCAST}/posts?${query}`)
      assert.equal(told.status, 400)
      assert.deepEqual(
        told.body.errors.map((error: { path: string }) => error.path),
        [path],
      )
    })
  }

  it('articles are marked as processed: all of them or none', async () => {
    assert.deepEqual((await api.ask('GET', `${PODCAST}/articles?processed=false`)).body, {
      items: [],
      nextCursor: null,
    })
    const none = await api.ask('POST', `${PODCAST}/articles/processed`, { body: { ids: [] } })
    assert.deepEqual(none.body, { updated: 0 })
    const unknown = await api.ask('POST', `${PODCAST}/articles/processed`, { body: { ids: ['1'] } })
    assert.equal(unknown.status, 404)
    const bad = await api.ask('POST', `${PODCAST}/articles/unprocessed`, { body: { ids: 'all' } })
    assert.equal(bad.body.errors[0].path, 'ids')
  })
})

describe('hosts', () => {
  it('say why they wait; a reset closes the breaker and leaves a Retry-After', async () => {
    await using api = await startApi({ config: { source: { pollDelaySeconds: { rss: 4 } } } })
    await api.catalogue.sources.create('default', { type: 'rss', url: 'https://slow.example/feed' })
    const now = api.clock.now()
    const failures = [{ sourceId: 's', userId: 'default', at: now, name: '403' }]
    const breaker = {
      ...CLOSED_BREAKER,
      state: 'open',
      inARow: 1,
      since: now,
      probeAt: now + 3_600_000,
      failures,
    } as const
    const closed = { closedUntil: now + 60_000, closedReason: '429 with Retry-After', notBefore: now + 4000 }
    await api.store.changeHost('slow.example', () => ({ ...closed, breaker }))
    const told = await api.ask('GET', '/api/hosts/SLOW.example')
    assert.partialDeepStrictEqual(told.body, {
      ...{ host: 'slow.example', sources: 1, due: 0, delaySeconds: 4, delayFrom: 'type', lastRequestAt: null },
      ...{ notBefore: '2026-02-17T10:01:00.000Z', notBeforeReason: '429 with Retry-After' },
      breaker: { state: 'open', failures: 1, since: '2026-02-17T10:00:00.000Z', probeAt: '2026-02-17T11:00:00.000Z' },
      breakerWindow: [{ sourceId: 's', at: '2026-02-17T10:00:00.000Z', failure: '403' }],
      nextSlotAt: '2026-02-17T11:00:00.000Z',
      lastDay: { requests: 0, smallestGapMs: null },
    })
    const reset = await api.ask('POST', '/api/hosts/slow.example/reset')
    assert.deepEqual(reset.body.breaker, { state: 'closed', failures: 0, since: null, probeAt: null })
    assert.equal(reset.body.notBefore, told.body.notBefore)
    const events = (await api.store.eventsAfter('0', 10)).map((event) => [event.type, event.host])
    assert.deepEqual(events.at(-1), ['host.closed', 'slow.example'])
    assert.equal((await api.ask('GET', '/api/hosts/unknown.example')).status, 404)
    assert.equal((await api.ask('GET', '/api/hosts')).body.items.length, 1)
  })
})

describe('previews', () => {
  it('show what a poll would find, with instants as text', async () => {
    await using api = await startApi()
    const said = { title: 'T', body: 'B', url: 'https://example.org/1', publishedAt: api.clock.now(), author: null }
    const post = { ...said, guid: null, categories: [], contentHash: 'h' }
    api.engine.testFetch = async ({ url, basicAuth }) => {
      assert.equal(basicAuth, 'me:hush')
      const dropped = [{ title: 'Old', url: 'https://example.org/0', rule: 'tooOld' }]
      return { type: 'rss', url, feedUrl: null, title: 'Feed', posts: [post], dropped, feeds: [], notes: [] }
    }
    const told = await api.ask('POST', '/api/preview', { body: { url: 'https://me:hush@example.org/feed' } })
    assert.equal(told.status, 200)
    assert.equal(told.body.url, 'https://example.org/feed')
    assert.equal(told.body.posts[0].publishedAt, '2026-02-17T10:00:00.000Z')
    assert.deepEqual(told.body.dropped, [{ title: 'Old', url: 'https://example.org/0', rule: 'tooOld' }])
    assert.doesNotMatch(told.text, /hush/)
    assert.deepEqual((await api.catalogue.sources.list('default')).items, [])
    for (const [body, path] of [
      [{}, 'url'],
      [{ url: 'nonsense' }, 'url'],
      [{ url: 'https://a.example', type: 'x' }, 'type'],
    ] as const) {
      const bad = await api.ask('POST', '/api/preview', { body })
      assert.equal(bad.status, 400)
      assert.equal(bad.body.errors[0].path, path)
    }
  })
})

describe('live events', () => {
  function listen(api: TestApi, path: string, headers: Record<string, string> = {}) {
    const heard: string[] = []
    const waiting: (() => void)[] = []
    const sent = get(`${api.url}${path}`, { headers, agent: false }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        heard.push(...chunk.split('\n\n').filter((frame) => frame !== ''))
        for (const wake of waiting.splice(0)) wake()
      })
    })
    sent.on('error', () => {})
    const frames = async (count: number): Promise<string[]> => {
      while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return heard
    }
    return { frames, stop: () => sent.destroy() }
  }

  it('arrive as they are written, by type, and resume after the last one received', async () => {
    await using api = await startApi()
    const all = listen(api, '/api/events')
    await all.frames(1)
    const { id } = await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })
    const [hello, frame] = await all.frames(2)
    assert.equal(hello, ': listening')
    const [event, eventId, data] = frame?.split('\n') ?? []
    assert.equal(event, 'event: source.created')
    assert.deepEqual(JSON.parse(data?.slice(6) ?? ''), {
      ...{
        type: 'source.created',
        at: '2026-02-17T10:00:00.000Z',
        sourceId: id,
        podcastId: 'default',
        userId: 'default',
      },
      ...{ host: 'example.org', url: 'https://example.org/feed', label: null, sourceType: 'rss' },
    })
    all.stop()
    await api.catalogue.sources.update(id, { enabled: false })
    await api.catalogue.sources.update(id, { enabled: true })
    const resumed = listen(api, '/api/events?types=source.enabled', { 'last-event-id': eventId?.slice(4) ?? '' })
    assert.match((await resumed.frames(2))[1] ?? '', /^event: source\.enabled/)
    resumed.stop()
  })

  it('start now when Last-Event-ID is empty', async () => {
    await using api = await startApi()
    await api.catalogue.sources.create('default', { type: 'rss', url: 'https://before.example/' })
    const heard = listen(api, '/api/events', { 'last-event-id': '' })
    assert.deepEqual(await heard.frames(1), [': listening'])
    await api.catalogue.sources.create('default', { type: 'rss', url: 'https://after.example/' })
    assert.match((await heard.frames(2))[1] ?? '', /after\.example/)
    heard.stop()
  })

  it('of other users are not sent', async () => {
    await using api = await startApi({ config: { server: { auth: 'required' } } })
    const bob = await api.catalogue.users.create({ name: 'Bob' })
    const podcast = await api.catalogue.podcasts.create(bob.id, { name: 'His' })
    const { token } = await api.catalogue.tokens.create(bob.id, { name: 't' })
    const his = listen(api, '/api/events', { authorization: `Bearer ${token}`, 'last-event-id': '0' })
    await his.frames(1)
    await api.catalogue.sources.create('default', { type: 'rss', url: 'https://ann.example/' })
    await api.catalogue.sources.create(podcast.id, { type: 'rss', url: 'https://bob.example/' })
    assert.match((await his.frames(2))[1] ?? '', /bob\.example/)
    his.stop()
  })

  it('a HEAD request leaves no subscription behind', async () => {
    await using api = await startApi()
    const subscribed: (AbortSignal | undefined)[] = []
    const subscribe = api.events.subscribe.bind(api.events)
    api.events.subscribe = (subscription) => {
      subscribed.push(subscription?.signal)
      return subscribe(subscription)
    }
    assert.equal((await api.ask('HEAD', '/api/events')).status, 200)
    assert.deepEqual(
      subscribed.map((signal) => signal?.aborted),
      [true],
    )
  })

  it('with wrong parameters are 400', async () => {
    await using api = await startApi()
    const types = await api.ask('GET', '/api/events?types=poll.finished,poll.started')
    assert.deepEqual([types.status, types.body.errors[0].path], [400, 'types'])
    const last = await api.ask('GET', '/api/events', { headers: { 'last-event-id': 'x' } })
    assert.deepEqual([last.status, last.body.errors[0].path], [400, 'Last-Event-ID'])
  })

  it('end when the server closes', async () => {
    await using api = await startApi()
    const listener = listen(api, '/api/events')
    await listener.frames(1)
    await api.api.close()
    listener.stop()
  })
})

describe('status', () => {
  it('has totals, versions and the scheduler', async () => {
    await using api = await startApi()
    const { id } = await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })
    await api.store.recordPoll({
      ...{ sourceId: id, version: 1, posts: [], tombstones: [], carried: null, at: api.clock.now(), lane: null },
      decide: () => ({
        source: { consecutiveFailures: 1 },
        host: null,
        events: [],
        record: {
          ...{ sourceId: id, startedAt: api.clock.now(), durationMs: 1, trigger: 'tick', outcome: 'transient' },
          ...{
            httpStatus: 503,
            notModified: false,
            bytes: 0,
            found: 0,
            gap: false,
            created: 0,
            skipped: NOTHING_SKIPPED,
            reason: '503',
          },
        },
      }),
    })
    const { body } = await api.ask('GET', '/api/status')
    assert.equal(body.totals.sources, 1)
    assert.equal(body.totals.failing, 1)
    assert.equal(body.versions.tidings, '0.0.0-test')
    assert.equal(body.store.engine, 'sqlite')
    assert.equal(body.scheduler.running, false)
    assert.equal(body.outage, null)
  })
})
