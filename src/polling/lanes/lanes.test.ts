import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ManualClock, TEST_START } from '../../../test/support/manual-clock.ts'
import { type HostState, unknownHost } from '../../domain/host.ts'
import { CLAIM_MS, claimedByOther, LEASE_MS, leasedByOther } from '../../domain/host-lease.ts'
import { silentLog } from '../../log.ts'
import { Lanes } from './lanes.ts'
import type { Turn } from './turn.ts'

interface Visit {
  readonly lane: string
  readonly what: string
  readonly startedAt: number
  readonly endedAt: number
}

interface LaneWorldOptions {
  readonly slots?: number
  readonly delayMs?: number
  readonly visitMs?: number
  readonly isPaused?: () => boolean
  /** What happens between the reading of a host's row and its arrival. */
  readonly onRead?: () => Promise<void>
  /** Called before the next due source is read. */
  readonly onTake?: () => void
}

/** Lanes over a host table in memory, with visits that take time on the manual clock. */
function laneWorld(options: LaneWorldOptions = {}) {
  const { slots = 4, delayMs = 0, visitMs = 0, isPaused = () => false } = options
  const { onRead = async () => {}, onTake = () => {} } = options
  const clock = new ManualClock()
  const hosts = new Map<string, HostState>()
  const due = new Map<string, string[]>()
  const visits: Visit[] = []
  const wanted: string[] = []
  const visit = (what: string) => async (turn: Turn) => {
    const startedAt = clock.now()
    await clock.sleep(visitMs)
    visits.push({ lane: turn.lane, what, startedAt, endedAt: clock.now() })
    const host = hosts.get(turn.lane) ?? unknownHost(turn.lane)
    hosts.set(turn.lane, { ...host, lastRequestAt: startedAt, notBefore: clock.now() + delayMs })
  }
  const lanes = new Lanes({
    clock,
    log: silentLog,
    maxConcurrentHosts: slots,
    hostRequestsPerMinute: 60,
    look: async (lane) => {
      const host = hosts.get(lane) ?? null
      await onRead()
      return { host, source: null, hasPages: false }
    },
    hasScheduled: async (lane) => (due.get(lane) ?? []).length > 0,
    takeScheduled: async (lane) => {
      onTake()
      const next = due.get(lane)?.shift()
      return next === undefined ? null : visit(next)
    },
    scheduledAllowed: () => !isPaused(),
    coordinator: {
      visitedElsewhereUntil: (host) => leasedByOther(host, 'this process', clock.now()),
      isClaimedElsewhere: (host) => claimedByOther(host, 'this process', clock.now()),
      claimNextTurn: async (lane) => void wanted.push(lane),
    },
  })
  const close = (lane: string, until: number): void => {
    hosts.set(lane, { ...(hosts.get(lane) ?? unknownHost(lane)), closedUntil: until })
  }
  return {
    clock,
    lanes,
    due,
    visits,
    hosts,
    wanted,
    close,
    head: (lane: string, what: string) => lanes.enterAtHead(lane, { visitor: ANN, run: visit(what), fail: () => {} }),
  }
}

const ANN = { userId: 'ann', isLimited: false }

test('sources of one host are visited one after another, with the delay counted from the end of the visit before', async () => {
  const { clock, lanes, due, visits } = laneWorld({ delayMs: 3000, visitMs: 1000 })
  due.set('a', ['one', 'two', 'three'])
  lanes.wake('a')
  await clock.advance(20_000)
  assert.deepEqual(
    visits.map(({ what, startedAt }) => [what, startedAt - TEST_START]),
    [
      ['one', 0],
      ['two', 4000],
      ['three', 8000],
    ],
  )
})

test('hosts are visited side by side: one that hangs delays only itself', async () => {
  const { clock, lanes, due, visits, head } = laneWorld()
  lanes.enterAtHead('hanging', { visitor: ANN, run: () => new Promise(() => {}), fail: () => {} })
  due.set('b', ['one', 'two'])
  lanes.wake('b')
  head('c', 'three')
  await clock.advance(1)
  assert.deepEqual(visits.map(({ what }) => what).sort(), ['one', 'three', 'two'])
})

test('a lane at work is not started twice, however often it is woken', async () => {
  const { clock, lanes, due, visits } = laneWorld({ visitMs: 1000 })
  due.set('a', ['one', 'two'])
  for (let i = 0; i < 5; i++) lanes.wake('a')
  await clock.advance(500)
  for (let i = 0; i < 5; i++) lanes.wake('a')
  await clock.advance(5000)
  assert.deepEqual(
    visits.map(({ startedAt }) => startedAt - TEST_START),
    [0, 1000],
  )
})

