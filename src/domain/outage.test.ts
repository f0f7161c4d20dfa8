import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterFailure, GOOD_HEALTH } from './health.ts'
import {
  afterOutcome,
  failureCounts,
  mayDisable,
  type OutageChange,
  type OutageState,
  outageProbe,
  outageProbeSent,
  probeGivenUp,
  probesSent,
  QUIET,
} from './outage.ts'
import { type BeforeRun, failedOnTheWayOut, givenBack, type HostOutcome } from './outage-run.ts'
import type { Failure, FailureCode } from './outcome.ts'
import { MINUTE_MS } from './schedule.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')
const failed = (code: FailureCode): Failure => ({ code, httpStatus: null, reason: code })
const HEALTHY: BeforeRun = {
  consecutiveFailures: 0,
  permanentRun: [],
  lastFailureType: null,
  lastFailureReason: null,
  lastPolled: NOW - MINUTE_MS,
  freshUntil: null,
  retryAt: null,
}

function outcome(host: string, over: Partial<HostOutcome> = {}): HostOutcome {
  const source = { id: `source on ${host}`, version: 1, ...HEALTHY }
  return { host, at: NOW, result: 'way-out', previousSucceeded: true, source, ...over }
}

/** Outcomes one after another; `good` hosts beside the run are doing well throughout. */
function after(outcomes: readonly HostOutcome[], good: number, start: OutageState = QUIET): OutageChange {
  let change: OutageChange = { state: start, did: 'nothing' }
  for (const each of outcomes) change = afterOutcome(change.state, each, good)
  return change
}

const SUSPECTED = after(
  ['a', 'b', 'c'].map((host) => outcome(host)),
  5,
).state
const OUTAGE = probesSent(SUSPECTED, [], NOW).state

test('name look-up, connect and TLS failures are failures on the way out; answers and time-outs after that are not', () => {
  for (const code of [
    'dns-not-found',
    'dns-failed',
    'connect-timeout',
    'connect-reset',
    'connection-refused',
    'unreachable',
    'tls',
    'proxy',
  ] as const) {
    assert.equal(failedOnTheWayOut(failed(code)), true, code)
  }
  for (const code of [
    'http-status',
    'headers-timeout',
    'body-timeout',
    'connection-reset',
    'not-a-feed',
    'bad-url',
  ] as const) {
    assert.equal(failedOnTheWayOut(failed(code)), false, code)
  }
})

test('three hosts that fail on the way out with no success in between raise the suspicion', () => {
  assert.deepEqual(
    [1, 2, 3].map(
      (count) =>
        after(
          ['a', 'b', 'c'].slice(0, count).map((host) => outcome(host)),
          5,
        ).did,
    ),
    ['nothing', 'nothing', 'suspected'],
  )
})

test('a success while all is well changes nothing, not even the object', () => {
  const quiet: OutageState = { kind: 'quiet', run: null }
  assert.equal(after([outcome('a', { result: 'success' })], 1, quiet).state, quiet)
})

test('both are enough if only two exist', () => {
  assert.equal(after([outcome('a')], 1).did, 'nothing')
  const first = after([outcome('a')], 1).state
  assert.equal(after([outcome('b')], 0, first).did, 'suspected')
  assert.equal(after([outcome('b')], 1, first).did, 'nothing')
})

test('with a single host there is no telling: the ordinary rules apply', () => {
  const alone = after(
    Array.from({ length: 9 }, (_, poll) => outcome('a', { previousSucceeded: poll === 0 })),
    0,
  )
  assert.equal(alone.state.kind, 'quiet')
  assert.equal(mayDisable(alone.state, 'way-out'), true)
})

test('a success in between ends the run', () => {
  const run = [outcome('a'), outcome('b'), outcome('z', { result: 'success' }), outcome('c'), outcome('d')]
  assert.equal(after(run, 5).state.kind, 'quiet')
  assert.equal(after([...run, outcome('e')], 5).did, 'suspected')
})

test('a host whose previous poll failed does not count, and neither does one host twice', () => {
  const broken = outcome('broken', { previousSucceeded: false })
  assert.deepEqual(after([broken], 5).state, QUIET)
  assert.equal(after([outcome('a'), outcome('b'), broken, outcome('a'), outcome('b')], 5).state.kind, 'quiet')
})

test('an answer, however bad, neither joins nor ends the run', () => {
  const answered = outcome('z', { result: 'other' })
  assert.deepEqual(after([answered], 5).state, QUIET)
  assert.equal(after([outcome('a'), answered, outcome('b'), outcome('c')], 5).did, 'suspected')
})

