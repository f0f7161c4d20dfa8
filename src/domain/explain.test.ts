import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Circumstances, explain } from './explain.ts'
import { CLOSED_BREAKER, unknownHost } from './host.ts'
import { newRhythm } from './rhythm.ts'
import { HOUR_MS, MINUTE_MS } from './schedule.ts'
import { NEVER_POLLED, type Source } from './source.ts'
import { defaultSettings } from './source-settings.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')

const source: Source = {
  ...{ id: 's1', userId: 'u1', podcastId: 'p1', type: 'rss', url: 'https://e.org/feed', urlKey: 'https://e.org/feed' },
  ...{ host: 'e.org', lane: 'e.org', enabled: true, ...defaultSettings({ pollIntervalMinutes: 60 }) },
  ...{ hasOwnInterval: true, hasCredentials: false, trusted: true, typedHost: null, createdAt: NOW, version: 1 },
  ...NEVER_POLLED,
  ...{ lastPolled: NOW, lastSucceededAt: NOW, nextPollAt: NOW + HOUR_MS },
}

const calm: Circumstances = {
  ...{
    now: NOW,
    host: null,
    target: null,
    limits: { maxBackoffHours: 24 },
    inFlight: false,
    aheadInLane: 0,
    laneAtWork: false,
    visitedElsewhere: false,
  },
  ...{
    queued: false,
    laneAwake: false,
    delayMs: 3000,
    hostRequestsPerMinute: 60,
    recheckDisabledDays: 0,
    isNextProbe: false,
    isMadeDue: false,
    waiting: null,
    outageSince: null,
    nextTickAt: NOW + MINUTE_MS,
    lastTick: { at: NOW, isLate: false },
  },
}

const why = (given: Partial<Source>, now: Partial<Circumstances> = {}) => {
  const { code, expectedAt, sentence } = explain({ ...source, ...given }, { ...calm, ...now })
  return [code, expectedAt === null ? null : expectedAt - NOW, sentence]
}
const due = { nextPollAt: NOW - 1 }
const broken = { ...CLOSED_BREAKER, state: 'open' as const, since: NOW - HOUR_MS, probeAt: NOW + 2 * HOUR_MS }

test('put off by a limit that was raised since: a poll by hand goes on', () => {
  const until = NOW + 300 * HOUR_MS
  const put = { nextPollAt: until, retryAt: until }
  const waiting = { until, reason: 'X has returned 12 posts' }
  assert.match(String(why(put, { waiting })[2]), /because X has returned 12 posts\.$/)
  const [code, at, sentence] = why(put)
  assert.deepEqual([code, at], ['retry-after', 300 * HOUR_MS])
  assert.match(String(sentence), /^Not polled: put off when it could not be asked, next at .*; poll it to go on/)
})

test('not due, by the interval', () => {
  const [code, at, sentence] = why({})
  assert.deepEqual([code, at], ['not-due', HOUR_MS])
  assert.equal(
    sentence,
    'Last polled well at 2026-02-17T10:00:00.000Z, every 60 minutes, next at 2026-02-17T11:00:00.000Z.',
  )
})

test('not due, by a learned interval, and quiet', () => {
  const adaptive = { adaptive: true, pollIntervalMinutes: 60, nextPollAt: NOW + HOUR_MS }
  assert.match(String(why(adaptive)[2]), /, every 60 minutes until its own rhythm is known, next at/)
  const learned = { ...adaptive, learnedIntervalMinutes: 240 }
  assert.match(String(why(learned)[2]), /, every 240 minutes as learned from its own rhythm, next at/)
  const quiet = { quietSince: NOW - HOUR_MS, rhythm: { ...newRhythm(NOW), lastPublishedAt: NOW - 8 * 24 * HOUR_MS } }
  assert.match(String(why(quiet)[2]), /but quiet since 2026-02-17T09:.*, last published at 2026-02-09T10:.*, every 60/)
})

test('every reason of the source itself has its code and instant', () => {
  const failed = { consecutiveFailures: 2, lastFailureReason: 'answered 500', nextPollAt: NOW + 4 * HOUR_MS }
  assert.deepEqual(why({ enabled: false, nextPollAt: null }).slice(0, 2), ['disabled', null])
  assert.deepEqual(why({ nextPollAt: null, lastPolled: null }).slice(0, 2), ['no-plan', MINUTE_MS])
  assert.deepEqual(why(failed).slice(0, 2), ['backing-off', 4 * HOUR_MS])
  assert.match(String(why(failed)[2]), /backing off after 2 failures in a row \(answered 500\), next at 2026-02-17T14/)
  const fresh = { freshUntil: NOW + 3 * HOUR_MS, nextPollAt: NOW + 3 * HOUR_MS }
  assert.deepEqual(why(fresh).slice(0, 2), ['fresh', 3 * HOUR_MS])
  const later = { ...failed, consecutiveFailures: 1, retryAt: NOW + 5 * HOUR_MS, nextPollAt: NOW + 5 * HOUR_MS }
  assert.deepEqual(why(later).slice(0, 2), ['retry-after', 5 * HOUR_MS])
  const keyless = { ...failed, permanentRun: ['missing-key'], lastFailureReason: 'no X API key for user' }
  assert.deepEqual(why(keyless).slice(0, 2), ['missing-key', 4 * HOUR_MS])
  assert.deepEqual(why(due, { inFlight: true }).slice(0, 2), ['in-flight', 0])
})

