import assert from 'node:assert/strict'
import { CLOSED_BREAKER, unknownHost } from '../../src/domain/host.ts'
import { ALL, aSource, type Check, NOW, withSources } from './fixtures.ts'

export function pollingContract(check: Check): void {
  check('unplanned are enabled sources with neither plan nor poll', async ({ store }) => {
    await withSources(
      store,
      aSource('unplanned'),
      aSource('planned', { nextPollAt: NOW }),
      aSource('polled', { lastPolled: NOW }),
      aSource('disabled', { enabled: false }),
    )
    assert.deepEqual(
      (await store.unplannedSources(10)).map((source) => source.id),
      ['unplanned'],
    )
  })

  check('a plan is written with its jitter, and not to a source that is disabled by then', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { lastPolled: NOW - 9 }), aSource('s3', { enabled: false }))
    await store.planSources([
      { id: 's3', nextPollAt: NOW },
      { id: 's1', nextPollAt: NOW + 5, lastPolled: NOW - 5 },
      { id: 's2', nextPollAt: NOW + 6 },
      { id: 'gone', nextPollAt: NOW },
    ])
    assert.deepEqual(await store.getSource('s1'), aSource('s1', { nextPollAt: NOW + 5, lastPolled: NOW - 5 }))
    assert.deepEqual(await store.getSource('s2'), aSource('s2', { nextPollAt: NOW + 6, lastPolled: NOW - 9 }))
    assert.equal((await store.getSource('s3'))?.nextPollAt, null)
    await store.planSources([{ id: 's1', nextPollAt: null }])
    assert.equal((await store.getSource('s1'))?.nextPollAt, null)
    await store.planSources([])
  })

  check('a plan made from an older one is not written over what was planned since', async ({ store }) => {
    await withSources(store, aSource('s1', { nextPollAt: NOW - 2 }), aSource('s2', { nextPollAt: NOW + 7 }))
    const plans = ['s1', 's2'].map((id) => ({ id, nextPollAt: NOW + 5, was: NOW - 2 }))
    assert.equal(await store.planSources(plans), 1)
    assert.equal((await store.getSource('s1'))?.nextPollAt, NOW + 5)
    assert.equal((await store.getSource('s2'))?.nextPollAt, NOW + 7)
  })

  check('a first plan is drawn once: what another process has planned or polled since stays', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { nextPollAt: NOW + 7 }), aSource('s3', { lastPolled: NOW }))
    await store.planSources(
      ['s1', 's2', 's3'].map((id) => ({ id, nextPollAt: NOW + 5, lastPolled: NOW - 5 })),
      'unplanned',
    )
    const plans = await Promise.all(['s1', 's2', 's3'].map((id) => store.getSource(id)))
    assert.deepEqual(
      plans.map((source) => [source?.nextPollAt, source?.lastPolled]),
      [
        [NOW + 5, NOW - 5],
        [NOW + 7, null],
        [null, NOW],
      ],
    )
  })

  check('lanes with due sources come oldest due first, with how many are due', async ({ store }) => {
    await withSources(
      store,
      aSource('a1', { nextPollAt: NOW - 1 }),
      aSource('a2', { nextPollAt: NOW }),
      aSource('a3', { nextPollAt: NOW + 1 }),
      aSource('b1', { host: 'b.example', nextPollAt: NOW - 7 }),
      aSource('c1', { host: 'c.example', nextPollAt: NOW - 9, enabled: false }),
      aSource('d1', { host: 'd.example' }),
      aSource('n1', { host: null, lane: '', nextPollAt: NOW - 3 }),
    )
    assert.deepEqual(await store.dueLanes(NOW), [
      { lane: 'b.example', due: 1, oldestDueAt: NOW - 7 },
      { lane: '', due: 1, oldestDueAt: NOW - 3 },
      { lane: 'a.example', due: 2, oldestDueAt: NOW - 1 },
    ])
    assert.deepEqual(
      (await store.overdueSources(NOW, 2)).map((source) => source.id),
      ['b1', 'n1'],
    )
    assert.equal(await store.countOverdue(NOW), 4)
  })

  check('a lane hands out its oldest due source that is not held back', async ({ store }) => {
    await withSources(
      store,
      aSource('second', { nextPollAt: NOW - 1 }),
      aSource('first', { nextPollAt: NOW - 2 }),
      aSource('later', { nextPollAt: NOW + 1 }),
      aSource('other', { host: 'b.example', nextPollAt: NOW - 3 }),
    )
    assert.deepEqual(await store.nextDueOf('a.example', NOW, []), aSource('first', { nextPollAt: NOW - 2 }))
    assert.equal((await store.nextDueOf('a.example', NOW, ['first', 'x']))?.id, 'second')
    assert.equal(await store.nextDueOf('a.example', NOW, ['first', 'second']), null)
    assert.equal(await store.nextDueOf('c.example', NOW, []), null)
  })

  check('what is known of the documents of all sources is forgotten, and nothing else', async ({ store }) => {
    const validators = { etag: '"a"', lastModified: null }
    const read = aSource('read', { validators, bodyHash: 'x', lastSeenId: 'y' })
    await withSources(store, read, aSource('disabled', { enabled: false, validators }), aSource('new'))
    assert.equal(await store.forgetDocuments(), 2)
    const forgotten = { ...read, validators: { etag: null, lastModified: null }, bodyHash: null }
    assert.deepEqual(await store.getSource('read'), forgotten)
    assert.equal(await store.forgetDocuments(), 0)
  })

  check('very many due sources at one instant are all counted', async ({ store }) => {
    const sources = Array.from({ length: 2100 }, (_, n) => aSource(`s${n}`, { nextPollAt: NOW }))
    await withSources(store, ...sources)
    assert.deepEqual(await store.dueLanes(NOW), [{ lane: 'a.example', due: 2100, oldestDueAt: NOW }])
  })

  check('nothing is due in an empty store', async ({ store }) => {
    assert.deepEqual(await store.dueLanes(NOW), [])
    assert.equal(await store.countOverdue(NOW), 0)
  })

  check('a reservation keeps the later instant and notes the request', async ({ store }) => {
    assert.equal(await store.hostState('a.example'), null)
    await store.releaseHost('a.example', { startedAt: NOW, notBefore: NOW + 100 }, null)
    await store.releaseHost('a.example', { startedAt: NOW + 1, notBefore: NOW + 50 }, null)
    assert.deepEqual(await store.hostState('a.example'), {
      ...unknownHost('a.example'),
      lastRequestAt: NOW + 1,
      notBefore: NOW + 100,
    })
    await store.changeHost('b.example', () => ({ closedReason: 'x' }))
    await store.releaseHost('b.example', { startedAt: NOW, notBefore: NOW + 5 }, null)
    assert.equal((await store.hostState('b.example'))?.notBefore, NOW + 5)
  })

  check('a change of a host is decided on its state, known or not, with its events', async ({ store }) => {
    const breaker = {
      state: 'open' as const,
      inARow: 3,
      failures: [{ sourceId: 's1', userId: 'default', at: NOW, name: '403' }],
      since: NOW,
      probeAt: NOW + 3_600_000,
      waitMs: 3_600_000,
      probingSince: NOW + 1,
      probedBy: 's1',
    }
    const opened = await store.changeHost('a.example', (current) => {
      assert.deepEqual(current, unknownHost('a.example'))
      return { breaker, closedUntil: NOW + 9, closedReason: 'Retry-After', bareThrottles: 2 }
    })
    assert.deepEqual(await store.hostState('a.example'), opened)
    assert.deepEqual(opened.breaker, breaker)
    assert.deepEqual(await store.changeHost('a.example', () => null), opened)
    const later = await store.changeHost('a.example', (current) => ({ bareThrottles: current.bareThrottles + 1 }))
    assert.deepEqual(later, { ...opened, bareThrottles: 3 })
    assert.deepEqual(await store.hostState('a.example'), later)
  })

  check('hosts are listed with and without state, by what the asker owns', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await withSources(
      store,
      aSource('s1', { nextPollAt: NOW }),
      aSource('s2', { nextPollAt: NOW + 1 }),
      aSource('s3', { podcastId: 'p2', pollDelaySeconds: 7 }),
      aSource('s4', { podcastId: 'p2', host: 'c.example' }),
      aSource('s5', { host: null, lane: '' }),
    )
    await store.releaseHost('b.example', { startedAt: NOW, notBefore: NOW }, null)
    const scope = { userId: null, now: NOW }
    const first = await store.listHosts({ ...scope, limit: 2, cursor: null })
    assert.deepEqual(
      first.items.map((host) => host.state.lane),
      ['a.example', 'b.example'],
    )
    const rest = await store.listHosts({ ...scope, limit: 2, cursor: first.nextCursor })
    assert.deepEqual(
      rest.items.map((host) => host.state.lane),
      ['c.example'],
    )
    assert.equal(rest.nextCursor, null)
    const [a, b] = first.items
    assert.deepEqual([a?.sources, a?.due, a?.example?.host], [3, 1, 'a.example'])
    assert.deepEqual([b?.sources, b?.due, b?.example], [0, 0, null])
    const own = await store.listHosts({ userId: 'u2', now: NOW, ...ALL })
    assert.deepEqual(
      own.items.map((host) => [host.state.lane, host.sources]),
      [
        ['a.example', 1],
        ['c.example', 1],
      ],
    )
    assert.deepEqual((await store.hostListing('a.example', { userId: 'u2', now: NOW }))?.example, {
      userId: 'u2',
      type: 'rss',
      host: 'a.example',
      pollDelaySeconds: 7,
    })
    assert.equal(await store.hostListing('b.example', { userId: 'u2', now: NOW }), null)
    assert.equal((await store.hostListing('b.example', scope))?.state.notBefore, NOW)
    assert.equal(await store.hostListing('nowhere.example', scope), null)
    assert.equal(await store.hostListing('', scope), null)
  })

  check('hosts that are left alone are listed by themselves, by what the asker owns', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await withSources(store, aSource('s1'), aSource('s2', { host: 'c.example' }))
    const breaker = { ...CLOSED_BREAKER, state: 'open', inARow: 3, since: NOW, probeAt: NOW + 1 } as const
    await store.changeHost('a.example', () => ({ breaker }))
    await store.changeHost('b.example', () => ({ closedUntil: NOW + 1, closedReason: 'answered 429' }))
    await store.changeHost('c.example', () => ({ closedUntil: NOW, closedReason: 'answered 429' }))
    const waiting = async (userId: string | null) => {
      const { items } = await store.listHosts({ userId, now: NOW, waiting: true, ...ALL })
      return items.map((host) => host.state.lane)
    }
    assert.deepEqual(await waiting(null), ['a.example', 'b.example'])
    assert.deepEqual(await waiting('default'), ['a.example'])
    assert.deepEqual(await waiting('u2'), [])
  })

  check('totals count what the asker owns', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await withSources(
      store,
      aSource('s1', { nextPollAt: NOW }),
      aSource('s2', { consecutiveFailures: 1, host: 'b.example' }),
      aSource('s3', { enabled: false, consecutiveFailures: 5, podcastId: 'p2' }),
    )
    assert.deepEqual(await store.totals({ userId: null, now: NOW }), {
      users: 2,
      podcasts: 2,
      sources: 3,
      enabled: 2,
      failing: 1,
      quiet: 0,
      disabled: 1,
      due: 1,
      posts: 0,
      articles: 0,
      hosts: 2,
    })
    const own = await store.totals({ userId: 'u2', now: NOW })
    assert.deepEqual([own.sources, own.disabled, own.due, own.hosts, own.podcasts], [1, 1, 0, 1, 1])
  })
}
