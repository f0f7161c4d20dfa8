import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  abandonProbe,
  afterHostFailure,
  afterHostSuccess,
  type BreakerChange,
  beginProbe,
  breakerGate,
  forgiveBreaker,
  isProbeOfDeadProcess,
  isProbeOfEarlierRun,
  mayProbe,
  nextToProbe,
  probeAskedNobody,
  underRules,
} from './breaker.ts'
import { type BreakerRules, type HostFacts, speaksOfHost } from './breaker-window.ts'
import { type BreakerState, CLOSED_BREAKER, unknownHost } from './host.ts'
import { LEASE_MS } from './host-lease.ts'
import type { Failure, FailureCode } from './outcome.ts'
import { HOUR_MS, MINUTE_MS } from './schedule.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')
const RULES: BreakerRules = { failures: 3, sources: 2, waitHours: 24 }
const FACTS: HostFacts = { succeededBefore: true, owners: 1 }
const status = (httpStatus: number): Failure => ({ code: 'http-status', httpStatus, reason: `HTTP ${httpStatus}` })
const failed = (code: FailureCode): Failure => ({ code, httpStatus: null, reason: code })
const REFUSED = failed('connection-refused')

interface Step {
  readonly by: string
  readonly failure?: Failure
  readonly user?: string
  readonly at?: number
}

function fail(breaker: BreakerState, step: Step, rules = RULES, facts = FACTS): BreakerChange {
  const { by, failure = REFUSED, user = 'default', at = NOW } = step
  return afterHostFailure(breaker, { failure, sourceId: by, userId: user, at }, rules, facts)
}

function run(steps: readonly Step[], rules = RULES, facts = FACTS): BreakerChange {
  let change: BreakerChange = { breaker: CLOSED_BREAKER, did: 'nothing' }
  for (const step of steps) change = fail(change.breaker, step, rules, facts)
  return change
}

const OPEN = run([{ by: 'a' }, { by: 'b' }, { by: 'a' }]).breaker

test('401, 403, a missing name, connect and TLS failures and time-outs speak of the host', () => {
  for (const code of [401, 403]) assert.equal(speaksOfHost(status(code)), true)
  for (const code of [
    'dns-not-found',
    'connect-timeout',
    'connect-reset',
    'headers-timeout',
    'body-timeout',
    'visit-timeout',
    'connection-refused',
    'unreachable',
    'tls',
  ] as const) {
    assert.equal(speaksOfHost(failed(code)), true, code)
  }
})

test('404 and 410 speak of one address, other failures of a host at work, of us or of the key', () => {
  for (const code of [404, 410, 400, 429, 500, 503]) assert.equal(speaksOfHost(status(code)), false)
  for (const code of [
    'dns-failed',
    'connection-reset',
    'body-truncated',
    'not-a-feed',
    'refused-address',
    'missing-key',
    'reader-timeout',
    'proxy',
  ] as const) {
    assert.equal(speaksOfHost(failed(code)), false, code)
  }
})

test('it opens after 3 failures in a row from 2 different sources, and probes after an hour', () => {
  assert.deepEqual(
    [[{ by: 'a' }], [{ by: 'a' }, { by: 'b' }], [{ by: 'a' }, { by: 'b' }, { by: 'a' }]].map((steps) => run(steps).did),
    ['nothing', 'nothing', 'opened'],
  )
  assert.equal(OPEN.state, 'open')
  assert.equal(OPEN.inARow, 3)
  assert.equal(OPEN.since, NOW)
  assert.equal(OPEN.probeAt, NOW + HOUR_MS)
})

test('however often one source fails, it does not open; the first failure of a second one opens it', () => {
  const alone = run(Array.from({ length: 40 }, () => ({ by: 'a' })))
  assert.equal(alone.breaker.state, 'closed')
  assert.equal(fail(alone.breaker, { by: 'b' }).did, 'opened')
})

test('on a host with several owners the failures must be of two', () => {
  const shared = { ...FACTS, owners: 2 }
  const oneOwner = run(
    ['a', 'b', 'c', 'd', 'e'].map((by) => ({ by, user: 'one' })),
    RULES,
    shared,
  )
  assert.equal(oneOwner.breaker.state, 'closed')
  assert.equal(fail(oneOwner.breaker, { by: 'z', user: 'two' }, RULES, shared).did, 'opened')
})

test('the failure of a second owner is not forgotten, however many of the first follow', () => {
  const shared = { ...FACTS, owners: 2 }
  const rules = { failures: 100, sources: 3, waitHours: 24 }
  const many = Array.from({ length: 98 }, (_, index) => ({ by: `one-${index}`, user: 'one' }))
  const change = run([{ by: 'z', user: 'two' }, ...many, { by: 'a', user: 'one' }], rules, shared)
  assert.equal(change.did, 'opened')
  assert.equal(change.breaker.failures.length, 3)
})

