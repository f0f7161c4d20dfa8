// Any history of polls on a handful of hosts, played as the engine would, against the rules said in other words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterFailure, afterSuccess, GOOD_HEALTH } from './health.ts'
import {
  afterOutcome,
  failureCounts,
  mayDisable,
  type OutageChange,
  type OutageState,
  probesSent,
  QUIET,
} from './outage.ts'
import { givenBack, type HostOutcome } from './outage-run.ts'
import type { Failure } from './outcome.ts'

const HOSTS = ['a', 'b', 'c', 'd', 'e', 'f']
const DNS: Failure = { code: 'dns-not-found', httpStatus: null, reason: 'no such name' }
const ERROR: Failure = { code: 'http-status', httpStatus: 500, reason: 'HTTP 500' }

const polls = fc.record({
  host: fc.constantFrom(...HOSTS),
  source: fc.constantFrom('1', '2'),
  result: fc.oneof(
    { arbitrary: fc.constant('way-out' as const), weight: 6 },
    { arbitrary: fc.constantFrom('success' as const, 'other' as const), weight: 1 },
  ),
})
const histories = fc.record({
  /** How many of the hosts there are, and which of them did well before. */
  hosts: fc.integer({ min: 1, max: HOSTS.length }),
  working: fc.uniqueArray(fc.constantFrom(...HOSTS)),
  steps: fc.array(polls, { maxLength: 50 }),
})
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

interface Row {
  readonly id: string
  readonly version: number
  readonly enabled: boolean
  readonly maxFailures: number | null
  readonly consecutiveFailures: number
  readonly permanentRun: readonly string[]
  readonly lastFailureType: 'transient' | 'permanent' | null
  readonly lastFailureReason: string | null
  readonly disabledReason: string | null
  readonly lastPolled: number | null
  readonly freshUntil: number | null
  readonly retryAt: number | null
}

interface Moment {
  readonly outcome: HostOutcome
  readonly good: ReadonlySet<string>
  readonly before: OutageState
  readonly change: OutageChange
  readonly rows: ReadonlyMap<string, Row>
}

/** A small engine: writes failures where they count, gives back when an outage is judged, probes who is doing well. */
class World {
  readonly moments: Moment[] = []
  state: OutageState = QUIET
  readonly good: Set<string>
  readonly rows = new Map<string, Row>()
  #now = 0

  constructor({ hosts, working, steps }: History) {
    const existing = HOSTS.slice(0, hosts)
    this.good = new Set(working.filter((host) => existing.includes(host)))
    for (const step of steps) {
      if (existing.includes(step.host)) this.#poll(step.host, `${step.host}${step.source}`, step.result)
    }
  }

  #poll(host: string, id: string, result: HostOutcome['result']): void {
    this.#now += 1000
    const row = this.rows.get(id) ?? newRow(id)
    // Disabled for good reasons before: ticks leave it alone.
    if (!row.enabled) return
    this.rows.set(id, row)
    const outcome = { host, at: this.#now, result, previousSucceeded: this.good.has(host), source: row }
    if (result === 'success') this.good.add(host)
    else this.good.delete(host)
    const before = this.state
    this.#apply(outcome, afterOutcome(this.state, outcome, this.good.size), before)
    this.#write(row, result)
    if (this.state.kind === 'suspected' && this.state.probes === null) {
      this.#apply(outcome, probesSent(this.state, [...this.good], this.#now), this.state)
    }
    if (before.kind !== 'outage' && this.state.kind === 'outage') this.#giveBack(this.state)
  }

