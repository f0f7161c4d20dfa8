import assert from 'node:assert/strict'
import type { HostState } from '../../src/domain/host.ts'
import { CLOSED_BREAKER } from '../../src/domain/host.ts'
import { LEASE_MS } from '../../src/domain/host-lease.ts'
import type { VisitTally } from '../../src/domain/politeness.ts'
import type { Store } from '../../src/ports/store.ts'
import { dayOf } from '../support/read-store.ts'
import {
  aCandidate,
  anEvent,
  aSource,
  type Check,
  DAY_MS,
  NOW,
  poll,
  aRecord as record,
  withSources,
} from './fixtures.ts'

const HOUR_MS = 3_600_000
const OPEN = { ...CLOSED_BREAKER, state: 'open' as const, since: NOW, probeAt: NOW + HOUR_MS, waitMs: HOUR_MS }

const a = (given: Partial<VisitTally> = {}): VisitTally => ({
  ...{ requests: 1, conditional: 0, notModified: 0, throttled: 0, failures: 0, bytes: 10 },
  ...{ startedAt: NOW, completedAt: NOW + 100 },
  ...given,
})

async function withHosts(store: Store, hosts: Readonly<Record<string, Partial<HostState>>>): Promise<void> {
  for (const [lane, state] of Object.entries(hosts)) {
    await withSources(store, aSource(`of ${lane}`, { host: lane }))
    await store.changeHost(lane, () => state)
  }
}

