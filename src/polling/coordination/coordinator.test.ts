import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aSource, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { tempStore } from '../../../test/support/temp-store.ts'
import { LEASE_MS, RENEW_LEASE_MS } from '../../domain/host-lease.ts'
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import { silentLog } from '../../log.ts'
import type { Coordinator, HostPermit, NoPermit } from '../../ports/coordinator.ts'
import type { Store } from '../../ports/store.ts'
import { AloneCoordinator } from './alone.ts'
import { SharedCoordinator } from './shared.ts'

const LANE = 'a.example'

interface World {
  readonly clock: ManualClock
  readonly store: Store
  readonly source: Source
  process(id: string): Coordinator
  /** A visit that starts now and leaves the host alone for so long. */
  ask(coordinator: Coordinator, delayMs?: number): Promise<HostPermit | NoPermit>
}

async function withWorld(run: (world: World) => Promise<void>): Promise<void> {
  const clock = new ManualClock()
  const { store, ...temp } = await tempStore({ now: clock.now() })
  const source = aSource('s1', { lane: LANE, nextPollAt: clock.now(), lastPolled: clock.now() - MINUTE_MS })
  await withSources(store, source)
  const process = (processId: string) => new SharedCoordinator({ clock, log: silentLog, store, processId })
  const permits: HostPermit[] = []
  const ask: World['ask'] = async (coordinator, delayMs = 0) => {
    const startedAt = clock.now()
    const answer = await coordinator.mayVisit(LANE, { startedAt, notBefore: startedAt + delayMs }, null, null)
    if (typeof answer !== 'string') permits.push(answer)
    return answer
  }
  try {
    await run({ clock, store, source, process, ask })
  } finally {
    // A lease that is still renewed keeps the process alive.
    for (const permit of permits) permit.endRecorded()
    await temp.remove()
  }
}

function granted(answer: HostPermit | NoPermit): HostPermit {
  assert.ok(typeof answer !== 'string', `expected a permit, got ${String(answer)}`)
  return answer
}

describe('one process on the store', () => {
  test('ignores the lease of a process that crashed', () =>
    withWorld(async ({ store, process, ask }) => {
      granted(await ask(process('crashed'))).endRecorded()
      assert.equal((await store.hostState(LANE))?.leasedBy, 'crashed')
      granted(await ask(new AloneCoordinator(store)))
    }))

  test('writes spacing before the request, and none where there is none', () =>
    withWorld(async ({ clock, store, ask }) => {
      const alone = new AloneCoordinator(store)
      granted(await ask(alone))
      assert.equal(await store.hostState(LANE), null)
      granted(await ask(alone, 5000))
      assert.equal((await store.hostState(LANE))?.notBefore, clock.now() + 5000)
    }))
})

describe('several processes on one store', () => {
  test('a host is visited by one of them at a time, until the visit is over', () =>
    withWorld(async ({ clock, store, process, ask }) => {
      const [one, other] = [process('one'), process('other')]
      const permit = granted(await ask(one))
      assert.equal(await ask(other), 'host-taken')
      const host = await store.hostState(LANE)
      assert.equal(host && other.visitedElsewhereUntil(host), clock.now() + LEASE_MS)
      await permit.giveBack()
      granted(await ask(other)).endRecorded()
    }))

  test('a visit that lost its host to another process is told so before its next request', () =>
    withWorld(async ({ clock, process, ask }) => {
      const permit = granted(await ask(process('one')))
      await clock.advance(LEASE_MS)
      const other = granted(await ask(process('other')))
      const startedAt = clock.now()
      assert.equal(await permit.extend({ startedAt, notBefore: startedAt }), 'overtaken')
      permit.endRecorded()
      other.endRecorded()
    }))

  test('a process that was suspended while it got its lease does not ask if another has it by then', () =>
    withWorld(async ({ clock, store, ask, process }) => {
      const slow = new SharedCoordinator({
        ...{ clock, log: silentLog, processId: 'slow' },
        store: {
          ...store,
          async leaseHost(lane, request) {
            const isLeased = await store.leaseHost(lane, request)
            await clock.advance(Math.max(LEASE_MS, RENEW_LEASE_MS) + 1)
            granted(await ask(process('other'))).endRecorded()
            return isLeased
          },
        },
      })
      assert.equal(await ask(slow), 'overtaken')
      assert.equal((await store.hostState(LANE))?.leasedBy, 'other')
    }))

  test('a poll that another process made in the same instant is not made again', () =>
    withWorld(async ({ clock, store, source, process }) => {
      const at = clock.now()
      await store.releaseHost(LANE, { startedAt: at, notBefore: at }, null)
      const host = await store.hostState(LANE)
      assert.ok(host)
      const late = process('late')
      const coordinated = late.startPoll(source, 'tick', null)
      const visit = { startedAt: at, notBefore: at }
      granted(await late.mayVisit(LANE, visit, { host, at }, coordinated)).endRecorded()
      await store.releaseHost(LANE, visit, 'late')
      await poll(store, 's1', { effects: { source: { lastPolled: at, nextPollAt: at + MINUTE_MS } } })
      assert.equal(await late.mayVisit(LANE, visit, { host, at }, coordinated), 'not-needed')
      assert.deepEqual(await coordinated.meanwhile(), { kind: 'overtaken' })
      assert.equal((await store.hostState(LANE))?.leasedBy, null, 'and the host is given back')
    }))

  test('whoever asked for a poll gets the record that another process wrote since', () =>
    withWorld(async ({ store, source, process }) => {
      const one = process('one')
      const request = await one.requestOf(source)
      assert.equal(await one.polledSince(request, source), null)
      const written = await poll(store, 's1')
      assert.ok(written.kind === 'recorded')
      assert.equal((await one.polledSince(request, source))?.id, written.record.id)
      const meanwhile = await one.startPoll(source, 'manual', request).meanwhile()
      assert.ok(meanwhile?.kind === 'recorded' && meanwhile.record.id === written.record.id)
    }))
})

for (const name of ['alone', 'shared']) {
  test(`${name}: a source that was removed or changed is told as such`, () =>
    withWorld(async ({ store, source, process }) => {
      const coordinator = name === 'alone' ? new AloneCoordinator(store) : process('one')
      const coordinated = coordinator.startPoll(source, 'tick', null)
      assert.equal(await coordinated.meanwhile(), null)
      await store.changeSource('s1', ({ version }) => ({ set: { version: version + 1 }, events: [] }))
      assert.deepEqual(await coordinated.meanwhile(), { kind: 'source-changed' })
      await store.removeSource('s1')
      assert.deepEqual(await coordinated.meanwhile(), { kind: 'source-gone' })
    }))
}