test('a manual poll goes ahead of scheduled ones; after two in a row the lane takes one scheduled source', async () => {
  const { clock, lanes, due, visits, head } = laneWorld({ visitMs: 10, delayMs: 10 })
  due.set('a', ['s1', 's2', 's3'])
  lanes.wake('a')
  await clock.advance(1)
  for (const name of ['m1', 'm2', 'm3', 'm4', 'm5']) head('a', name)
  await clock.advance(1000)
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['s1', 'm1', 'm2', 's2', 'm3', 'm4', 's3', 'm5'],
  )
})

test('a closed lane holds nothing scheduled, and a manual poll waits for it to open', async () => {
  const { clock, lanes, due, visits, close, head } = laneWorld()
  due.set('a', ['s1'])
  close('a', TEST_START + 60_000)
  lanes.wake('a')
  await lanes.idle()
  assert.deepEqual(visits, [])
  head('a', 'm1')
  await clock.advance(59_000)
  assert.deepEqual(visits, [])
  await lanes.idle()
  await clock.advance(2000)
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['m1', 's1'],
  )
})

test('at most the configured number of visits run at once, and waiting for spacing holds no slot', async () => {
  const { clock, lanes, due, visits } = laneWorld({ slots: 2, visitMs: 1000, delayMs: 60_000 })
  for (const lane of ['a', 'b', 'c', 'd', 'e']) {
    due.set(lane, [`${lane}1`, `${lane}2`])
    lanes.wake(lane)
  }
  await clock.advance(10_000)
  const starts = visits.map(({ startedAt }) => startedAt - TEST_START).sort((x, y) => x - y)
  assert.deepEqual(starts, [0, 0, 1000, 1000, 2000])
})

test('a turn withdrawn while it waits is never taken', async () => {
  const { clock, lanes, due, visits, head } = laneWorld({ visitMs: 1000 })
  due.set('a', ['s1'])
  lanes.wake('a')
  await clock.advance(1)
  const withdraw = head('a', 'm1')
  assert.equal(withdraw(), true)
  await clock.advance(10_000)
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['s1'],
  )
  assert.equal(withdraw(), false)
})

test('an exception in one turn stops neither the rest of the lane nor another lane', async () => {
  const { clock, lanes, due, visits } = laneWorld()
  lanes.enterAtHead('a', { visitor: ANN, run: () => Promise.reject(new Error('a fault')), fail: () => {} })
  due.set('a', ['s1'])
  due.set('b', ['s2'])
  lanes.wake('a')
  lanes.wake('b')
  await clock.advance(1)
  assert.deepEqual(visits.map(({ what }) => what).sort(), ['s1', 's2'])
})