test('it never opens on a host that has never succeeded', () => {
  const unknown = { ...FACTS, succeededBefore: false }
  assert.equal(run([{ by: 'a' }, { by: 'b' }, { by: 'c' }, { by: 'd' }], RULES, unknown).breaker.state, 'closed')
})

test('404 and 410 neither fill nor clear the window', () => {
  const mixed = run([{ by: 'a' }, { by: 'b', failure: status(404) }, { by: 'b' }, { by: 'c', failure: status(410) }])
  assert.equal(mixed.breaker.inARow, 2)
  assert.equal(fail(mixed.breaker, { by: 'a' }).did, 'opened')
})

test('a success clears the window, and says nothing about it', () => {
  const two = run([{ by: 'a' }, { by: 'b' }]).breaker
  assert.deepEqual(afterHostSuccess(two), { breaker: CLOSED_BREAKER, did: 'nothing' })
  assert.equal(fail(CLOSED_BREAKER, { by: 'a' }).did, 'nothing')
})

test('while it is open polls are skipped; when its time has come one goes out as the probe', () => {
  assert.equal(breakerGate(CLOSED_BREAKER, RULES, NOW), 'pass')
  assert.equal(breakerGate(OPEN, RULES, NOW + HOUR_MS - 1), 'skip')
  assert.equal(breakerGate(OPEN, RULES, NOW + HOUR_MS), 'probe')
  const probing = beginProbe(OPEN, 'a', NOW + HOUR_MS)
  assert.equal(probing.state, 'half-open')
  assert.equal(breakerGate(probing, RULES, NOW + HOUR_MS), 'skip')
})

test('probes go out after 1 h, then doubling up to wait-hours', () => {
  let breaker = OPEN
  let at = NOW
  const waits: number[] = []
  for (let probe = 0; probe < 7; probe += 1) {
    waits.push(((breaker.probeAt ?? 0) - at) / HOUR_MS)
    at = breaker.probeAt ?? 0
    const change = fail(beginProbe(breaker, 'a', at), { by: 'a', at })
    assert.equal(change.did, 'reopened')
    breaker = change.breaker
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 24, 24])
  assert.equal(breaker.since, NOW)
})

test('a probe that succeeds closes it, and that is told once', () => {
  const change = afterHostSuccess(beginProbe(OPEN, 'a', NOW + HOUR_MS))
  assert.deepEqual(change, { breaker: CLOSED_BREAKER, did: 'closed' })
  assert.equal(afterHostSuccess(change.breaker).did, 'nothing')
})

test('a probe that fails re-opens it, whatever the failure', () => {
  const at = NOW + HOUR_MS
  for (const failure of [REFUSED, status(404), status(500), failed('not-a-feed')]) {
    const change = fail(beginProbe(OPEN, 'a', at), { by: 'a', failure, at })
    assert.equal(change.did, 'reopened')
    assert.equal(change.breaker.probeAt, at + 2 * HOUR_MS)
  }
})

test("a person's poll of an open host is the probe, and its failure does not lengthen the wait", () => {
  const at = NOW + 5 * MINUTE_MS
  const change = fail(beginProbe(OPEN, 'a', at), { by: 'a', at })
  assert.equal(change.did, 'reopened')
  assert.equal(change.breaker.state, 'open')
  assert.equal(change.breaker.probeAt, OPEN.probeAt)
  assert.equal(change.breaker.waitMs, OPEN.waitMs)
  assert.equal(afterHostSuccess(beginProbe(OPEN, 'a', at)).did, 'closed')
})

test('a failure that comes in while it is open, from a poll begun before, changes neither state nor wait', () => {
  const change = fail(OPEN, { by: 'c', at: NOW + 1000 })
  assert.deepEqual({ ...change.breaker, inARow: 0, failures: [] }, { ...OPEN, inARow: 0, failures: [] })
  assert.equal(change.did, 'nothing')
})

test('a probe that told nothing leaves the turn to the next source, a minute later', () => {
  const at = NOW + HOUR_MS
  const left = abandonProbe(beginProbe(OPEN, 'a', at), at + 5)
  assert.equal(left.state, 'open')
  assert.equal(mayProbe(left, at + 5), false)
  assert.equal(mayProbe(left, at + 5 + MINUTE_MS), true)
  assert.equal(nextToProbe(left, ['a', 'b', 'c']), 'b')
  const early = abandonProbe(beginProbe(OPEN, 'a', NOW), NOW)
  assert.equal(early.probeAt, OPEN.probeAt)
  assert.equal(abandonProbe(CLOSED_BREAKER, NOW), CLOSED_BREAKER)
})

test('a probe that failed without asking anybody is followed by the next after the whole wait, no longer', () => {
  const due = NOW + HOUR_MS
  const next = probeAskedNobody(beginProbe(OPEN, 'a', due), due)
  assert.deepEqual([next.state, next.probeAt, next.waitMs], ['open', due + HOUR_MS, HOUR_MS])
  const early = probeAskedNobody(beginProbe(OPEN, 'a', NOW + MINUTE_MS), NOW + MINUTE_MS)
  assert.equal(early.probeAt, OPEN.probeAt, 'a person was ahead of it')
  assert.equal(probeAskedNobody(CLOSED_BREAKER, NOW), CLOSED_BREAKER)
})

