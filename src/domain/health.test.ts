import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterFailure, afterSuccess, GOOD_HEALTH, healthOf } from './health.ts'
import { classOf, type Failure, type FailureCode } from './outcome.ts'
import { effectiveIntervalMinutes } from './schedule.ts'

const RULES = { maxFailures: 5, mayDisable: true }
const status = (httpStatus: number): Failure => ({ code: 'http-status', httpStatus, reason: `HTTP ${httpStatus}` })
const failed = (code: FailureCode): Failure => ({ code, httpStatus: null, reason: code })
const DNS = failed('dns-not-found')
const TIMEOUT = failed('headers-timeout')

type Healthy = Parameters<typeof afterFailure>[0] & typeof GOOD_HEALTH
const HEALTHY: Healthy = { ...GOOD_HEALTH, enabled: true, maxFailures: null }

function after(failures: readonly (Failure | 'success')[], start: Healthy = HEALTHY, rules = RULES): Healthy {
  let source = start
  for (const each of failures) {
    source = { ...source, ...(each === 'success' ? afterSuccess(source) : afterFailure(source, each, rules)) }
  }
  return source
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('the first failure, a transient one, sets consecutiveFailures to 1 and lastFailureType to "transient"', () => {
  const source = after([TIMEOUT])
  assert.equal(source.consecutiveFailures, 1)
  assert.equal(source.lastFailureType, 'transient')
  assert.equal(source.lastFailureReason, 'headers-timeout')
  assert.equal(source.enabled, true)
})

test('a source with consecutiveFailures = 3 that fails again has 4', () => {
  assert.equal(after([TIMEOUT], { ...HEALTHY, consecutiveFailures: 3 }).consecutiveFailures, 4)
})

test('a success resets consecutiveFailures = 3 to 0 and lastFailureType to null', () => {
  assert.deepEqual(after([status(404), TIMEOUT, status(404), 'success']), HEALTHY)
})

test('a source is disabled after 5 permanent failures, and says why', () => {
  assert.equal(after(times(4, status(404))).enabled, true)
  const source = after(times(5, status(404)))
  assert.equal(source.enabled, false)
  assert.equal(source.disabledReason, 'Auto-disabled after 5 consecutive 404 errors')
})

test('host names that do not exist disable a source as DNS errors', () => {
  assert.equal(after(times(5, DNS)).disabledReason, 'Auto-disabled after 5 consecutive DNS errors')
})

test('missing keys disable a source as missing-key errors', () => {
  const reason = after(times(5, failed('missing-key'))).disabledReason
  assert.equal(reason, 'Auto-disabled after 5 consecutive missing-key errors')
})

test('a run of different permanent errors names them in order of appearance', () => {
  const mixed = after([status(404), status(404), status(410), status(404), status(410)])
  assert.equal(mixed.disabledReason, 'Auto-disabled after 5 consecutive permanent errors (404, 410)')
  const other = after([DNS, status(403), DNS, status(401), status(403)])
  assert.equal(other.disabledReason, 'Auto-disabled after 5 consecutive permanent errors (DNS, 403, 401)')
})

test('10 consecutive transient failures do not disable', () => {
  const source = after(times(10, TIMEOUT))
  assert.equal(source.enabled, true)
  assert.equal(source.disabledReason, null)
  assert.equal(source.consecutiveFailures, 10)
})

test('3 permanent failures and a transient one: the count goes on, the permanent run starts again', () => {
  const source = after([...times(3, status(404)), TIMEOUT, ...times(4, status(404))])
  assert.equal(source.consecutiveFailures, 8)
  assert.equal(source.enabled, true)
  const disabled = after([status(404)], source)
  assert.equal(disabled.enabled, false)
  assert.equal(disabled.disabledReason, 'Auto-disabled after 5 consecutive 404 errors')
  assert.equal(disabled.consecutiveFailures, 9)
})

test('with max-failures 3 a source is disabled after 3 permanent failures', () => {
  const reason = after(times(3, status(410)), HEALTHY, { ...RULES, maxFailures: 3 }).disabledReason
  assert.equal(reason, 'Auto-disabled after 3 consecutive 410 errors')
})

test("a source's own maxFailures comes before the configured one", () => {
  const patient = { ...HEALTHY, maxFailures: 7 }
  assert.equal(after(times(6, status(404)), patient).enabled, true)
  assert.equal(after(times(7, status(404)), patient).disabledReason, 'Auto-disabled after 7 consecutive 404 errors')
})

test('re-enabling clears all failure tracking', () => {
  const disabled = after(times(5, status(404)))
  const enabled = { ...disabled, ...GOOD_HEALTH, enabled: true }
  assert.deepEqual(enabled, HEALTHY)
  assert.equal(after(times(4, status(404)), enabled).enabled, true)
})

test('a disabled source that a person polls stays disabled and keeps its reason, whatever comes', () => {
  const disabled = after(times(5, status(404)))
  for (const each of ['success', TIMEOUT, DNS] as const) {
    const polled = after([each], disabled)
    assert.equal(polled.enabled, false)
    assert.equal(polled.disabledReason, 'Auto-disabled after 5 consecutive 404 errors')
  }
  const byHand = { ...HEALTHY, enabled: false }
  assert.equal(after(times(9, status(404)), byHand).disabledReason, null)
})

test('a disabled source that is polled for ever does not grow its row', () => {
  assert.equal(after(times(500, status(404)), { ...HEALTHY, enabled: false }).permanentRun.length, 5)
})

test('while nobody may be disabled failures are counted, and the next one after that disables', () => {
  const held = after(times(6, DNS), HEALTHY, { ...RULES, mayDisable: false })
  assert.equal(held.enabled, true)
  assert.equal(held.consecutiveFailures, 6)
  assert.equal(after([DNS], held).disabledReason, 'Auto-disabled after 5 consecutive DNS errors')
})

test('health: disabled before failing, failing before new and quiet, and ok after a success', () => {
  const source = { enabled: true, consecutiveFailures: 0, lastSucceededAt: null, quietSince: null }
  assert.equal(healthOf(source), 'new')
  assert.equal(healthOf({ ...source, lastSucceededAt: 0 }), 'ok')
  assert.equal(healthOf({ ...source, lastSucceededAt: 0, quietSince: 0 }), 'quiet')
  assert.equal(healthOf({ ...source, lastSucceededAt: 0, quietSince: 0, consecutiveFailures: 1 }), 'failing')
  assert.equal(healthOf({ ...source, consecutiveFailures: 1 }), 'failing')
  assert.equal(healthOf({ ...source, consecutiveFailures: 1, lastSucceededAt: 5 }), 'failing')
  assert.equal(healthOf({ ...source, consecutiveFailures: 1, enabled: false }), 'disabled')
})

const failures = fc.constantFrom(status(404), status(410), status(403), DNS, TIMEOUT, status(500), status(429))
const histories = fc.array(fc.oneof(failures, failures, fc.constant('success' as const)), { maxLength: 60 })

test('for any history a source is disabled exactly when its last N outcomes were all permanent failures', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 8 }), (history, maxFailures) => {
      let source = HEALTHY
      for (let count = 1; count <= history.length; count += 1) {
        const latest = history.slice(count - 1, count)
        source = after(latest, source, { maxFailures, mayDisable: true })
        const run = history.slice(0, count).slice(-maxFailures)
        const all =
          run.length === maxFailures && run.every((each) => each !== 'success' && classOf(each) === 'permanent')
        assert.equal(source.enabled, !all)
        assert.equal(source.disabledReason !== null, all)
        if (!source.enabled) return
      }
    }),
  )
})

test('for any history consecutiveFailures is the number of failures since the last success', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const source = after(history, HEALTHY, { maxFailures: 3, mayDisable: false })
      const since = history.length - 1 - history.lastIndexOf('success')
      assert.equal(source.consecutiveFailures, since)
      assert.equal(source.lastFailureType === null, since === 0)
      assert.equal(source.lastFailureReason === null, since === 0)
    }),
  )
})

test('for any history the effective interval is neither below the interval nor above max(interval, cap)', () => {
  const minutes = fc.integer({ min: 1, max: 10_080 })
  fc.assert(
    fc.property(
      histories,
      minutes,
      fc.integer({ min: 1, max: 720 }),
      (history, pollIntervalMinutes, maxBackoffHours) => {
        const set = { pollIntervalMinutes, adaptive: false, learnedIntervalMinutes: null, maxBackoffHours: null }
        const source = { ...after(history), ...set }
        const effective = effectiveIntervalMinutes(source, { maxBackoffHours })
        assert.ok(effective >= pollIntervalMinutes)
        assert.ok(effective <= Math.max(pollIntervalMinutes, maxBackoffHours * 60))
      },
    ),
  )
})
