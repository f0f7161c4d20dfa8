import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockDoubtedSince, clocksAgree } from './clock-doubt.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'

const NOW = 1_800_000_000_000
const since = (facts: Partial<Parameters<typeof clockDoubtedSince>[0]>, now = NOW) =>
  clockDoubtedSince({ lastTickAt: now - MINUTE_MS, doubtedSince: null, agreeing: 0, ...facts }, now)

test('a jump of more than two days puts the clock in doubt; the first tick and ordinary gaps do not', () => {
  assert.equal(since({ lastTickAt: NOW - 2 * DAY_MS - 1 }), NOW)
  assert.equal(since({ lastTickAt: NOW - 2 * DAY_MS }), null)
  assert.equal(since({ lastTickAt: null }), null)
  assert.equal(since({ lastTickAt: NOW + 30 * DAY_MS }), null)
})

test('a doubt ends when two hosts agree, after a day of ticks, or when the clock is set back', () => {
  const doubtedSince = NOW - HOUR_MS
  assert.equal(since({ doubtedSince }), doubtedSince)
  assert.equal(since({ doubtedSince, agreeing: 1 }), doubtedSince)
  assert.equal(since({ doubtedSince, agreeing: 2 }), null)
  assert.equal(since({ doubtedSince: NOW - DAY_MS }), null)
  assert.equal(since({ doubtedSince: NOW + 1 }), null)
  assert.equal(since({ doubtedSince, agreeing: 2, lastTickAt: NOW - 3 * DAY_MS }), NOW, 'another jump')
})

test('clocks agree within an hour', () => {
  const date = (ms: number) => new Date(NOW + ms).toUTCString()
  assert.deepEqual(
    [date(0), date(HOUR_MS), date(-HOUR_MS), date(HOUR_MS + 1000), date(-30 * DAY_MS), 'nonsense'].map((stated) =>
      clocksAgree(stated, NOW),
    ),
    [true, true, true, false, false, false],
  )
})