test('two of three are not enough because the third answers badly', () => {
  const two = after([outcome('a'), outcome('b')], 1).state
  const answered = after([outcome('c', { result: 'other' })], 0, two)
  assert.equal(answered.state.kind, 'quiet')
  assert.equal(after([outcome('a', { previousSucceeded: false })], 0, answered.state).state.kind, 'quiet')
})

test('only if the probes fail too is the fault ours', () => {
  const probing = probesSent(SUSPECTED, ['x', 'y', 'z'], NOW)
  assert.equal(probing.did, 'nothing')
  const two = after([outcome('x'), outcome('y')], 0, probing.state)
  assert.equal(two.state.kind, 'suspected')
  const all = after([outcome('z')], 0, two.state)
  assert.equal(all.did, 'started')
  assert.equal(all.state.kind, 'outage')
})

test('one probe that succeeds clears us, and the failures stand', () => {
  const probing = probesSent(SUSPECTED, ['x', 'y'], NOW).state
  const cleared = after([outcome('x'), outcome('y', { result: 'success' })], 0, probing)
  assert.deepEqual(cleared, { state: QUIET, did: 'cleared' })
})

test('one probe that was answered, though badly, shows that the way out is free', () => {
  const probing = probesSent(SUSPECTED, ['x', 'y'], NOW).state
  const bad = (host: string): HostOutcome => outcome(host, { result: 'other' })
  assert.deepEqual(after([bad('x'), bad('y')], 0, probing), { state: QUIET, did: 'cleared' })
  assert.deepEqual(after([bad('x'), outcome('y')], 0, probing), { state: QUIET, did: 'cleared' })
  assert.deepEqual(after([outcome('x'), bad('y')], 0, probing), { state: QUIET, did: 'cleared' })
})

test('a probe that never went out tells nothing: the others decide, and without any nobody is left to ask', () => {
  const probing = probesSent(SUSPECTED, ['x', 'y'], NOW).state
  const withoutX = probeGivenUp(probing, 'x', NOW)
  assert.equal(withoutX.did, 'nothing')
  assert.equal(after([outcome('y', { result: 'other' })], 0, withoutX.state).did, 'cleared')
  assert.equal(after([outcome('y')], 0, withoutX.state).did, 'started')
  assert.equal(probeGivenUp(withoutX.state, 'y', NOW).did, 'started')
})

test('a probe that was told already is not taken back by its end', () => {
  const told = after([outcome('x', { result: 'other' })], 0, probesSent(SUSPECTED, ['x', 'y'], NOW).state).state
  assert.deepEqual(probeGivenUp(told, 'x', NOW).state, told)
  assert.deepEqual(probeGivenUp(QUIET, 'x', NOW), { state: QUIET, did: 'nothing' })
})

test('with nobody left to ask the fault is ours at once', () => {
  const change = probesSent(SUSPECTED, [], NOW)
  assert.equal(change.did, 'started')
  assert.equal(change.state.kind === 'outage' && change.state.startedAt, NOW)
})

test('no more than three hosts are probed', () => {
  const { state } = probesSent(SUSPECTED, ['p', 'q', 'r', 's'], NOW)
  assert.equal(state.kind === 'suspected' && state.probes?.length, 3)
})

test('a success before the probes are sent clears us, and sending them then changes nothing', () => {
  const cleared = after([outcome('x', { result: 'success' })], 6, SUSPECTED)
  assert.equal(cleared.did, 'cleared')
  assert.deepEqual(probesSent(cleared.state, [], NOW), { state: QUIET, did: 'nothing' })
})

test('after a restart a suspicion is probed again, from the start', () => {
  const half = after([outcome('x')], 0, probesSent(SUSPECTED, ['x', 'y'], NOW).state).state
  const restarted: OutageState = JSON.parse(JSON.stringify(half))
  assert.deepEqual(restarted, half)
  const again = probesSent(restarted, ['y', 'z'], NOW).state
  assert.equal(after([outcome('y'), outcome('z')], 0, again).did, 'started')
})

test('while a run is unjudged nobody is disabled for a failure on the way out, and under suspicion nobody at all', () => {
  const run = after([outcome('a')], 5).state
  assert.equal(mayDisable(run, 'way-out'), false)
  assert.equal(mayDisable(run, 'other'), true)
  assert.equal(mayDisable(SUSPECTED, 'other'), false)
  assert.equal(mayDisable(OUTAGE, 'other'), false)
  assert.equal(mayDisable(QUIET, 'way-out'), true)
})

