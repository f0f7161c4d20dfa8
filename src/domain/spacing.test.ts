import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BUILT_IN_TYPES } from './built-in-types.ts'
import { HOUR_MS, MINUTE_MS } from './schedule.ts'
import { closedUntil, closingAfter, configuredDelay, type DelayRules, resolveDelay, spacingEndsAt } from './spacing.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')
const CAP_MS = 24 * HOUR_MS
const RULES: DelayRules = {
  pollDelaySeconds: { rss: 0, website: 2, twitter: 0, youtube: 0 },
  hostOverrides: { 'nitter.net': { pollDelaySeconds: 3 }, 'own.example': { pollDelaySeconds: 0 } },
}

test("a source's own delay comes before its host's override and its type's delay", () => {
  const delay = resolveDelay({ type: 'rss', pollDelaySeconds: 30 }, 'nitter.net', RULES)
  assert.deepEqual(delay, { seconds: 30, from: 'source' })
})

test("a host's override comes before the type's delay", () => {
  assert.deepEqual(resolveDelay({ type: 'website', pollDelaySeconds: null }, 'nitter.net', RULES), {
    seconds: 3,
    from: 'host-override',
  })
})

test("without override the type's delay counts, and without that there is none", () => {
  const site = { type: 'website', pollDelaySeconds: null } as const
  assert.deepEqual(resolveDelay(site, 'a.example', RULES), { seconds: 2, from: 'type' })
  assert.deepEqual(resolveDelay(site, 'a.example', { hostOverrides: {}, pollDelaySeconds: {} }), {
    seconds: 0,
    from: 'none',
  })
})

test('an explicit 0 is a value on every level, not "unset"', () => {
  assert.deepEqual(resolveDelay({ type: 'website', pollDelaySeconds: 0 }, 'nitter.net', RULES), {
    seconds: 0,
    from: 'source',
  })
  assert.deepEqual(resolveDelay({ type: 'website', pollDelaySeconds: null }, 'own.example', RULES), {
    seconds: 0,
    from: 'host-override',
  })
  assert.deepEqual(resolveDelay({ type: 'rss', pollDelaySeconds: null }, 'a.example', RULES), {
    seconds: 0,
    from: 'type',
  })
})

test('a source without a parseable host waits for nobody', () => {
  assert.equal(resolveDelay({ type: 'website', pollDelaySeconds: 9 }, null, RULES).seconds, 0)
})

test('a host named like a property of every object has no override', () => {
  assert.deepEqual(configuredDelay('website', 'constructor', RULES), { seconds: 2, from: 'type' })
})

test('the delay is the first of source, host override, type and 0 that is given', () => {
  const seconds = fc.option(fc.nat(3600))
  fc.assert(
    fc.property(seconds, seconds, seconds, fc.constantFrom(...BUILT_IN_TYPES.names), (own, override, byType, type) => {
      const rules: DelayRules = {
        hostOverrides: override === null ? {} : { 'a.example': { pollDelaySeconds: override } },
        pollDelaySeconds: byType === null ? {} : { [type]: byType },
      }
      const delay = resolveDelay({ type, pollDelaySeconds: own }, 'a.example', rules)
      assert.equal(delay.seconds, own ?? override ?? byType ?? 0)
    }),
  )
})

test('a visit starts at the reserved instant, and at once when that is over or there is none', () => {
  assert.equal(spacingEndsAt({ notBefore: NOW + 3000, lastRequestAt: NOW - 500 }, NOW), NOW + 3000)
  assert.equal(spacingEndsAt({ notBefore: NOW - 1, lastRequestAt: NOW - 5000 }, NOW), NOW)
  assert.equal(spacingEndsAt({ notBefore: null, lastRequestAt: null }, NOW), NOW)
})

test('the longest delay there is, an hour, is waited out', () => {
  assert.equal(spacingEndsAt({ notBefore: NOW + HOUR_MS, lastRequestAt: NOW }, NOW), NOW + HOUR_MS)
})

