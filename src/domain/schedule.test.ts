import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  effectiveIntervalMinutes,
  HOUR_MS,
  isGap,
  jitteredLastPolled,
  MINUTE_MS,
  ownPlans,
  type Plannable,
  planNextPoll,
  planWithReason,
  SPREAD_FROM_SOURCES,
  spreadPlan,
} from './schedule.ts'
import { NEVER_POLLED } from './source.ts'
import { defaultSettings } from './source-settings.ts'

const LIMITS = { maxBackoffHours: 24 }
const NOW = Date.parse('2026-02-17T10:00:00Z')

function source(over: Partial<Plannable> = {}): Plannable {
  return {
    enabled: true,
    ...defaultSettings({ pollIntervalMinutes: 60 }),
    ...NEVER_POLLED,
    lastPolled: NOW,
    ...over,
  }
}

const waitMinutes = (over: Partial<Plannable>, limits = LIMITS): number =>
  ((planNextPoll(source(over), limits, NOW) ?? Number.NaN) - NOW) / MINUTE_MS

test('a source without failures is polled 60 minutes after lastPolled', () => {
  assert.equal(waitMinutes({}), 60)
  assert.equal(planWithReason(source(), LIMITS, NOW)?.reason, 'interval')
})

for (const [failures, minutes] of [
  [1, 120],
  [2, 240],
  [3, 480],
  [4, 960],
  [5, 1440],
  [6, 1440],
] as const) {
  test(`a source with ${failures} failures and an interval of 60 minutes waits ${minutes} minutes`, () => {
    assert.equal(waitMinutes({ consecutiveFailures: failures }), minutes)
    assert.equal(effectiveIntervalMinutes(source({ consecutiveFailures: failures }), LIMITS), minutes)
    assert.equal(planWithReason(source({ consecutiveFailures: failures }), LIMITS, NOW)?.reason, 'backoff')
  })
}

test('with max-backoff-hours 6, ten failures wait 360 minutes, not 24 hours', () => {
  assert.equal(waitMinutes({ consecutiveFailures: 10 }, { maxBackoffHours: 6 }), 360)
})

test("a source's own maxBackoffHours comes before the configured one", () => {
  assert.equal(waitMinutes({ consecutiveFailures: 10, maxBackoffHours: 3 }), 180)
  assert.equal(waitMinutes({ consecutiveFailures: 10, maxBackoffHours: 48 }), 2880)
})

test('the cap never makes a failing source poll more often than its interval', () => {
  assert.equal(waitMinutes({ consecutiveFailures: 3, pollIntervalMinutes: 10_080 }), 10_080)
})

test('a disabled source has no plan, nor has one that was never polled nor jittered', () => {
  assert.equal(planNextPoll(source({ enabled: false }), LIMITS, NOW), null)
  assert.equal(planNextPoll(source({ lastPolled: null }), LIMITS, NOW), null)
})

test('a stated freshness puts the next poll off, at most to the cap', () => {
  const fresh = planWithReason(source({ freshUntil: NOW + 3 * HOUR_MS }), LIMITS, NOW)
  assert.deepEqual(fresh, { at: NOW + 3 * HOUR_MS, reason: 'freshness' })
  assert.equal(waitMinutes({ freshUntil: NOW + 900 * HOUR_MS }), 1440)
})

test('a freshness that ends before the interval changes nothing', () => {
  assert.deepEqual(planWithReason(source({ freshUntil: NOW + MINUTE_MS }), LIMITS, NOW), {
    at: NOW + HOUR_MS,
    reason: 'interval',
  })
})

test('a source that does not honour freshness keeps its interval', () => {
  assert.equal(waitMinutes({ freshUntil: NOW + 3 * HOUR_MS, honourFreshness: false }), 60)
})

test("a source's own Retry-After puts the next poll off, at most to the cap, also without freshness", () => {
  const asked = source({ retryAt: NOW + 5 * HOUR_MS, consecutiveFailures: 1, honourFreshness: false })
  assert.deepEqual(planWithReason(asked, LIMITS, NOW), { at: NOW + 5 * HOUR_MS, reason: 'retry-after' })
  assert.equal(waitMinutes({ retryAt: NOW + 99 * HOUR_MS, consecutiveFailures: 1 }), 1440)
})

test('the effective interval knows nothing of freshness and Retry-After', () => {
  const asked = source({ retryAt: NOW + 5 * HOUR_MS, freshUntil: NOW + 7 * HOUR_MS })
  assert.equal(effectiveIntervalMinutes(asked, LIMITS), 60)
})

