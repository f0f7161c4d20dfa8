import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_WITHOUT_REQUESTS, politenessOf, spaced } from './politeness.ts'

const day = { ...DAY_WITHOUT_REQUESTS, requests: 10, conditional: 10, smallestGapMs: 3000 }

test('asking conditionally, well spaced and without a 429, is as polite as it gets', () => {
  assert.deepEqual(politenessOf(day, 3000), { conditionalShare: 1, throttledShare: 0, score: 100 })
})

test('every 429 costs, and one in ten costs half of the score', () => {
  assert.equal(politenessOf({ ...day, requests: 20, conditional: 20, throttled: 1 }, 0).score, 75)
  assert.equal(politenessOf({ ...day, throttled: 1 }, 0).score, 50)
  assert.equal(politenessOf({ ...day, throttled: 10 }, 0).score, 50)
})

test('unconditional requests and visits closer than the delay cost their share', () => {
  assert.equal(politenessOf({ ...day, conditional: 5 }, 0).score, 85)
  assert.equal(politenessOf({ ...day, smallestGapMs: 1500 }, 3000).score, 90)
  assert.equal(politenessOf({ ...day, smallestGapMs: 0 }, 0).score, 80)
})

test('nothing is said of a host that was not asked', () => {
  assert.deepEqual(politenessOf(DAY_WITHOUT_REQUESTS, 0), { conditionalShare: null, throttledShare: null, score: null })
})

test('a gap counts from the end of the visit before, and is unknown after a clock set back', () => {
  const tally = { ...DAY_WITHOUT_REQUESTS, startedAt: 5000, completedAt: 6000 }
  assert.equal(spaced(tally, 2000).gapMs, 3000)
  assert.equal(spaced(tally, null).gapMs, null)
  assert.equal(spaced(tally, 9000).gapMs, null)
})