test('a reason of the host outweighs the plan when it holds longer', () => {
  const host = { ...unknownHost('e.org'), closedUntil: NOW + 30 * MINUTE_MS, closedReason: 'answered 429' }
  assert.deepEqual(why({}, { host }).slice(0, 2), ['not-due', HOUR_MS])
  assert.deepEqual(why(due, { host }).slice(0, 2), ['lane-closed', 30 * MINUTE_MS])
  assert.match(String(why(due, { host })[2]), /e\.org asked to be left alone until .* \(it answered 429\)/)
  const open = { ...unknownHost('e.org'), breaker: broken }
  assert.deepEqual(why(due, { host: open }).slice(0, 2), ['breaker-open', 2 * HOUR_MS])
  assert.deepEqual(why({ nextPollAt: NOW + 3 * HOUR_MS }, { host: open }).slice(0, 2), ['breaker-open', 3 * HOUR_MS])
  assert.deepEqual(why(due, { outageSince: NOW - 1, host: open }).slice(0, 2), ['outage', null])
})

test('the source that the next probe is made with expects that, due or not; the others their plan', () => {
  const host = { ...unknownHost('e.org'), breaker: broken }
  const later = { nextPollAt: NOW + 3 * HOUR_MS }
  const [code, at, sentence] = why(later, { host, isNextProbe: true })
  assert.deepEqual([code, at], ['breaker-open', 2 * HOUR_MS])
  assert.match(String(sentence), /so all of them wait, next try at 2026-02-17T12:00:00.000Z with this one\.$/)
  assert.deepEqual(why(later, { host }).slice(0, 2), ['breaker-open', 3 * HOUR_MS])
})

test('a due source says when nobody ticks', () => {
  assert.equal(why(due)[2], 'Due: the next tick polls it.')
  const late = { at: NOW - HOUR_MS, isLate: true }
  const since =
    'Due: the next tick polls it, but there was none since 2026-02-17T09:00:00.000Z, so no scheduler seems to run.'
  assert.equal(why(due, { lastTick: late })[2], since)
  assert.match(String(why(due, { lastTick: { at: null, isLate: true } })[2]), /there was none yet/)
})

test('what holds a host back holds a source without a plan too', () => {
  const unplanned = { nextPollAt: null, lastPolled: null }
  const open = { ...unknownHost('e.org'), breaker: broken }
  assert.deepEqual(why(unplanned, { host: open }).slice(0, 2), ['breaker-open', 2 * HOUR_MS])
  const closed = { ...unknownHost('e.org'), closedUntil: NOW + HOUR_MS }
  assert.deepEqual(why(unplanned, { host: closed }).slice(0, 2), ['lane-closed', HOUR_MS])
  const opens = { ...unknownHost('e.org'), closedUntil: NOW + 1 }
  assert.deepEqual(why(unplanned, { host: opens }).slice(0, 2), ['no-plan', MINUTE_MS])
})

test('a breaker whose host also asked to be left alone is tried when both are over', () => {
  const host = {
    ...unknownHost('e.org'),
    breaker: broken,
    closedUntil: NOW + 5 * HOUR_MS,
    closedReason: 'answered 429',
  }
  const [code, at, sentence] = why(due, { host })
  assert.deepEqual([code, at], ['breaker-open', 5 * HOUR_MS])
  assert.match(String(sentence), /next try at 2026-02-17T15:00/)
  const disabled = why({ enabled: false, nextPollAt: null }, { host, outageSince: NOW })
  assert.deepEqual(disabled.slice(0, 2), ['disabled', null], 'it alone needs a person')
})

test('a source that was put off after a gap does not blame freshness or backing off that are over', () => {
  const slept = { lastPolled: NOW - 9 * HOUR_MS, nextPollAt: NOW + 20 * MINUTE_MS }
  for (const given of [{ freshUntil: NOW - HOUR_MS }, { consecutiveFailures: 1, lastFailureReason: 'answered 500' }]) {
    const [code, at, sentence] = why({ ...slept, ...given })
    assert.deepEqual([code, at], ['not-due', 20 * MINUTE_MS])
    assert.match(String(sentence), /after a gap in polling not everything goes at once, next at 2026-02-17T10:20/)
  }
})