test('a lastPolled in the future, after the clock was set back, is read as now', () => {
  assert.equal(waitMinutes({ lastPolled: NOW + 30 * 24 * HOUR_MS }), 60)
  assert.equal(waitMinutes({ lastPolled: NOW + 30 * 24 * HOUR_MS, consecutiveFailures: 2 }), 240)
})

test('jitter asks for one random number and puts the first poll within the first interval', () => {
  for (const [drawn, minutes] of [
    [0, 60],
    [0.25, 45],
    [0.5, 30],
    [0.999999999, 0],
  ] as const) {
    let calls = 0
    const random = (): number => {
      calls += 1
      return drawn
    }
    const lastPolled = jitteredLastPolled(source(), NOW, random)
    assert.equal(calls, 1)
    assert.equal(Math.round(waitMinutes({ lastPolled })), minutes)
  }
})

test('a gap is more than 10 minutes without a tick; the first tick ever and a clock set back are none', () => {
  assert.equal(isGap(NOW - 10 * MINUTE_MS, NOW, MINUTE_MS), false)
  assert.equal(isGap(NOW - 10 * MINUTE_MS - 1, NOW, MINUTE_MS), true)
  assert.equal(isGap(null, NOW, MINUTE_MS), false)
  assert.equal(isGap(NOW + HOUR_MS, NOW, MINUTE_MS), false)
})

test('with rare ticks the next regular one ends no gap, and a missed one leaves one', () => {
  for (const tickMs of [10 * MINUTE_MS, HOUR_MS]) {
    // A tick's own work comes on top of the pause.
    assert.equal(isGap(NOW - tickMs - 30_000, NOW, tickMs), false)
    assert.equal(isGap(NOW - 1.9 * tickMs, NOW, tickMs), true)
  }
})

test('what is overdue is spread when it is more than 50 sources', () => {
  assert.equal(SPREAD_FROM_SOURCES, 51)
})

test('overdue sources are spread over half an hour, or over their interval when that is shorter', () => {
  const plans = (pollIntervalMinutes: number): number[] =>
    [0, 25, 50, 75, 99].map((index) => (spreadPlan(source({ pollIntervalMinutes }), index, 100, NOW) - NOW) / MINUTE_MS)
  assert.deepEqual(plans(60), [0, 7.5, 15, 22.5, 29.7])
  assert.deepEqual(plans(10), [0, 2.5, 5, 7.5, 9.9])
})

test('where asked to, sources are spread over their whole interval', () => {
  assert.equal(spreadPlan(source({ pollIntervalMinutes: 600 }), 1, 2, NOW, Number.POSITIVE_INFINITY), NOW + 5 * HOUR_MS)
})

const intervals = fc.integer({ min: 1, max: 10_080 })
const caps = fc.integer({ min: 1, max: 720 })
const failures = fc.oneof(fc.nat(20), fc.constantFrom(52, 53, 62, 63, 64, 1000, 1023, 1024, 2 ** 31, 2 ** 53))
const instants = fc.integer({ min: 0, max: 4 * 10 ** 12 })

test('for any number of failures the effective interval is neither below the interval nor above max(interval, cap)', () => {
  fc.assert(
    fc.property(intervals, caps, fc.option(caps), failures, (interval, cap, own, consecutiveFailures) => {
      const failing = source({ pollIntervalMinutes: interval, maxBackoffHours: own, consecutiveFailures })
      const effective = effectiveIntervalMinutes(failing, { maxBackoffHours: cap })
      assert.ok(effective >= interval)
      assert.ok(effective <= Math.max(interval, (own ?? cap) * 60))
      if (consecutiveFailures === 0) assert.equal(effective, interval)
    }),
  )
})

test('the effective interval never shrinks with one failure more, and equals the formula in exact arithmetic', () => {
  fc.assert(
    fc.property(intervals, caps, fc.nat(1100), (interval, cap, count) => {
      const limits = { maxBackoffHours: cap }
      const at = (n: number): number =>
        effectiveIntervalMinutes(source({ pollIntervalMinutes: interval, consecutiveFailures: n }), limits)
      assert.ok(at(count + 1) >= at(count))
      const backedOff = BigInt(interval) * 2n ** BigInt(count)
      const capped = backedOff < BigInt(cap * 60) ? Number(backedOff) : cap * 60
      assert.equal(at(count), count === 0 ? interval : Math.max(interval, capped))
    }),
  )
})

