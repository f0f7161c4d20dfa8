// A lane that looks, leases its host and records a poll that found nothing. On PostgreSQL each of the three is one
// statement; whatever comes in between, the result is that of the rows as they are.
import assert from 'node:assert/strict'
import { LEASE_MS } from '../../src/domain/host-lease.ts'
import type { PollMoment, PollWrite } from '../../src/ports/polling-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { ALL, aCandidate, anEvent, aRecord, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

const LANE = 'a.example'
const END = NOW + 5
const VISIT = { startedAt: NOW, notBefore: NOW + 1000, lease: { by: 'us', until: NOW + LEASE_MS } }
const TALLY = { startedAt: NOW, completedAt: END, requests: 1, conditional: 1, notModified: 1 }

/** As a lane does before a scheduled poll. */
async function begin(store: Store, lane = LANE) {
  const { source } = await store.lookAtLane(lane, NOW, [])
  const host = await store.leaseHost(lane, VISIT)
  assert.ok(source && host)
  return { source, host }
}

type AsRead = NonNullable<PollWrite['asRead']>

function finish(store: Store, asRead: AsRead, given: Partial<PollWrite> = {}, seen: PollMoment[] = []) {
  const { id } = asRead.source
  return poll(store, id, {
    ...{ at: END, lane: asRead.source.lane, leasedBy: 'us', asRead },
    decide: (moment) => {
      seen.push(moment)
      return {
        source: { lastPolled: END, nextPollAt: END + 60_000, lastSucceededAt: END },
        host: { notBefore: END + 1000, lastSucceededAt: END, lastPollOk: true, lastCompletedAt: END },
        record: aRecord(id, { notModified: true, httpStatus: 304, startedAt: NOW, durationMs: 5 }),
        events: [anEvent({ sourceId: id })],
        visit: { ...TALLY, throttled: 0, failures: 0, bytes: 9, gapMs: 7 },
      }
    },
    ...given,
  })
}

/** All that a poll leaves, without ids and numbers that differ. */
async function leftBy(store: Store, id: string) {
  const source = await store.getSource(id)
  const host = await store.hostState(source?.lane ?? '')
  const listing = await store.hostListing(source?.lane ?? '', { userId: null, now: END })
  const polls = (await store.listPolls(id, ALL)).items
  return {
    source: { ...source, id: '', host: '', lane: '', url: '', urlKey: '' },
    host: { ...host, lane: '' },
    day: listing?.day,
    polls: polls.map((record) => ({ ...record, id: '', sourceId: '' })),
  }
}

