import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectedByHour, hostFreeAt, onceBack, underRequestLimit } from './forecast.ts'
import { CLOSED_BREAKER } from './host.ts'
import { HOUR_MS, MINUTE_MS, planNextPoll } from './schedule.ts'
import { NEVER_POLLED } from './source.ts'
import { defaultSettings } from './source-settings.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')
const limits = { maxBackoffHours: 24 }
const source: Parameters<typeof expectedByHour>[0] = {
  ...{ ...NEVER_POLLED, ...defaultSettings({ pollIntervalMinutes: 30 }) },
  ...{ enabled: true, lastPolled: NOW, nextPollAt: NOW + 10 * MINUTE_MS },
}

test('a source every 30 minutes is expected twice an hour', () => {
  assert.deepEqual(expectedByHour(source, NOW, { now: NOW, hours: 3, limits }), [2, 2, 2])
})

test('nothing is expected of a disabled source, nor before the host may be asked', () => {
  assert.deepEqual(expectedByHour({ ...source, enabled: false }, NOW, { now: NOW, hours: 2, limits }), [0, 0])
  assert.deepEqual(expectedByHour(source, NOW + 2 * HOUR_MS, { now: NOW, hours: 4, limits }), [0, 0, 2, 2])
})

test('a host is free when neither its own word nor its breaker holds it back', () => {
  const breaker = { ...CLOSED_BREAKER, state: 'open' as const, probeAt: NOW + 9 }
  assert.equal(hostFreeAt(null, NOW), NOW)
  assert.equal(hostFreeAt({ closedUntil: NOW + 5, breaker: CLOSED_BREAKER }, NOW), NOW + 5)
  assert.equal(hostFreeAt({ closedUntil: NOW + 5, breaker }, NOW), NOW + 9)
})

test('the forecast is what the planning function does, poll by poll', () => {
  const arbitrary = fc.record({
    interval: fc.integer({ min: 1, max: 600 }),
    firstMs: fc.integer({ min: -HOUR_MS, max: 5 * HOUR_MS }),
    failures: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(arbitrary, ({ interval, firstMs, failures }) => {
      const planned = { ...source, pollIntervalMinutes: interval, nextPollAt: NOW + firstMs }
      const counts = new Array<number>(6).fill(0)
      let at = Math.max(NOW, planned.nextPollAt)
      while (at < NOW + 6 * HOUR_MS) {
        const hour = Math.floor((at - NOW) / HOUR_MS)
        counts[hour] = (counts[hour] ?? 0) + 1
        at = planNextPoll({ ...planned, lastPolled: at }, limits, at) ?? Number.POSITIVE_INFINITY
      }
      const failing = { ...planned, consecutiveFailures: failures }
      assert.deepEqual(expectedByHour(failing, NOW, { now: NOW, hours: 6, limits }), counts)
    }),
  )
})

test('an answer that stays fresh beyond the interval is expected to do so again, skipped hours are not', () => {
  const hours = (given: Partial<typeof source>) =>
    expectedByHour({ ...source, ...given }, NOW, { now: NOW, hours: 6, limits })
  const fresh = { freshUntil: NOW + 3 * HOUR_MS, nextPollAt: NOW + 3 * HOUR_MS }
  assert.deepEqual(hours(fresh), [0, 0, 0, 1, 0, 0])
  assert.deepEqual(hours({ ...fresh, nextPollAt: NOW }), [1, 0, 0, 1, 0, 0])
  assert.deepEqual(hours({ ...fresh, nextPollAt: NOW, honourFreshness: false }), [2, 2, 2, 2, 2, 2])
  const feedFreshness = { ttlMinutes: null, updatePeriodMs: null, skipHours: [10, 11, 12], skipDays: [] }
  const skipping = { ...source, ...fresh, feedFreshness }
  assert.deepEqual(expectedByHour(skipping, NOW, { now: NOW, hours: 6, limits }), [0, 0, 0, 2, 2, 2])
})

test('a host whose breaker is open is expected to be back with its next probe, its sources spread as they will be', () => {
  const probeAt = NOW + HOUR_MS
  const breaker = { ...CLOSED_BREAKER, state: 'open' as const, probeAt, probedBy: 'a' }
  const overdue = { ...source, pollIntervalMinutes: 240, lastPolled: NOW - 10 * HOUR_MS, nextPollAt: NOW - HOUR_MS }
  const sources = ['a', 'b', 'c', 'd'].map((id) => ({ ...overdue, id }))
  const later = { ...overdue, id: 'e', lastPolled: NOW, nextPollAt: NOW + 4 * HOUR_MS }
  const plans = onceBack([...sources, later], breaker, probeAt, limits)
  assert.deepEqual(
    plans.map(({ id, nextPollAt }) => [id, ((nextPollAt ?? 0) - probeAt) / HOUR_MS]),
    [
      ['a', 1],
      ['b', 0],
      ['c', 2],
      ['d', 3],
      ['e', 3],
    ],
  )
})

test('the limit of requests a minute lets so many through, and what waits is caught up once', () => {
  assert.deepEqual(underRequestLimit([30, 30, 30], 10, 1), [30, 30, 30])
  assert.deepEqual(underRequestLimit([200, 0, 0, 0], 200, 1), [60, 60, 60, 20])
  assert.deepEqual(underRequestLimit([6000, 6000, 0, 0], 100, 1), [60, 60, 60, 40])
})