test('for any interleaving of wakes and manual polls, two visits to one host never come closer than its delay', async () => {
  const action = fc.record({
    lane: fc.constantFrom('a', 'b', 'c'),
    manual: fc.boolean(),
    pauseMs: fc.integer({ min: 0, max: 5000 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 25 }),
      fc.integer({ min: 0, max: 4000 }),
      async (actions, delayMs) => {
        const { clock, lanes, due, visits, head } = laneWorld({ slots: 2, visitMs: 700, delayMs })
        for (const [index, { lane, manual, pauseMs }] of actions.entries()) {
          if (manual) head(lane, `m${index}`)
          else {
            due.set(lane, [...(due.get(lane) ?? []), `s${index}`])
            lanes.wake(lane)
          }
          await clock.advance(pauseMs)
        }
        await clock.advance(10 * 60_000)
        assert.equal(visits.length, actions.length)
        for (const ofLane of Map.groupBy(visits, ({ lane }) => lane).values()) {
          for (const [index, visit] of ofLane.entries()) {
            const before = ofLane[index - 1]
            if (before) assert.ok(visit.startedAt - before.endedAt >= delayMs)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('while nothing scheduled may go out, people are served, and nobody waits out a spacing for due sources', async () => {
  let paused = true
  const { clock, lanes, due, visits, head } = laneWorld({ delayMs: 3000, isPaused: () => paused })
  due.set('a', ['one'])
  head('a', 'asked')
  lanes.wake('a')
  await clock.advance(1)
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['asked'],
  )
  assert.deepEqual(clock.pending, [])
  await lanes.idle()
  paused = false
  lanes.wake('a')
  await clock.advance(5000)
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['asked', 'one'],
  )
})

const elsewhere = (now: number) => ({ ...unknownHost('a'), leasedBy: 'other', leasedUntil: now + LEASE_MS })

test('what is due on a host that another process visits is left to that one', async () => {
  const { clock, lanes, due, visits, hosts } = laneWorld()
  hosts.set('a', elsewhere(clock.now()))
  due.set('a', ['due'])
  lanes.wake('a')
  await lanes.idle()
  assert.deepEqual([visits.length, due.get('a')], [0, ['due']])
  await clock.advance(LEASE_MS)
  lanes.wake('a')
  await lanes.idle()
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['due'],
  )
})

test('who waits at the head of a lane that another process visits says so, and comes as soon as that is done', async () => {
  const { clock, lanes, visits, hosts, wanted, head } = laneWorld()
  hosts.set('a', elsewhere(clock.now()))
  head('a', 'by hand')
  await clock.advance(3000)
  assert.deepEqual(visits, [])
  assert.deepEqual(new Set(wanted), new Set(['a']))
  hosts.set('a', unknownHost('a'))
  await clock.advance(1000)
  await lanes.idle()
  assert.deepEqual(
    visits.map(({ what, startedAt }) => [what, startedAt - TEST_START]),
    [['by hand', 4000]],
  )
})

test('what is only scheduled lets go a lane that somebody waits for in another process', async () => {
  const { clock, lanes, due, visits, hosts } = laneWorld()
  hosts.set('a', { ...unknownHost('a'), claimedBy: 'other', claimedUntil: clock.now() + CLAIM_MS })
  due.set('a', ['due'])
  lanes.wake('a')
  await lanes.idle()
  assert.equal(visits.length, 0)
  await clock.advance(CLAIM_MS)
  lanes.wake('a')
  await lanes.idle()
  assert.equal(visits.length, 1)
})

test('whoever waits in a lane that breaks is told, and the lane works again afterwards', async () => {
  const clock = new ManualClock()
  let isBroken = true
  const lanes = new Lanes({
    clock,
    log: silentLog,
    maxConcurrentHosts: 1,
    hostRequestsPerMinute: 60,
    look: async () => {
      if (isBroken) throw new Error('the store is away')
      return { host: null, source: null, hasPages: false }
    },
    hasScheduled: async () => false,
    takeScheduled: async () => null,
    scheduledAllowed: () => true,
    coordinator: { visitedElsewhereUntil: () => null, isClaimedElsewhere: () => false, claimNextTurn: async () => {} },
  })
  const enter = () =>
    new Promise<string>((resolve, reject) => {
      lanes.enterAtHead('a', { visitor: ANN, run: async () => resolve('went'), fail: reject })
    })
  await assert.rejects(Promise.all([enter(), enter()]), /the store is away/)
  await lanes.idle()
  isBroken = false
  assert.equal(await enter(), 'went')
})

for (const [what, closedMs] of [
  ['spacing', 0],
  ['closed lane', 3_600_000],
] as const) {
  test(`lanes that are stopped while they read what the store knows of a host wait for no ${what}`, async () => {
    const { clock, lanes, close, head } = laneWorld({ delayMs: 60_000, onRead: () => onRead() })
    let onRead = async (): Promise<void> => {}
    head('a', 'one')
    await clock.advance(0)
    if (closedMs > 0) close('a', clock.now() + closedMs)
    onRead = async () => lanes.stop()
    head('a', 'two')
    await clock.advance(0)
    assert.deepEqual(clock.pending, [])
    await lanes.idle()
  })
}

test('a turn that needs no request comes at once, also when the lane is just reading what it has to wait for', async () => {
  const { clock, lanes, visits, head } = laneWorld({ delayMs: 60_000, onRead: () => onRead() })
  let onRead = async (): Promise<void> => {}
  let isFree = false
  head('a', 'one')
  await clock.advance(0)
  onRead = async () => {
    onRead = async () => {}
    lanes.enterAtHead('a', {
      visitor: ANN,
      needsNoRequest: true,
      run: async (turn) => {
        isFree = turn.needsNoRequest
      },
      fail: () => {},
    })
  }
  head('a', 'two')
  await clock.advance(0)
  assert.deepEqual([isFree, visits.length], [true, 1])
  lanes.stop()
  await lanes.idle()
})

test('a store that fails while a lane looks for work costs no request slot', async () => {
  let failures = 3
  const onTake = (): void => {
    if (failures-- > 0) throw new Error('the store is away')
  }
  const { lanes, due, visits } = laneWorld({ slots: 1, onTake })
  due.set('a.example', ['one'])
  for (let tick = 0; tick < 4; tick++) {
    lanes.wake('a.example')
    await lanes.idle()
    assert.equal(lanes.requestSlots.taken, 0)
  }
  assert.deepEqual(
    visits.map(({ what }) => what),
    ['one'],
  )
})
