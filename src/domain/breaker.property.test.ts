// Any history of polls, probes and waiting, against the rules said in other words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterHostFailure, afterHostSuccess, beginProbe, breakerGate, mayProbe } from './breaker.ts'
import { type BreakerRules, type HostFacts, speaksOfHost } from './breaker-window.ts'
import { type BreakerState, CLOSED_BREAKER } from './host.ts'
import type { Failure } from './outcome.ts'
import { HOUR_MS } from './schedule.ts'

const status = (httpStatus: number): Failure => ({ code: 'http-status', httpStatus, reason: '' })
const OWNERS: Record<string, string> = { a: 'one', b: 'one', c: 'one', d: 'two', e: 'three' }

const outcomes = fc.oneof(
  { arbitrary: fc.constantFrom(status(403), status(401)), weight: 4 },
  { arbitrary: fc.constant<Failure>({ code: 'connect-timeout', httpStatus: null, reason: '' }), weight: 4 },
  { arbitrary: fc.constantFrom(status(404), status(410), status(500)), weight: 2 },
  { arbitrary: fc.constant('success' as const), weight: 1 },
)
const steps = fc.array(
  fc.record({
    by: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    outcome: outcomes,
    manual: fc.boolean(),
    passedMs: fc.integer({ min: 0, max: 30 * HOUR_MS }),
  }),
  { maxLength: 60 },
)
const rules = fc.record({
  failures: fc.integer({ min: 0, max: 6 }),
  sources: fc.integer({ min: 1, max: 4 }),
  waitHours: fc.integer({ min: 1, max: 48 }),
})
const facts = fc.record({ succeededBefore: fc.boolean(), owners: fc.constantFrom(1, 3) })

interface Step {
  readonly by: string
  readonly outcome: Failure | 'success'
  readonly manual: boolean
  readonly passedMs: number
  readonly at: number
}
interface Seen {
  readonly before: BreakerState
  readonly after: BreakerState
  readonly did: string
  readonly step: Step
}

/** Polls as a lane would: what the gate skips is not polled, a person's poll always is. */
function live(history: readonly Omit<Step, 'at'>[], rule: BreakerRules, fact: HostFacts): Seen[] {
  const seen: Seen[] = []
  let breaker = CLOSED_BREAKER
  let at = 1_000_000
  for (const each of history) {
    at += each.passedMs
    const step = { ...each, at }
    if (!step.manual && breakerGate(breaker, rule, at) === 'skip') continue
    const before = rule.failures === 0 ? breaker : beginProbe(breaker, step.by, at)
    const about = { sourceId: step.by, userId: OWNERS[step.by] ?? '', at }
    const change =
      step.outcome === 'success'
        ? afterHostSuccess(before)
        : afterHostFailure(before, { ...about, failure: step.outcome }, rule, fact)
    breaker = change.breaker
    seen.push({ before, after: breaker, did: change.did, step })
  }
  return seen
}
const RUNS = { numRuns: 500 }

test('it opens exactly when enough failures in a row, of enough sources and owners, speak of a host that once worked', () => {
  fc.assert(
    fc.property(steps, rules, facts, (history, rule, fact) => {
      let window: Step[] = []
      for (const { before, did, step } of live(history, rule, fact)) {
        if (step.outcome === 'success') window = []
        else if (speaksOfHost(step.outcome)) window.push(step)
        if (before.state !== 'closed') continue
        const enough =
          rule.failures > 0 &&
          step.outcome !== 'success' &&
          speaksOfHost(step.outcome) &&
          window.length >= rule.failures &&
          new Set(window.map((each) => each.by)).size >= rule.sources &&
          new Set(window.map((each) => OWNERS[each.by])).size >= Math.min(fact.owners, 2) &&
          fact.succeededBefore
        assert.equal(did === 'opened', enough)
      }
    }),
    RUNS,
  )
})

test('opened and closed alternate, beginning with opened', () => {
  fc.assert(
    fc.property(steps, rules, facts, (history, rule, fact) => {
      const told = live(history, rule, fact)
        .map(({ did }) => did)
        .filter((did) => did === 'opened' || did === 'closed')
      assert.ok(told.every((did, index) => did === (index % 2 === 0 ? 'opened' : 'closed')))
    }),
    RUNS,
  )
})

test('every success leaves it closed and empty', () => {
  fc.assert(
    fc.property(steps, rules, facts, (history, rule, fact) => {
      for (const { after, step } of live(history, rule, fact)) {
        if (step.outcome === 'success') assert.deepEqual(after, CLOSED_BREAKER)
      }
    }),
    RUNS,
  )
})

test('while open the next probe is due within wait-hours, never sooner than an hour after a scheduled one failed', () => {
  fc.assert(
    fc.property(steps, rules, facts, (history, rule, fact) => {
      for (const { before, after, did, step } of live(history, rule, fact)) {
        assert.notEqual(after.state, 'half-open')
        if (after.state !== 'open') continue
        const waitMs = (after.probeAt ?? 0) - step.at
        assert.ok(waitMs > 0 && waitMs <= rule.waitHours * HOUR_MS)
        const due = before.state === 'half-open' && step.at >= (before.probeAt ?? 0)
        if (did === 'opened' || due) assert.ok(waitMs >= HOUR_MS)
        assert.equal(mayProbe(after, step.at), false)
        assert.equal(mayProbe(after, after.probeAt ?? 0), true)
      }
    }),
    RUNS,
  )
})

test('its row stays small and survives being written down', () => {
  fc.assert(
    fc.property(steps, rules, facts, (history, rule, fact) => {
      for (const { after } of live(history, rule, fact)) {
        assert.ok(after.failures.length <= Math.max(rule.sources, 2))
        assert.deepEqual(JSON.parse(JSON.stringify(after)), after)
      }
    }),
    RUNS,
  )
})
