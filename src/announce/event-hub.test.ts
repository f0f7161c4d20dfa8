import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, writeEvents } from '../../test/support/events.ts'
import { TEST_START } from '../../test/support/manual-clock.ts'
import { putSource } from '../../test/support/posts.ts'
import { tempStore } from '../../test/support/temp-store.ts'
import { until } from '../../test/support/until.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { Store } from '../ports/store.ts'
import { EventHub, type Subscription } from './event-hub.ts'

const DAY = 24 * 3_600_000

async function withHub(body: (hub: EventHub, store: Store) => Promise<void>): Promise<void> {
  await using temp = await tempStore({ now: TEST_START })
  const hub = new EventHub(temp.store)
  await body(hub, temp.store)
  hub.close()
}

/** The next so many events of a new listener. */
async function hear(hub: EventHub, count: number, subscription: Subscription): Promise<StoredEvent[]> {
  const ending = new AbortController()
  const heard: StoredEvent[] = []
  for await (const one of hub.subscribe({ ...subscription, signal: ending.signal })) {
    if (heard.push(one) === count) ending.abort()
  }
  return heard
}

test('a listener hears what was written after it came, in order', () =>
  withHub(async (hub, store) => {
    await writeEvents(store, [eventOf('source.created')])
    const rows = hub.subscribe()
    const first = rows.next()
    await writeEvents(store, [eventOf('poll.finished'), eventOf('posts.created')])
    assert.equal((await first).value?.type, 'poll.finished')
    assert.equal((await rows.next()).value?.type, 'posts.created')
  }))

test('a listener hears what was written while the store had not yet said where it begins', { timeout: 20_000 }, () =>
  withHub(async (_hub, store) => {
    await writeEvents(store, [eventOf('source.created')])
    const asked = Promise.withResolvers<void>()
    const hub = new EventHub({ ...store, lastEventId: () => asked.promise.then(() => store.lastEventId()) })
    const [rows, resumed] = [hub.subscribe(), hub.subscribe({ after: '1', onGap: () => assert.fail('no gap') })]
    await writeEvents(store, [eventOf('source.moved')])
    await writeEvents(store, [eventOf('source.enabled')])
    asked.resolve()
    for (const listener of [rows, resumed]) {
      assert.equal((await listener.next()).value?.type, 'source.moved')
      assert.equal((await listener.next()).value?.type, 'source.enabled')
    }
    hub.close()
  }),
)

test('a listener that resumes hears all after its event, of the types it asked for', () =>
  withHub(async (hub, store) => {
    await writeEvents(store, [eventOf('source.created'), eventOf('poll.finished'), eventOf('source.moved')])
    const gaps: unknown[] = []
    const heard = await hear(hub, 1, { after: '1', types: ['source.moved'], onGap: (...gap) => gaps.push(gap) })
    assert.deepEqual(
      heard.map(({ id, type }) => [id, type]),
      [['3', 'source.moved']],
    )
    assert.deepEqual(gaps, [])
  }))