test('a probe that was lost with its process is followed by another', () => {
  const probing = beginProbe(OPEN, 'a', NOW + HOUR_MS)
  assert.equal(mayProbe(probing, NOW + HOUR_MS + 9 * MINUTE_MS), false)
  assert.equal(mayProbe(probing, NOW + HOUR_MS + 10 * MINUTE_MS), true)
})

test("the host's sources take turns", () => {
  const ids = ['a', 'b', 'c']
  let breaker = OPEN
  const turns: (string | null)[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const id = nextToProbe(breaker, ids)
    turns.push(id)
    const at = breaker.probeAt ?? 0
    breaker = fail(beginProbe(breaker, id ?? '', at), { by: id ?? '', at }).breaker
  }
  assert.deepEqual(turns, ['a', 'b', 'c', 'a', 'b'])
  assert.equal(nextToProbe(breaker, ['0']), '0')
  assert.equal(nextToProbe(breaker, []), null)
})

test('a clock set back by more than the wait does not keep it shut, nor makes it probe without end', () => {
  const now = NOW - 100 * HOUR_MS
  assert.equal(mayProbe(OPEN, now), true)
  const reopened = fail(beginProbe(OPEN, 'a', now), { by: 'a', at: now }).breaker
  assert.equal(reopened.probeAt, now + 2 * HOUR_MS)
  assert.equal(abandonProbe(beginProbe(OPEN, 'a', now), now).probeAt, now + MINUTE_MS)
  assert.equal(mayProbe(beginProbe(OPEN, 'a', NOW), now), true)
})

test('failures: 0 turns it off, also when it was open', () => {
  const off = { ...RULES, failures: 0 }
  assert.deepEqual(run([{ by: 'a' }, { by: 'b' }, { by: 'c' }, { by: 'd' }], off).breaker, CLOSED_BREAKER)
  assert.equal(breakerGate(OPEN, off, NOW), 'pass')
  assert.equal(underRules(OPEN, off), CLOSED_BREAKER)
  assert.deepEqual(fail(OPEN, { by: 'a' }, off), { breaker: OPEN, did: 'nothing' }, 'never closed without a word')
  assert.equal(afterHostSuccess(OPEN).did, 'closed')
})

test('with wait-hours lowered since, one that is open waits no longer than they say now', () => {
  const long = { ...OPEN, waitMs: 16 * HOUR_MS, probeAt: NOW + 16 * HOUR_MS }
  const short = underRules(long, { ...RULES, waitHours: 2 })
  assert.deepEqual([short.probeAt, short.waitMs], [NOW + 2 * HOUR_MS, 2 * HOUR_MS])
  assert.equal(underRules(long, RULES), long)
  assert.equal(underRules(CLOSED_BREAKER, RULES), CLOSED_BREAKER)
})

test('with wait-hours below an hour nobody waits longer than that', () => {
  const change = run([{ by: 'a' }, { by: 'b' }, { by: 'c' }], { ...RULES, waitHours: 0.5 })
  assert.equal(change.breaker.probeAt, NOW + 30 * MINUTE_MS)
})

test('what it learned during our own outage is forgiven; one that was open before stays open', () => {
  assert.equal(forgiveBreaker(OPEN, NOW), CLOSED_BREAKER)
  assert.equal(forgiveBreaker(OPEN, NOW + 1), OPEN)
  const filling = run([{ by: 'a' }]).breaker
  assert.equal(forgiveBreaker(filling, NOW), CLOSED_BREAKER)
  assert.equal(forgiveBreaker(filling, NOW + 1), filling)
  const later = fail(OPEN, { by: 'c', at: NOW + HOUR_MS }).breaker
  assert.equal(forgiveBreaker(later, NOW + HOUR_MS), later)
})

test('a probe is lost with the process that sent it', () => {
  const probing = { ...CLOSED_BREAKER, state: 'half-open' as const, probingSince: NOW }
  const host = { ...unknownHost('a.example'), breaker: probing }
  assert.equal(isProbeOfEarlierRun(host.breaker, NOW), false)
  assert.equal(isProbeOfEarlierRun(host.breaker, NOW + 1), true)
  assert.equal(isProbeOfEarlierRun(CLOSED_BREAKER, NOW + 1), false)

  assert.equal(isProbeOfDeadProcess(host, NOW + MINUTE_MS), false, 'another may be on its way there')
  const later = NOW + 6 * MINUTE_MS
  assert.equal(isProbeOfDeadProcess(host, later), true)
  assert.equal(isProbeOfDeadProcess({ ...host, leasedBy: 'other', leasedUntil: later + LEASE_MS }, later), false)
  assert.equal(isProbeOfDeadProcess(unknownHost('a.example'), later), false)
})