export function hostHealthContract(check: Check): void {
  check('who failed for good in a lane is counted, and enabled again when it recovers', async ({ store }) => {
    const good = { lastSucceededAt: NOW - DAY_MS }
    const failed = { ...good, lastPermanentAt: NOW + 1 }
    const disabled = { ...failed, enabled: false, disabledReason: 'Auto-disabled', autoDisabledAt: NOW + 1 }
    await withSources(
      store,
      ...[aSource('s1', good), aSource('s2', failed), aSource('s3', disabled), aSource('s4', good)],
      aSource('s5', { ...disabled, autoDisabledAt: NOW - 1 }),
      aSource('s6', { ...failed, lastSucceededAt: NOW - 8 * DAY_MS }),
      aSource('s7', { ...disabled, disabledReason: null }),
    )
    await store.changeHost('a.example', () => ({ lastSucceededAt: NOW }))
    let storm: unknown
    const effects = { source: {}, host: null, record: record('s1'), events: [] }
    await poll(store, 's1', {
      ...{ at: NOW + 2, lane: 'a.example', countStorm: true },
      decide: (moment) => {
        storm = moment.storm
        return effects
      },
    })
    assert.deepEqual(storm, { worked: 4, failed: 3 })
    const recover = (all: readonly { id: string }[]) => all.map(({ id }) => ({ id, nextPollAt: NOW + 7 }))
    const closed = anEvent({ type: 'host.closed' })
    await store.recoverHost('a.example', () => ({ host: {}, recover, enableSince: NOW, events: [closed] }))
    const enabled = await Promise.all(['s3', 's5', 's7'].map(async (id) => (await store.getSource(id))?.enabled))
    assert.deepEqual(enabled, [true, false, false])
    assert.equal((await store.getSource('s3'))?.nextPollAt, NOW + 7)
    const told = (await store.eventsAfter('0', 100)).filter(({ type }) => type === 'source.enabled')
    assert.deepEqual(
      told.map(({ sourceId }) => sourceId),
      ['s3'],
    )
  })

  check('a breaker that is closed by hand enables what its host disabled, and plans nobody else', async ({ store }) => {
    const failing = { consecutiveFailures: 1, lastFailureType: 'permanent' as const, nextPollAt: NOW + 1 }
    const disabled = { ...failing, enabled: false, disabledReason: 'Auto-disabled', nextPollAt: null }
    await withSources(
      store,
      aSource('on', { lane: 'a.example', ...failing }),
      aSource('off', { lane: 'a.example', ...disabled, autoDisabledAt: NOW + 1 }),
      aSource('before', { lane: 'a.example', ...disabled, autoDisabledAt: NOW }),
      aSource('person', { lane: 'a.example', ...disabled, disabledReason: null, autoDisabledAt: NOW + 1 }),
    )
    const restore = (all: readonly { id: string }[]) => all.map(({ id }) => ({ id, nextPollAt: NOW + 7 }))
    const events = [anEvent({ type: 'host.closed' })]
    await store.recoverHost('a.example', () => ({ host: {}, recover: null, restore, enableSince: NOW, events }))
    const seen = await Promise.all(
      ['on', 'off', 'before', 'person'].map(async (id) => {
        const source = await store.getSource(id)
        return [id, source?.enabled, source?.nextPollAt, source?.consecutiveFailures, source?.disabledReason]
      }),
    )
    assert.deepEqual(seen, [
      ['on', true, NOW + 1, 1, null],
      ['off', true, NOW + 7, 0, null],
      ['before', false, null, 1, 'Auto-disabled'],
      ['person', false, null, 1, null],
    ])
  })

  check('of what people made due, a lane gives the enabled source that is due longest', async ({ store }) => {
    const due = { isMadeDue: true, nextPollAt: NOW }
    await withSources(
      store,
      ...[aSource('s1', due), aSource('s2', { ...due, nextPollAt: NOW - 1 }), aSource('s3', { nextPollAt: NOW - 2 })],
      aSource('s4', { ...due, enabled: false, nextPollAt: NOW - 3 }),
      aSource('s5', { ...due, host: 'b.example', nextPollAt: NOW + 1 }),
    )
    assert.equal(await store.nextMadeDue('a.example', NOW), 's2')
    assert.equal(await store.nextMadeDue('b.example', NOW), null)
    assert.equal(await store.nextMadeDue('b.example', NOW + 1), 's5')
  })

  check(
    'a recovered lane has a clean slate and new plans, disabled sources and others are left alone',
    async ({ store }) => {
      const failing = { consecutiveFailures: 3, permanentRun: ['403'], lastFailureType: 'permanent' as const }
      const reason = { lastFailureReason: 'answered 403', lastPolled: NOW - 5 }
      await withSources(
        store,
        aSource('s1', { ...failing, ...reason, nextPollAt: NOW + DAY_MS }),
        aSource('s2', { ...failing, ...reason, enabled: false }),
        aSource('s3', { ...failing, ...reason, host: 'b.example', nextPollAt: NOW }),
      )
      await store.changeHost('a.example', () => ({ breaker: OPEN }))
      assert.deepEqual(
        (await store.troubledHosts()).map(({ lane }) => lane),
        ['a.example'],
      )
      await store.recoverHost('a.example', (host, dependants) => {
        assert.deepEqual([host.breaker, dependants], [OPEN, { sources: 1, owners: 1 }])
        const recover = (sources: readonly { id: string }[]) => sources.map(({ id }) => ({ id, nextPollAt: NOW + 7 }))
        return { host: { breaker: CLOSED_BREAKER }, recover, events: [anEvent({ type: 'host.closed' })] }
      })
      const clean = aSource('s1', { lastPolled: NOW - 5, nextPollAt: NOW + 7 })
      assert.deepEqual(await store.getSource('s1'), clean)
      assert.equal((await store.getSource('s2'))?.consecutiveFailures, 3)
      assert.equal((await store.getSource('s3'))?.consecutiveFailures, 3)
      assert.deepEqual(await store.troubledHosts(), [])
      assert.deepEqual(
        (await store.eventsAfter('0', 10)).map(({ type }) => type),
        ['host.closed'],
      )
      await store.recoverHost('a.example', () => null)
    },
  )

  check(
    'a clock that is set back takes along what hosts wait for; those asked before it are left alone',
    async ({ store }) => {
      const waits = { notBefore: NOW + 3, closedUntil: NOW + 60, lastCompletedAt: NOW + 1, lastRequestAt: NOW }
      const breaker = { ...OPEN, state: 'half-open' as const, probingSince: NOW }
      await withHosts(store, {
        'ahead.example': { ...waits, breaker },
        'bare.example': { lastRequestAt: NOW },
        'past.example': { ...waits, lastRequestAt: NOW - DAY_MS, breaker: OPEN },
      })
      const past = await store.hostState('past.example')
      const now = NOW - HOUR_MS
      await store.setHostsBack(now)
      const { breaker: moved, ...ahead } = (await store.hostState('ahead.example')) as HostState
      assert.deepEqual(moved, { ...breaker, since: now, probeAt: now + HOUR_MS, probingSince: now })
      const { notBefore, closedUntil, lastCompletedAt, lastRequestAt } = ahead
      assert.deepEqual([notBefore, closedUntil, lastCompletedAt, lastRequestAt], [now + 3, now + 60, now + 1, now])
      const bare = await store.hostState('bare.example')
      assert.deepEqual([bare?.lastRequestAt, bare?.notBefore, bare?.closedUntil], [now, null, null])
      assert.deepEqual(await store.hostState('past.example'), past)
      await store.releaseHost('past.example', { startedAt: NOW - 2 * DAY_MS, notBefore: NOW - DAY_MS }, null)
      assert.equal((await store.hostState('past.example'))?.notBefore, NOW - DAY_MS)
    },
  )

  check('of several who take a host at once one gets it, and none before its spacing is over', async ({ store }) => {
    const visit = { startedAt: NOW, notBefore: NOW + 5000, lease: null }
    const told = await Promise.all([1, 2, 3].map(() => store.leaseHost('a.example', visit)))
    assert.deepEqual(told.map(Boolean).toSorted(), [false, false, true])
    const slow = { startedAt: NOW - 2, notBefore: NOW + 998, lease: null }
    assert.equal(await store.leaseHost('a.example', slow), null)
    assert.equal((await store.hostState('a.example'))?.lastRequestAt, NOW)
    assert.ok(await store.leaseHost('a.example', { startedAt: NOW + 5000, notBefore: NOW + 6000, lease: null }))
  })

  check('a reservation that only a clock set back can explain keeps nobody from taking the host', async ({ store }) => {
    await withHosts(store, {
      'asked.example': { notBefore: NOW + 5000, lastRequestAt: NOW },
      'far.example': { notBefore: NOW + 2 * HOUR_MS, lastRequestAt: NOW - DAY_MS },
    })
    const visit = { startedAt: NOW - 2000, notBefore: NOW - 1000, lease: null }
    for (const lane of ['asked.example', 'far.example']) assert.ok(await store.leaseHost(lane, visit), lane)
  })

  const leaseOf = (by: string, startedAt = NOW) => ({ by, until: startedAt + LEASE_MS })

  check(
    'who holds a host keeps others away, spacing or not, until it leaves or nothing is heard of it',
    async ({ store }) => {
      const visit = (by: string, startedAt = NOW) => ({
        startedAt,
        notBefore: startedAt,
        lease: leaseOf(by, startedAt),
      })
      assert.ok(await store.leaseHost('a.example', visit('one')))
      assert.equal(await store.leaseHost('a.example', visit('two')), null)
      assert.equal(await store.extendLease('a.example', visit('two'), leaseOf('two')), false)
      assert.equal(await store.extendLease('a.example', visit('one', NOW + 2), leaseOf('one', NOW + 2)), true)
      await store.releaseHost('a.example', visit('two'), 'two')
      assert.equal((await store.hostState('a.example'))?.leasedBy, 'one')
      await store.renewLeases(['a.example', 'b.example'], leaseOf('two', NOW + 5000))
      await store.renewLeases(['a.example'], leaseOf('one', NOW + 1000))
      assert.equal((await store.hostState('a.example'))?.leasedUntil, NOW + 1000 + LEASE_MS)
      await store.releaseHost('a.example', visit('one', NOW + 2), 'one')
      const left = await store.hostState('a.example')
      assert.deepEqual([left?.leasedBy, left?.leasedUntil, left?.lastRequestAt], [null, null, NOW + 2])
      assert.ok(await store.leaseHost('a.example', visit('one', NOW + 3)))
      assert.ok(await store.leaseHost('a.example', visit('two', NOW + 3 + LEASE_MS)))
      assert.equal(await store.extendLease('a.example', visit('one', NOW + 4), leaseOf('one')), false)
    },
  )

  check('whoever saw a host before another asked it gets it no more, at first sight or later', async ({ store }) => {
    const visit = { startedAt: NOW, notBefore: NOW, lease: leaseOf('one') }
    assert.ok(await store.leaseHost('a.example', { ...visit, lastRequestAt: null }))
    await store.releaseHost('a.example', visit, 'one')
    const later = { startedAt: NOW + 5, notBefore: NOW + 5, lease: leaseOf('two', NOW + 5) }
    for (const lastRequestAt of [null, NOW - 1]) {
      assert.equal(await store.leaseHost('a.example', { ...later, lastRequestAt }), null)
    }
    assert.ok(await store.leaseHost('a.example', { ...later, lastRequestAt: NOW }))
  })

  check('of a poll whose host another process took over nothing is written', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const visit = { startedAt: NOW, notBefore: NOW, lease: leaseOf('one') }
    await store.leaseHost('a.example', visit)
    const write = { lane: 'a.example', posts: [aCandidate(1)] }
    assert.deepEqual(await poll(store, 's1', { ...write, leasedBy: 'two' }), { kind: 'overtaken' })
    const ahead = [aCandidate(2)]
    assert.equal(await store.addPosts('s1', 1, ahead, NOW, { lane: 'a.example', leasedBy: 'two' }), 'overtaken')
    assert.equal((await store.totals({ userId: null, now: NOW })).posts, 0)
    assert.equal((await store.listPolls('s1', { limit: 9, cursor: null })).items.length, 0)
    assert.equal((await store.hostState('a.example'))?.leasedBy, 'one')
    assert.equal((await poll(store, 's1', { ...write, leasedBy: 'one' })).kind, 'recorded')
    const host = await store.hostState('a.example')
    assert.deepEqual([host?.leasedBy, host?.leasedUntil], [null, null])
    assert.deepEqual(await poll(store, 's1', { ...write, leasedBy: 'one' }), { kind: 'overtaken' })
  })

  check('who waits for a host says so in its row', async ({ store }) => {
    await withHosts(store, { 'a.example': { lastRequestAt: NOW } })
    await store.claimNextTurn('a.example', leaseOf('two'))
    await store.claimNextTurn('unknown.example', leaseOf('two'))
    const host = await store.hostState('a.example')
    assert.deepEqual([host?.claimedBy, host?.claimedUntil, host?.lastRequestAt], ['two', NOW + LEASE_MS, NOW])
    assert.equal(await store.hostState('unknown.example'), null)
  })

  check('clocks of two machines that differ a little do not make anybody ask a host sooner', async ({ store }) => {
    const waits = { notBefore: NOW + 30_000, lastRequestAt: NOW, lastCompletedAt: NOW }
    await withHosts(store, { 'a.example': waits })
    const before = await store.hostState('a.example')
    await store.setHostsBack(NOW - 1000)
    assert.deepEqual(await store.hostState('a.example'), before)
    await store.releaseHost('a.example', { startedAt: NOW - 1000, notBefore: NOW + 5000 }, null)
    assert.equal((await store.hostState('a.example'))?.notBefore, NOW + 30_000)
  })

  check('a poll that closes its breaker recovers the others of its lane in one transaction', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { consecutiveFailures: 2, nextPollAt: NOW + 9 }))
    await store.changeHost('a.example', () => ({ breaker: OPEN }))
    await poll(store, 's1', {
      lane: 'a.example',
      decide: ({ dependants, host }) => {
        assert.deepEqual([dependants, host?.breaker], [{ sources: 2, owners: 1 }, OPEN])
        return {
          source: { nextPollAt: NOW + 60_000 },
          host: { breaker: CLOSED_BREAKER, lastPollOk: true, lastCompletedAt: NOW },
          record: record('s1'),
          events: [],
          recover: (sources) => sources.map(({ id }) => ({ id, nextPollAt: NOW + 1 })),
          visit: { ...a(), gapMs: null },
        }
      },
    })
    assert.equal((await store.getSource('s1'))?.nextPollAt, NOW + 60_000)
    const other = await store.getSource('s2')
    assert.deepEqual([other?.nextPollAt, other?.consecutiveFailures], [NOW + 1, 0])
    const host = await store.hostState('a.example')
    assert.deepEqual([host?.lastPollOk, host?.lastCompletedAt, host?.breaker.state], [true, NOW, 'closed'])
    assert.equal((await dayOf(store, 'a.example', NOW))?.requests, 1)
  })

  check('who is in the lane is told when asked for or when the breaker is not closed', async ({ store }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await withSources(store, aSource('s1'), aSource('s2', { podcastId: 'p2' }))
    const seen: unknown[] = []
    const decide = ({ dependants }: { dependants: unknown }) => {
      seen.push(dependants)
      return { source: {}, host: {}, record: record('s1'), events: [] }
    }
    await poll(store, 's1', { lane: 'a.example', decide })
    await poll(store, 's1', { lane: 'a.example', countLane: true, decide })
    await poll(store, 's1', { lane: null, countLane: true, decide })
    assert.deepEqual(seen, [null, { sources: 2, owners: 2 }, null])
  })

  check('enabled sources take turns by name', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { enabled: false }), aSource('s3'))
    assert.deepEqual(await store.enabledRotation('a.example', null), ['s1'])
    assert.deepEqual(await store.enabledRotation('a.example', 's1'), ['s1', 's3'])
    assert.deepEqual(await store.enabledRotation('a.example', 's3'), ['s1'])
    assert.deepEqual(await store.enabledRotation('b.example', null), [])
  })

  check('without an enabled source, those auto-disabled since the host worked take turns', async ({ store }) => {
    const disabled = { enabled: false, disabledReason: 'Auto-disabled', autoDisabledAt: NOW + 1 }
    await withSources(
      store,
      aSource('s1', { ...disabled, autoDisabledAt: NOW - 1 }),
      aSource('s2', disabled),
      aSource('s3', { ...disabled, disabledReason: null }),
      aSource('s4', disabled),
      aSource('s5'),
    )
    await store.changeHost('a.example', () => ({ lastSucceededAt: NOW }))
    assert.deepEqual(await store.probeRotation('a.example', null), ['s5'])
    await store.removeSource('s5')
    assert.deepEqual(await store.probeRotation('a.example', null), ['s2'])
    assert.deepEqual(await store.probeRotation('a.example', 's2'), ['s2', 's4'])
    assert.deepEqual(await store.probeRotation('a.example', 's4'), ['s2'])
  })

  check(
    'sources that lead to a lane hang on it, too: in its dependants, in turns, and as long as there are any',
    async ({ store }) => {
      const led = { host: 'b.example', leadsTo: 'a.example' }
      await withSources(
        store,
        aSource('s1', led),
        aSource('s2', { ...led, enabled: false }),
        aSource('s3'),
        aSource('s4', led),
      )
      assert.deepEqual(await store.probeRotation('a.example', null), ['s1'])
      assert.deepEqual(await store.probeRotation('a.example', 's1'), ['s1', 's3'])
      assert.deepEqual(await store.probeRotation('a.example', 's3'), ['s1', 's4'])
      assert.deepEqual(await store.probeRotation('a.example', 's4'), ['s1'])
      assert.deepEqual(await store.enabledRotation('a.example', null), ['s3'])
      await store.recoverHost('a.example', (_host, dependants) => {
        assert.deepEqual(dependants, { sources: 3, owners: 1 })
        return null
      })
      for (const id of ['s1', 's3', 's4']) await store.removeSource(id)
      assert.deepEqual(await store.probeRotation('a.example', null), [])
      assert.equal(await store.hasSources('a.example'), true)
      await store.removeSource('s2')
      assert.equal(await store.hasSources('a.example'), false)
    },
  )

  check('sources that lead to a lane recover with it, or are only planned anew', async ({ store }) => {
    const failing = { consecutiveFailures: 3, lastPolled: NOW - 5, nextPollAt: NOW + DAY_MS }
    const led = { ...failing, host: 'b.example', leadsTo: 'a.example' }
    await withSources(store, aSource('s1', led), aSource('s2', failing), aSource('s3', { ...led, leadsTo: null }))
    const at = (nextPollAt: number) => (sources: readonly { id: string }[]) =>
      sources.map(({ id }) => ({ id, nextPollAt }))
    const told = async () => {
      const sources = await Promise.all(['s1', 's2', 's3'].map((id) => store.getSource(id)))
      return sources.map((source) => [source?.nextPollAt, source?.consecutiveFailures])
    }
    const untouched = [NOW + DAY_MS, 3]
    await store.recoverHost('a.example', () => ({ host: {}, recover: null, release: at(NOW + 1), events: [] }))
    assert.deepEqual(await told(), [[NOW + 1, 3], untouched, untouched])
    await store.recoverHost('a.example', () => ({ host: {}, recover: at(NOW + 2), events: [] }))
    assert.deepEqual(await told(), [[NOW + 2, 0], [NOW + 2, 0], untouched])
  })

  check('good hosts are counted with all X lanes as one, and only those that are polled', async ({ store }) => {
    await withHosts(store, {
      'a.example': { lastPollOk: true },
      'b.example': { lastPollOk: true },
      'c.example': { lastPollOk: false },
      'x:u1': { lastPollOk: true },
      'x:u2': { lastPollOk: true },
    })
    await store.changeHost('abandoned.example', () => ({ lastPollOk: true }))
    assert.equal(await store.countGoodHosts([]), 3)
    assert.equal(await store.countGoodHosts(['a.example', 'x']), 1)
  })

  check('probes go to hosts that worked lately and may be asked', async ({ store }) => {
    const good = { lastPollOk: true, lastSucceededAt: NOW - HOUR_MS }
    await withHosts(store, {
      'early.example': { ...good, lastSucceededAt: NOW - 2 * HOUR_MS },
      'late.example': good,
      'failed.example': { ...good, lastPollOk: false },
      'closed.example': { ...good, closedUntil: NOW + 1 },
      'spaced.example': { ...good, notBefore: NOW + 2 * 60_000 },
      'broken.example': { ...good, breaker: OPEN },
      'old.example': { ...good, lastSucceededAt: NOW - 2 * DAY_MS },
      'run.example': good,
      'x:u1': good,
      'x:u2': { ...good, lastSucceededAt: NOW - 2 * HOUR_MS },
    })
    const worked = { since: NOW - DAY_MS, now: NOW, except: ['run.example'], limit: 9 }
    assert.deepEqual(
      (await store.hostsThatWorked(worked)).map(({ lane }) => lane),
      ['late.example', 'early.example', 'failed.example', 'x:u1'],
    )
    const others = await store.hostsThatWorked({ ...worked, limit: 3 })
    assert.ok(!others.some(({ lane }) => lane === 'x:u1'), 'X is asked when there are not enough others')
    const inRun = await store.hostsThatWorked({ ...worked, except: ['run.example', 'x'] })
    assert.equal(inRun.length, 3)
    assert.equal((await store.hostsThatWorked({ ...worked, limit: 1 })).length, 1)
  })

  check(
    'in an outage all lanes that may be asked take turns, those with an open breaker last of all',
    async ({ store }) => {
      await withHosts(store, {
        'b.example': { lastPollOk: true },
        'c.example': { closedUntil: NOW + HOUR_MS },
        'd.example': { breaker: OPEN },
        'e.example': { notBefore: NOW + 2 * 60_000 },
        'x:u1': {},
        'x:u2': { lastPollOk: true },
      })
      await withSources(
        store,
        aSource('new', { host: 'a.example', lane: 'a.example' }),
        aSource('off', { host: 'aa.example', lane: 'aa.example', enabled: false }),
      )
      const turn = (after: string | null) => store.laneRotation({ now: NOW, after })
      assert.deepEqual(await turn(null), ['a.example'])
      assert.deepEqual(await turn('a.example'), ['a.example', 'b.example'])
      assert.deepEqual(await turn('b.example'), ['a.example', 'x:u1'])
      assert.deepEqual(await turn('x:u1'), ['a.example'], 'one X lane for all')
    },
  )

  check('in an outage a lane with an open breaker is asked when there is no other', async ({ store }) => {
    await withHosts(store, { 'c.example': { closedUntil: NOW + HOUR_MS }, 'd.example': { breaker: OPEN } })
    assert.deepEqual(await store.laneRotation({ now: NOW, after: null }), ['d.example'])
  })

  check('sources ahead in the lane are counted', async ({ store }) => {
    const s2 = aSource('s2', { nextPollAt: NOW })
    await withSources(
      store,
      aSource('s1', { nextPollAt: NOW }),
      s2,
      aSource('s3', { nextPollAt: NOW }),
      aSource('s0', { nextPollAt: NOW - 1 }),
      aSource('b1', { host: 'b.example', nextPollAt: NOW - 1 }),
    )
    assert.equal(await store.countDueAhead(s2, NOW, []), 2)
    assert.equal(await store.countDueAhead(s2, NOW, ['s0', 's3']), 1)
    assert.equal(await store.countDueAhead(aSource('s9', { nextPollAt: null }), NOW, []), 0)
    assert.equal(await store.countDueAhead(aSource('s9', { nextPollAt: NOW + 9 }), NOW, []), 4)
  })

  check('the ledger adds up visits of the last day with the smallest gap between them', async ({ store }) => {
    await store.noteVisit('a.example', a({ startedAt: NOW - 25 * HOUR_MS, completedAt: NOW - 25 * HOUR_MS }), false)
    await store.noteVisit('a.example', a({ startedAt: NOW - 2 * HOUR_MS, completedAt: NOW - HOUR_MS - 5000 }), false)
    await store.noteVisit('a.example', a({ conditional: 1, notModified: 1, startedAt: NOW - HOUR_MS }), false)
    await store.noteVisit('a.example', a({ throttled: 1, failures: 1, requests: 2, startedAt: NOW + 2100 }), false)
    // The clock was set back: no gap is known.
    await store.noteVisit('a.example', a({ startedAt: NOW - 500, completedAt: NOW - 400 }), false)
    assert.equal(await dayOf(store, 'b.example', NOW), null)
    assert.deepEqual(await dayOf(store, 'a.example', NOW), {
      ...{ requests: 5, conditional: 1, notModified: 1, throttled: 1, failures: 1, bytes: 40, smallestGapMs: 2000 },
    })
    assert.equal((await store.hostState('a.example'))?.lastCompletedAt, NOW - 400)
    const limits = { now: NOW + 50 * HOUR_MS, maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 }
    assert.equal((await store.cleanUp(limits)).done, true)
    assert.equal((await dayOf(store, 'a.example', NOW))?.requests, 0)
  })

  check('a summary counts hosts by state and sources by health', async ({ store }) => {
    await withHosts(store, {
      'a.example': { closedUntil: NOW + 1 },
      'b.example': { closedUntil: NOW, breaker: OPEN },
      'c.example': { breaker: { ...OPEN, state: 'half-open' } },
    })
    await withSources(store, aSource('s1', { nextPollAt: NOW }), aSource('s2', { enabled: false }))
    await withSources(store, aSource('s3', { consecutiveFailures: 1 }))
    assert.deepEqual(await store.summary(NOW), {
      hosts: { hosts: 3, closed: 1, open: 1, halfOpen: 1 },
      sources: { enabled: 5, disabled: 1, failing: 1, quiet: 0, due: 1 },
      backlog: { hosts: 1, lagMs: { '0.5': 0, '0.99': 0 } },
    })
    assert.deepEqual((await store.summary(NOW + 9000)).backlog, { hosts: 1, lagMs: { '0.5': 9000, '0.99': 9000 } })
  })

  check('the size of the newest body that was read is remembered', async ({ store }) => {
    await withSources(store, aSource('s1'))
    assert.equal(await store.lastBodyBytes('s1'), null)
    await poll(store, 's1', { effects: { record: record('s1', { bytes: 500 }) } })
    await poll(store, 's1', { effects: { record: record('s1', { bytes: 0, notModified: true }) } })
    await poll(store, 's1', { effects: { record: record('s1', { bytes: 9, outcome: 'transient' }) } })
    assert.equal(await store.lastBodyBytes('s1'), 500)
  })
}
