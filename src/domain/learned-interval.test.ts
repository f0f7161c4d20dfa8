import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { learnedInterval } from './learned-interval.ts'
import { newRhythm, rhythmAfter } from './rhythm.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { Rhythm } from './source.ts'

const MONDAY = Date.parse('2026-02-16T00:00:00Z')
const BOUNDS = { minMinutes: 15, maxMinutes: 1440 }

function rhythmOf(instants: readonly number[], documentEntries = 20): Rhythm {
  return instants.reduce<Rhythm>(
    (rhythm, at) => rhythmAfter(rhythm, { posts: [at], earlier: [], documentEntries }, 1, at),
    newRhythm(instants[0] ?? 0),
  )
}

const every = (gapMs: number, count: number, from = MONDAY): number[] =>
  Array.from({ length: count }, (_, index) => from + index * gapMs)

test('nothing is learned from fewer than five dated posts, or in the first three days', () => {
  const four = rhythmOf(every(DAY_MS, 4))
  assert.equal(learnedInterval(four, BOUNDS, MONDAY + 10 * DAY_MS), null)
  const busy = rhythmOf(every(HOUR_MS, 71))
  assert.equal(learnedInterval(busy, BOUNDS, MONDAY + 3 * DAY_MS - 1), null)
  assert.notEqual(learnedInterval(busy, BOUNDS, MONDAY + 3 * DAY_MS), null)
})

test('an hourly source is asked just after each hour', () => {
  const hourly = rhythmOf(every(HOUR_MS, 100))
  const now = MONDAY + 99 * HOUR_MS + 3 * MINUTE_MS
  assert.equal(learnedInterval(hourly, BOUNDS, now), 60)
  // Asked just before the hour, it would come too early for ever.
  assert.equal(learnedInterval(hourly, BOUNDS, now + 55 * MINUTE_MS), 65)
})

test('a source that is irregular, but publishes about hourly, is asked about as often', () => {
  const instants = every(HOUR_MS, 200).map((at, index) => at + ((index * 37) % 50) * MINUTE_MS)
  const learned = learnedInterval(rhythmOf(instants), BOUNDS, MONDAY + 200 * HOUR_MS) ?? 0
  assert.ok(learned >= 30 && learned <= 90, `learned ${learned}`)
})

test('a source that is silent for two weeks is asked as rarely as allowed', () => {
  const instants = every(HOUR_MS, 100)
  assert.equal(learnedInterval(rhythmOf(instants), BOUNDS, (instants.at(-1) ?? 0) + 14 * DAY_MS), 1440)
})

test('a source that was dead when it was added is asked as rarely as allowed, once it was followed for three days', () => {
  const old = every(7 * DAY_MS, 20, MONDAY - 400 * DAY_MS)
  const dead = rhythmAfter(newRhythm(MONDAY), { posts: [], earlier: old, documentEntries: 20 }, 0, MONDAY)
  assert.equal(learnedInterval(dead, BOUNDS, MONDAY + 3 * DAY_MS - 1), null)
  assert.equal(learnedInterval(dead, BOUNDS, MONDAY + 3 * DAY_MS), 1440)
})

test('a weekday blog is asked often in its hours, and rarely at night and at the weekend', () => {
  const mornings = every(DAY_MS, 8 * 7)
    .filter((at) => ![0, 6].includes(new Date(at).getUTCDay()))
    .map((at, index) => at + 8 * HOUR_MS + ((index * 53) % 150) * MINUTE_MS)
  const rhythm = rhythmOf(mornings)
  const [monday, saturday] = [MONDAY + 56 * DAY_MS, MONDAY + 54 * DAY_MS]
  const at = (instant: number): number => learnedInterval(rhythm, BOUNDS, instant) ?? 0
  assert.ok(at(monday + 8 * HOUR_MS) <= 90, `in its hours ${at(monday + 8 * HOUR_MS)}`)
  assert.ok(at(monday + 20 * HOUR_MS) > 240, `at night ${at(monday + 20 * HOUR_MS)}`)
  assert.ok(at(saturday) > at(monday), `at the weekend ${at(saturday)}`)
})

test('a short document is asked for before half of it is new', () => {
  const instants = every(5 * MINUTE_MS, 2000).map((at, index) => at + ((index * 37) % 5) * MINUTE_MS)
  const now = (instants.at(-1) ?? 0) + MINUTE_MS
  const bounds = { minMinutes: 1, maxMinutes: 1440 }
  assert.ok((learnedInterval(rhythmOf(instants, 3), bounds, now) ?? 0) <= 10)
})

test('whatever was published, a learned interval is a whole number within its bounds', () => {
  const offsets = fc.array(fc.integer({ min: -3 * 365 * DAY_MS, max: 2 * DAY_MS }), { maxLength: 60 })
  fc.assert(
    fc.property(offsets, fc.nat(10), fc.integer({ min: 1, max: 10_080 }), (given, entries, minMinutes) => {
      const now = MONDAY
      const bounds = { minMinutes, maxMinutes: minMinutes + 500 }
      const found = { posts: given.map((offset) => now + offset), earlier: given, documentEntries: entries }
      const rhythm = rhythmAfter(newRhythm(now - 4 * DAY_MS), found, given.length, now)
      const learned = learnedInterval(rhythm, bounds, now)
      assert.equal(learned === null, given.length < 5)
      if (learned === null) return
      assert.ok(Number.isInteger(learned) && learned >= bounds.minMinutes && learned <= bounds.maxMinutes)
    }),
  )
})