const plannables: fc.Arbitrary<Plannable> = fc.record({
  enabled: fc.constant(true),
  pollIntervalMinutes: intervals,
  adaptive: fc.constant(false),
  learnedIntervalMinutes: fc.option(intervals),
  maxBackoffHours: fc.option(caps),
  consecutiveFailures: failures,
  lastPolled: instants,
  freshUntil: fc.option(instants),
  retryAt: fc.option(instants),
  honourFreshness: fc.boolean(),
})

test('no plan is before lastPolled + interval, nor later than max(interval, cap) from now', () => {
  fc.assert(
    fc.property(plannables, caps, instants, (planned, cap, now) => {
      const at = planNextPoll(planned, { maxBackoffHours: cap }, now)
      assert.ok(at !== null && Number.isSafeInteger(at))
      const lastPolled = Math.min(planned.lastPolled ?? Number.NaN, now)
      const intervalMs = planned.pollIntervalMinutes * MINUTE_MS
      assert.ok(at >= lastPolled + intervalMs)
      const capMs = (planned.maxBackoffHours ?? cap) * HOUR_MS
      assert.ok(at <= lastPolled + Math.max(intervalMs, capMs))
      assert.ok(at <= now + Math.max(intervalMs, capMs))
    }),
  )
})

test('a plan made earlier is the plan made later: time alone does not move it', () => {
  fc.assert(
    fc.property(plannables, caps, fc.nat(10 ** 9), fc.nat(10 ** 9), (planned, cap, before, after) => {
      const start = (planned.lastPolled ?? 0) + before
      const limits = { maxBackoffHours: cap }
      assert.equal(planNextPoll(planned, limits, start), planNextPoll(planned, limits, start + after))
    }),
  )
})

test('a jittered source is due within one interval and never before now', () => {
  fc.assert(
    fc.property(
      intervals,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      instants,
      (interval, r, now) => {
        const jittered = source({ pollIntervalMinutes: interval })
        const lastPolled = jitteredLastPolled(jittered, now, () => r)
        const at = planNextPoll({ ...jittered, lastPolled }, LIMITS, now)
        assert.ok(at !== null && at > now && at <= now + interval * MINUTE_MS)
      },
    ),
  )
})

test('spread plans keep their order and stay inside the window', () => {
  fc.assert(
    fc.property(intervals, fc.integer({ min: 1, max: 20_000 }), fc.nat(), (pollIntervalMinutes, count, seed) => {
      const index = seed % count
      const at = spreadPlan(source({ pollIntervalMinutes }), index, count, NOW)
      assert.ok(at >= NOW && at < NOW + Math.min(pollIntervalMinutes, 30) * MINUTE_MS)
      assert.ok(spreadPlan(source({ pollIntervalMinutes }), index + 1, count, NOW) >= at)
    }),
  )
})

test('a source that was put off because of a host has its own plan again, and never a later one than it has', () => {
  const each = { ...source({ lastPolled: NOW - HOUR_MS }), id: 's1' }
  const plan = (nextPollAt: number, over: Partial<Plannable> = {}) =>
    ownPlans([{ ...each, ...over, nextPollAt }], LIMITS, NOW)[0]?.nextPollAt
  assert.equal(plan(NOW + 10 * HOUR_MS), NOW)
  assert.equal(plan(NOW + 10 * HOUR_MS, { consecutiveFailures: 1 }), NOW + HOUR_MS)
  assert.equal(plan(NOW + 10 * HOUR_MS, { retryAt: NOW + 2 * HOUR_MS }), NOW + 2 * HOUR_MS)
  assert.equal(plan(NOW + 1, { consecutiveFailures: 1 }), NOW + 1)
})

test('an adaptive source is polled at its learned interval once there is one, and others never are', () => {
  const learned = source({ pollIntervalMinutes: 30, adaptive: true, learnedIntervalMinutes: 200 })
  assert.equal(effectiveIntervalMinutes(learned, LIMITS), 200)
  assert.equal(effectiveIntervalMinutes({ ...learned, consecutiveFailures: 1 }, LIMITS), 400)
  assert.equal(effectiveIntervalMinutes({ ...learned, learnedIntervalMinutes: null }, LIMITS), 30)
  assert.equal(effectiveIntervalMinutes({ ...learned, adaptive: false }, LIMITS), 30)
  const fresh = { ...learned, lastPolled: NOW, freshUntil: NOW + 5 * HOUR_MS }
  assert.equal(planNextPoll(fresh, LIMITS, NOW), NOW + 5 * HOUR_MS)
})