  #apply(outcome: HostOutcome, change: OutageChange, before: OutageState): void {
    this.state = JSON.parse(JSON.stringify(change.state))
    this.moments.push({ outcome, good: new Set(this.good), before, change, rows: new Map(this.rows) })
  }

  #write(row: Row, result: HostOutcome['result']): void {
    if (!failureCounts(this.state, result)) return
    const rules = { maxFailures: 1, mayDisable: mayDisable(this.state, result) }
    const health =
      result === 'success' ? afterSuccess(row) : afterFailure(row, result === 'way-out' ? DNS : ERROR, rules)
    this.rows.set(row.id, { ...row, ...health, lastPolled: this.#now, freshUntil: null })
  }

  #giveBack(state: Extract<OutageState, { kind: 'outage' }>): void {
    for (const entry of state.run.failures) {
      const row = this.rows.get(entry.sourceId)
      const back = row && givenBack(row, entry)
      if (row && back) this.rows.set(row.id, { ...row, ...back })
    }
  }
}

function newRow(id: string): Row {
  const settings = { id, version: 1, enabled: true, maxFailures: null }
  return { ...settings, ...GOOD_HEALTH, lastPolled: 0, freshUntil: 99, retryAt: null }
}
const RUNS = { numRuns: 1000 }

test('no suspicion without three hosts that did well before, or both of two, failing since the last success', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let failing = new Set<string>()
      for (const { outcome, good, change } of new World(history).moments) {
        if (outcome.result === 'success') failing = new Set()
        else if (outcome.result === 'way-out' && outcome.previousSucceeded) failing.add(outcome.host)
        if (change.did !== 'suspected') continue
        assert.ok(failing.size >= 2)
        assert.ok(failing.size >= 3 || good.size === 0)
      }
    }),
    RUNS,
  )
})

test('three hosts that did well before are never let fail in a row without suspicion', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let failing = new Set<string>()
      for (const { outcome, before, change } of new World(history).moments) {
        if (outcome.result === 'success' || change.did === 'cleared') failing = new Set()
        else if (outcome.result === 'way-out' && outcome.previousSucceeded) failing.add(outcome.host)
        if (failing.size >= 3 && before.kind === 'quiet') assert.equal(change.state.kind, 'suspected')
      }
    }),
    RUNS,
  )
})

test('with a single host doing well there is neither suspicion nor outage, and the ordinary rules apply', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const world = new World({ ...history, hosts: 1 })
      for (const { outcome, change } of world.moments) {
        assert.equal(change.state.kind, 'quiet')
        assert.equal(mayDisable(change.state, outcome.result), true)
      }
    }),
    RUNS,
  )
})

test('every success leaves it quiet; started and ended alternate', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { moments } = new World(history)
      for (const { outcome, change } of moments) {
        if (outcome.result === 'success') assert.deepEqual(change.state, QUIET)
      }
      const told = moments.map(({ change }) => change.did).filter((did) => did === 'started' || did === 'ended')
      assert.ok(told.every((did, index) => did === (index % 2 === 0 ? 'started' : 'ended')))
    }),
    RUNS,
  )
})

test('an outage is judged only when every probe failed on the way out', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const { before, change, outcome } of new World(history).moments) {
        if (change.did !== 'started') continue
        assert.equal(before.kind, 'suspected')
        assert.equal(outcome.result, 'way-out')
        if (before.kind !== 'suspected' || before.probes === null) continue
        const open = before.probes.filter((probe) => probe.told !== 'way-out').map((probe) => probe.host)
        assert.deepEqual(open, [outcome.host])
      }
    }),
    RUNS,
  )
})

test('after an outage began nothing of its run is left in any source, and nobody was disabled for it', () => {
  fc.assert(
    fc.property(histories, (history) => {
      // Without bad answers in between: then all that failed since the last success failed on the way out.
      const steps = history.steps.filter((step) => step.result !== 'other')
      const world = new World({ ...history, steps })
      if (world.state.kind !== 'outage') return
      for (const entry of world.state.run.failures) {
        const row = world.rows.get(entry.sourceId)
        assert.ok(row)
        assert.deepEqual({ ...row, ...entry.before }, row)
        assert.equal(givenBack(row, entry), null)
        if (entry.before.permanentRun.length === 0) assert.equal(row.enabled, true)
      }
    }),
    RUNS,
  )
})