test('a reservation that only a clock set back can explain is read as now', () => {
  const reserved = { notBefore: NOW + 3000, lastRequestAt: NOW }
  assert.equal(spacingEndsAt(reserved, NOW - HOUR_MS), NOW - HOUR_MS)
  assert.equal(spacingEndsAt({ notBefore: NOW + 2 * HOUR_MS, lastRequestAt: null }, NOW), NOW)
})

test('no wait for spacing is negative or longer than the longest delay', () => {
  const instant = fc.integer({ min: NOW - CAP_MS, max: NOW + CAP_MS })
  fc.assert(
    fc.property(fc.option(instant), fc.option(instant), (notBefore, lastRequestAt) => {
      const at = spacingEndsAt({ notBefore, lastRequestAt }, NOW)
      assert.ok(at >= NOW && at <= NOW + HOUR_MS)
    }),
  )
})

const open = { closedUntil: null, bareThrottles: 0 }

test('a 429 or 503 with a hint closes the lane until then', () => {
  for (const status of [429, 503]) {
    const closing = closingAfter(open, { status, hint: NOW + 90_000 }, NOW, CAP_MS)
    assert.equal(closing?.closedUntil, NOW + 90_000)
    assert.equal(closing?.bareThrottles, 0)
  }
})

test('a hint closes the lane at most for the backoff cap', () => {
  const closing = closingAfter(open, { status: 429, hint: NOW + 99 * CAP_MS }, NOW, CAP_MS)
  assert.equal(closing?.closedUntil, NOW + CAP_MS)
})

test('429s without a hint close the lane for 60 s, doubling with each up to an hour', () => {
  let bareThrottles = 0
  const waits: number[] = []
  for (let count = 0; count < 9; count += 1) {
    const closing = closingAfter({ closedUntil: null, bareThrottles }, { status: 429, hint: null }, NOW, CAP_MS)
    assert.ok(closing)
    waits.push(((closing.closedUntil ?? 0) - NOW) / 1000)
    bareThrottles = closing.bareThrottles
  }
  assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
})

test('a 503 without a hint, and any other status with one, close nothing', () => {
  assert.equal(closingAfter(open, { status: 503, hint: null }, NOW, CAP_MS), null)
  for (const status of [200, 301, 403, 500]) {
    assert.equal(closingAfter(open, { status, hint: NOW + 1000 }, NOW, CAP_MS), null)
  }
})

test('a later closing is never shortened by an earlier one', () => {
  const closed = { closedUntil: NOW + 2 * HOUR_MS, bareThrottles: 0 }
  assert.equal(closingAfter(closed, { status: 429, hint: null }, NOW, CAP_MS)?.closedUntil, NOW + 2 * HOUR_MS)
  assert.equal(closingAfter(closed, { status: 429, hint: NOW + 5 }, NOW, CAP_MS)?.closedUntil, NOW + 2 * HOUR_MS)
})

test('a lane is open again at the instant itself', () => {
  assert.equal(closedUntil({ closedUntil: NOW + 1 }, NOW), NOW + 1)
  assert.equal(closedUntil({ closedUntil: NOW }, NOW), null)
  assert.equal(closedUntil({ closedUntil: null }, NOW), null)
})

test('no history of throttling closes a lane for longer than the cap, nor a bare one for under a minute', () => {
  const throttled = fc.record({
    status: fc.constantFrom(429, 503),
    hint: fc.option(fc.integer({ min: NOW - CAP_MS, max: NOW + 100 * CAP_MS })),
  })
  fc.assert(
    fc.property(fc.array(throttled, { maxLength: 1200 }), (history) => {
      let host: { closedUntil: number | null; bareThrottles: number } = open
      for (const each of history) {
        const closing = closingAfter(host, each, NOW, CAP_MS)
        if (each.hint === null && each.status === 429) {
          assert.ok((closing?.closedUntil ?? 0) >= NOW + MINUTE_MS)
        }
        host = closing ?? host
        assert.ok((host.closedUntil ?? 0) <= NOW + CAP_MS)
      }
    }),
    { numRuns: 50 },
  )
})