test('during the outage failures on the way out do not count; answers do', () => {
  assert.equal(failureCounts(OUTAGE, 'way-out'), false)
  assert.equal(failureCounts(OUTAGE, 'other'), true)
  assert.equal(failureCounts(OUTAGE, 'other', true), false, 'a probe ahead of its plan')
  assert.equal(failureCounts(SUSPECTED, 'other', true), true)
  assert.equal(failureCounts(SUSPECTED, 'way-out'), true)
  assert.equal(after([outcome('d'), outcome('e', { result: 'other' })], 0, OUTAGE).state, OUTAGE)
})

test('the first success ends the outage', () => {
  assert.deepEqual(after([outcome('a', { result: 'success' })], 1, OUTAGE), { state: QUIET, did: 'ended' })
})

test('one probe a minute goes out, the hosts in turn', () => {
  const hosts = ['a', 'b', 'c']
  let state = OUTAGE
  const asked: [number, string][] = []
  for (let now = NOW; now <= NOW + 4 * MINUTE_MS; now += 20_000) {
    const host = outageProbe(state, hosts, now)
    if (host === null) continue
    asked.push([(now - NOW) / MINUTE_MS, host])
    state = outageProbeSent(state, host, now)
  }
  assert.deepEqual(asked, [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [4, 'a'],
  ])
  assert.equal(outageProbe(QUIET, hosts, NOW), null)
  assert.equal(outageProbeSent(QUIET, 'a', NOW), QUIET)
})

test('a clock set back does not stop the probes', () => {
  assert.equal(outageProbe(OUTAGE, ['a'], NOW - 30 * MINUTE_MS), 'a')
})

test("a source gets back what it was before the run's first failure, however often it failed", () => {
  const before: BeforeRun = {
    consecutiveFailures: 2,
    permanentRun: ['404'],
    lastFailureType: 'permanent',
    lastFailureReason: 'HTTP 404',
    lastPolled: NOW - 60 * MINUTE_MS,
    freshUntil: null,
    retryAt: null,
  }
  let source = { id: 's', version: 4, enabled: true, maxFailures: null, ...GOOD_HEALTH, ...before, extra: 'not ours' }
  let state = QUIET
  for (const host of ['a', 'a', 'b', 'c']) {
    const told = host === 'a' ? outcome(host, { source }) : outcome(host)
    state = afterOutcome(state, told, 3).state
    if (host !== 'a') continue
    const health = afterFailure(source, failed('dns-not-found'), {
      maxFailures: 3,
      mayDisable: mayDisable(state, 'way-out'),
    })
    source = { ...source, ...health, lastPolled: NOW }
  }
  const judged = probesSent(state, [], NOW).state
  assert.ok(judged.kind === 'outage')
  assert.deepEqual(
    judged.run.failures.map((each) => [each.sourceId, each.times]),
    [
      ['s', 2],
      ['source on b', 1],
      ['source on c', 1],
    ],
  )
  const entry = judged.run.failures[0]
  assert.ok(entry)
  assert.equal(source.enabled, true)
  assert.equal(source.consecutiveFailures, 4)
  const restored = givenBack(source, entry)
  assert.deepEqual(restored, before)
  assert.equal(givenBack({ ...source, ...before }, entry), null, 'giving back twice is giving back once')
})

test('nothing is given back to a source that a person changed or cleared meanwhile', () => {
  assert.ok(OUTAGE.kind === 'outage')
  const entry = OUTAGE.run.failures[0]
  assert.ok(entry)
  assert.deepEqual(givenBack({ version: 1, consecutiveFailures: 1 }, entry), HEALTHY)
  assert.equal(givenBack({ version: 2, consecutiveFailures: 1 }, entry), null)
  assert.equal(givenBack({ version: 1, consecutiveFailures: 0 }, entry), null)
  assert.equal(givenBack({ version: 1, consecutiveFailures: 2 }, entry), null)
})

test('failures of hosts that were broken before are given back too, once they are in the run', () => {
  const broken = outcome('broken', { previousSucceeded: false })
  const { state } = after([broken, outcome('a'), broken, outcome('b'), outcome('c')], 2)
  assert.ok(state.kind === 'suspected')
  assert.deepEqual(
    state.run.failures.map((each) => [each.host, each.times]),
    [
      ['a', 1],
      ['broken', 1],
      ['b', 1],
      ['c', 1],
    ],
  )
  assert.deepEqual(state.run.hosts, ['a', 'b', 'c'])
})