test('what somebody asked for waits for the lane alone: not for plan, breaker, outage or being enabled', () => {
  const open = { ...unknownHost('e.org'), breaker: broken }
  const asked = { queued: true, laneAwake: true }
  for (const given of [{}, due, { enabled: false, nextPollAt: null }]) {
    const [code, at, sentence] = why(given, {
      ...asked,
      host: open,
      outageSince: NOW,
      laneAtWork: true,
      aheadInLane: 2,
    })
    assert.deepEqual([code, at], ['lane-busy', 6000])
    assert.match(String(sentence), /^Asked for: waiting its turn behind 3 other sources of e\.org/)
  }
  const closed = { ...open, closedUntil: NOW + HOUR_MS, closedReason: 'answered 503' }
  assert.deepEqual(why({}, { ...asked, host: closed }).slice(0, 2), ['lane-closed', HOUR_MS])
})

test('a due source knows how many are before it and how long they take', () => {
  const host = { ...unknownHost('e.org'), lastRequestAt: NOW, notBefore: NOW + 2000 }
  assert.deepEqual(why(due, { host, aheadInLane: 5, laneAtWork: true, laneAwake: true }).slice(0, 2), [
    'lane-busy',
    17_000,
  ])
  assert.match(String(why(due, { host, aheadInLane: 5 })[2]), /behind 5 other sources of e\.org, at about/)
  assert.deepEqual(why(due, { host, laneAtWork: true, laneAwake: true }).slice(0, 2), ['lane-busy', 2000])
  assert.deepEqual(why(due, { host }).slice(0, 2), ['spacing', MINUTE_MS], 'a lane that rests is woken by a tick')
  assert.deepEqual(why(due, { host, laneAwake: true }).slice(0, 2), ['spacing', 2000])
  assert.deepEqual(why(due).slice(0, 2), ['due', MINUTE_MS])
})

test('what another process is at is told as such, and not taken for another source', () => {
  const elsewhere = { laneAtWork: true, laneAwake: true, visitedElsewhere: true }
  const [code, , sentence] = why(due, elsewhere)
  assert.equal(code, 'lane-busy')
  assert.equal(sentence, 'Due: another process is asking e.org just now, most likely for this source.')
  assert.equal(why(due, { ...elsewhere, queued: true })[2], 'Asked for: another process is asking e.org just now.')
  assert.match(String(why(due, { ...elsewhere, aheadInLane: 1 })[2]), /behind one other source of e\.org/)
})

describe('a source that leads to another host', () => {
  const led = { leadsTo: 'other.org', nextPollAt: NOW + 2 * HOUR_MS }

  test('waits for its breaker, also after failures of its own there', () => {
    const target = { ...unknownHost('other.org'), breaker: broken }
    const failed = { ...led, consecutiveFailures: 1, lastFailureReason: 'answered 403' }
    const sentence =
      'Not polled: it leads to other.org, which fails for its sources since 2026-02-17T09:00:00.000Z, ' +
      'so all of them wait, next try at 2026-02-17T12:00:00.000Z.'
    for (const given of [led, failed]) {
      assert.deepEqual(why(given, { target }), ['breaker-open', 2 * HOUR_MS, sentence])
    }
    assert.match(String(why(led, { target, isNextProbe: true })[2]), /next try at .* with this one\.$/)
  })

  test('names its own host when the breakers of both are open', () => {
    const target = { ...unknownHost('other.org'), breaker: broken }
    const host = { ...unknownHost('e.org'), breaker: broken }
    assert.match(String(why(led, { host, target })[2]), /^Not polled: e\.org fails for its sources/)
  })

  test('waits for its word, when that holds as long as the plan', () => {
    const target = { ...unknownHost('other.org'), closedUntil: led.nextPollAt, closedReason: 'answered 429' }
    const putOff = { ...led, retryAt: led.nextPollAt }
    const [code, at, sentence] = why(putOff, { target })
    assert.deepEqual([code, at], ['lane-closed', 2 * HOUR_MS])
    assert.match(String(sentence), /it leads to other\.org, which asked to be left alone until .* \(it answered 429\)/)
    const later = { ...led, lastPolled: NOW + 2 * HOUR_MS, nextPollAt: NOW + 3 * HOUR_MS }
    assert.equal(why(later, { target })[0], 'not-due')
  })

  test('is put off in its name when it was only busy, and nobody asked for it', () => {
    const failed = { consecutiveFailures: 1, lastFailureReason: 'answered 500' }
    const [code, , sentence] = why({ ...led, ...failed, retryAt: NOW + 3 * HOUR_MS }, {})
    assert.equal(code, 'retry-after')
    assert.match(String(sentence), /put off until other\.org, where it leads, can be asked, next at/)
  })
})