export function unchangedPollContract(check: Check): void {
  check('a lane sees its host, its oldest due source and whether a page is due', async ({ store }) => {
    assert.deepEqual(await store.lookAtLane(LANE, NOW, []), { host: null, source: null, hasPages: false })
    const first = aSource('first', { nextPollAt: NOW - 2 })
    await withSources(
      store,
      aSource('second', { nextPollAt: NOW - 1 }),
      first,
      aSource('later', { nextPollAt: NOW + 1 }),
    )
    await store.changeHost(LANE, () => ({ closedUntil: NOW + 7, heldOwners: { ann: NOW } }))
    const host = await store.hostState(LANE)
    assert.deepEqual(await store.lookAtLane(LANE, NOW, []), { host, source: first, hasPages: false })
    assert.equal((await store.lookAtLane(LANE, NOW, ['first', 'x'])).source?.id, 'second')
    assert.equal((await store.lookAtLane(LANE, NOW - 3, [])).source, null)
  })

  check('a host is leased as it is returned', async ({ store }) => {
    const leased = await store.leaseHost(LANE, VISIT)
    assert.deepEqual(leased, await store.hostState(LANE))
    assert.equal(leased?.leasedBy, 'us')
  })

  check('a poll that found nothing leaves the same, whether its rows are read again or not', async ({ store }) => {
    await withSources(
      store,
      aSource('a', { nextPollAt: NOW }),
      aSource('b', { nextPollAt: NOW, host: 'b.example', lane: 'b.example' }),
    )
    const [a, b] = [await begin(store), await begin(store, 'b.example')]
    const one = await finish(store, a)
    // A copy is not what the store gave, so the rows are read again.
    const other = await finish(store, { ...b, host: { ...b.host } })
    assert.deepEqual([one.kind, other.kind], ['recorded', 'recorded'])
    assert.deepEqual(await leftBy(store, 'a'), await leftBy(store, 'b'))
    assert.equal((await store.hostState(LANE))?.leasedBy, null)
    const hours = await store.pollHours({ podcastId: 'default', userId: null, fromHour: 0 })
    assert.deepEqual(
      [...hours.values()].map(({ polls, notModified }) => [polls, notModified]),
      [[2, 2]],
    )
    assert.deepEqual(await store.eventsAfter('0', 9), [], 'nobody listens to it')
    for (const written of [one, other]) assert.ok(written.kind === 'recorded' && written.isLaneEmpty)
  })

  check('a lane with other work is never taken for empty', async ({ store }) => {
    const lanes = ['a.example', 'b.example']
    for (const lane of lanes) {
      const [due, other] = [`due at ${lane}`, `other at ${lane}`]
      await withSources(
        store,
        aSource(due, { nextPollAt: NOW - 1, host: lane, lane }),
        aSource(other, { nextPollAt: END, host: lane, lane }),
      )
    }
    const [a, b] = [await begin(store, lanes[0]), await begin(store, lanes[1])]
    // A copy is not what the store gave, so the rows are read again.
    for (const asRead of [a, { ...b, host: { ...b.host } }]) {
      const written = await finish(store, asRead)
      assert.ok(written.kind === 'recorded' && !written.isLaneEmpty)
    }
  })

  check('a lane is not empty after a poll that leaves its source due, or a page behind a post', async ({ store }) => {
    const lane = 'b.example'
    await withSources(store, aSource('a', { nextPollAt: NOW }), aSource('b', { nextPollAt: NOW, host: lane, lane }))
    const behind = { url: 'https://a.example/1', kind: 'page' } as const
    const post = aCandidate(1, { wantedText: { state: 'pending', reason: null, behind } })
    const withPage = await finish(store, await begin(store), { posts: [post] })
    assert.ok(withPage.kind === 'recorded' && !withPage.isLaneEmpty)
    const dueAgain = await finish(store, await begin(store, lane), {
      decide: () => ({
        source: { lastPolled: END, nextPollAt: END },
        host: null,
        record: aRecord('b', { startedAt: NOW }),
        events: [],
      }),
    })
    assert.ok(dueAgain.kind === 'recorded' && !dueAgain.isLaneEmpty)
  })

  check('what changed since a source and its host were read counts when the poll is recorded', async ({ store }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const asRead = await begin(store)
    await store.changeSource('a', () => ({ set: { label: 'by hand', pollIntervalMinutes: 7 }, events: [] }))
    await store.changeHost(LANE, () => ({ closedUntil: NOW + 9000, closedReason: 'asked for' }))
    const seen: PollMoment[] = []
    const written = await finish(store, asRead, {}, seen)
    assert.deepEqual([seen.at(-1)?.source.pollIntervalMinutes, seen.at(-1)?.host?.closedUntil], [7, NOW + 9000])
    assert.ok(written.kind === 'recorded' && written.source.label === 'by hand')
    assert.equal((await store.hostState(LANE))?.closedUntil, NOW + 9000)
    assert.equal((await store.listPolls('a', ALL)).items.length, 1)
  })

  check('a poll whose source or lease is gone writes nothing, however little it found', async ({ store }) => {
    const ids = ['moved', 'gone', 'lost', 'polled']
    await withSources(store, ...ids.map((id) => aSource(id, { nextPollAt: NOW, host: id, lane: id })))
    const asRead = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await begin(store, id)] as const)))
    await store.changeSource('moved', ({ version }) => ({ set: { version: version + 1 }, events: [] }))
    await store.removeSource('gone')
    await store.releaseHost('lost', VISIT, 'us')
    await poll(store, 'polled', { effects: { source: { lastPolled: NOW + 1 } } })
    const kinds = await Promise.all(
      ids.map(async (id) => (await finish(store, asRead[id] as AsRead, { lastPolled: null })).kind),
    )
    assert.deepEqual(kinds, ['source-changed', 'source-gone', 'overtaken', 'overtaken'])
    assert.equal((await store.hostState('moved'))?.lastCompletedAt, null)
    assert.equal((await store.listPolls('moved', ALL)).items.length, 0)
  })

  check('a poll that found nothing is an event for those who listen in another process', async ({ store, again }) => {
    await withSources(store, aSource('a', { nextPollAt: NOW }))
    const other = await again()
    const asRead = await begin(store)
    if (store.engine === 'sqlite') return
    const end = await other.listenToPolls()
    await finish(store, asRead)
    assert.deepEqual(
      (await store.eventsAfter('0', 9)).map(({ type }) => type),
      ['poll.finished'],
    )
    end()
  })
}