test('a listener that resumes from before what is kept is told what it missed', () =>
  withHub(async (hub, store) => {
    await writeEvents(store, [eventOf('source.created'), eventOf('poll.finished'), eventOf('source.moved')])
    await writeEvents(store, [eventOf('source.enabled', { at: TEST_START + 8 * DAY })])
    const limits = { maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 }
    await store.cleanUp({ ...limits, now: TEST_START + 8 * DAY })
    const gaps: unknown[] = []
    const onGap = (...gap: unknown[]) => gaps.push(gap)
    assert.equal((await hear(hub, 1, { after: '1', onGap }))[0]?.id, '4')
    assert.deepEqual(gaps, [['1', '3']])

    await store.cleanUp({ ...limits, now: TEST_START + 30 * DAY })
    const later = hear(hub, 1, { after: '2', onGap })
    while (gaps.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await writeEvents(store, [eventOf('source.disabled')])
    assert.equal((await later)[0]?.type, 'source.disabled')
    assert.deepEqual(gaps[1], ['2', '4'])
  }))

test('a position that was never given out is a gap, and the listener starts from now', () =>
  withHub(async (hub, store) => {
    await writeEvents(store, [eventOf('source.created')])
    const gaps: unknown[] = []
    const later = hear(hub, 1, { after: '900', onGap: (...gap) => gaps.push(gap) })
    while (gaps.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await writeEvents(store, [eventOf('source.moved')])
    assert.equal((await later)[0]?.type, 'source.moved')
    assert.deepEqual(gaps, [['900', '1']])
  }))

test("a user hears of the own sources and their hosts, and of the system without other people's details", () =>
  withHub(async (hub, store) => {
    await store.addUser({ id: 'bob', name: 'Bob', createdAt: TEST_START })
    await putSource(store, { url: 'https://shared.example/feed' })
    const host = (name: string) =>
      eventOf('host.opened', { userId: null, host: name, data: { reason: '403', sources: 9 } })
    await writeEvents(store, [
      eventOf('poll.finished', { userId: 'bob' }),
      host('his.example'),
      host('shared.example'),
      eventOf('outage.started', { userId: null, data: { since: 'then', hosts: ['his.example'] } }),
      eventOf('posts.created'),
    ])
    const mine = await hear(hub, 3, { after: '0', userId: 'default' })
    assert.deepEqual(
      mine.map(({ type, host: on, data }) => [type, on, data]),
      [
        ['host.opened', 'shared.example', { reason: '403' }],
        ['outage.started', null, { since: 'then' }],
        ['posts.created', null, {}],
      ],
    )
    assert.equal((await hear(hub, 5, { after: '0', userId: null })).length, 5)
  }))

test('closing ends every listener', () =>
  withHub(async (hub) => {
    const listening = hear(hub, 1, {})
    hub.close()
    assert.deepEqual(await listening, [])
    assert.deepEqual(await hear(hub, 1, {}), [])
  }))

test('while the store does not answer a listener keeps its place, and misses nothing', () =>
  withHub(async (_hub, store) => {
    const warned: string[] = []
    let down = false
    const answering =
      <A extends unknown[], R>(verb: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        down ? Promise.reject(new Error('the connection was lost')) : verb(...args)
    const wakeUps: ((firstId: number) => void)[] = []
    const shaky = {
      onEventsWritten: (listener: (firstId: number) => void) => {
        wakeUps.push(listener)
        return store.onEventsWritten(listener)
      },
      eventsAfter: answering(store.eventsAfter),
      lastEventId: answering(store.lastEventId),
      lastRemovedEventId: answering(store.lastRemovedEventId),
      listenToPolls: answering(store.listenToPolls),
      hasSourceOn: answering(store.hasSourceOn),
    }
    const hub = new EventHub(shaky, { warn: (_facts, message) => warned.push(message) })
    const listeners = [hub.subscribe(), hub.subscribe({ userId: 'default' })]
    const heard = listeners.map((listener) => listener.next())
    await writeEvents(store, [eventOf('source.created')])
    for (const one of heard) assert.equal((await one).value?.id, '1')
    await putSource(store, { url: 'https://a.example/feed' })
    down = true
    const later = listeners.map((listener) => listener.next())
    await writeEvents(store, [eventOf('host.opened', { userId: null, host: 'a.example' })])
    for (let round = 0; round < 5; round++) {
      for (const wake of wakeUps) wake(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    down = false
    for (const wake of wakeUps) wake(1)
    for (const one of later) assert.equal((await one).value?.id, '2')
    assert.deepEqual(warned, ['[Events] the store does not answer: listeners wait'])
    hub.close()
  }))

test('listeners at the same place read the store together, and each hears everything', () =>
  withHub(async (_hub, store) => {
    await writeEvents(store, [eventOf('source.created'), eventOf('source.moved'), eventOf('posts.created')])
    const held = Promise.withResolvers<void>()
    let begun = 0
    let reads = 0
    const hub = new EventHub({
      ...store,
      lastEventId: () => store.lastEventId().finally(() => begun++),
      eventsAfter: async (...asked) => {
        reads++
        await held.promise
        return store.eventsAfter(...asked)
      },
    })
    const listeners = Array.from({ length: 50 }, () => hear(hub, 3, { after: '0' }))
    await until('all have begun', () => begun === 50)
    await until('one of them reads', () => reads > 0)
    held.resolve()
    for (const heard of await Promise.all(listeners))
      assert.deepEqual(
        heard.map(({ id }) => id),
        ['1', '2', '3'],
      )
    assert.ok(reads < 50, `${reads} reads`)
    hub.close()
  }))
