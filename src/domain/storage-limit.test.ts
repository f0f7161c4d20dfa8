import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from './schedule.ts'
import { megabytesOf, waitForRoom } from './storage-limit.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MEGABYTE = 2 ** 20

test('there is room up to the limit, and always without one', () => {
  const due = { nextPollAt: NOW }
  assert.equal(waitForRoom(3 * MEGABYTE - 1, 3, due, NOW), null)
  assert.notEqual(waitForRoom(3 * MEGABYTE, 3, due, NOW), null)
  assert.equal(waitForRoom(Number.MAX_SAFE_INTEGER, 0, due, NOW), null)
})

test('a source that is due is looked at again after an hour; one that is not, when it is due', () => {
  const until = (nextPollAt: number | null) => waitForRoom(MEGABYTE, 1, { nextPollAt }, NOW)?.until
  assert.equal(until(NOW), NOW + HOUR_MS)
  assert.equal(until(NOW - HOUR_MS), NOW + HOUR_MS)
  assert.equal(until(null), NOW + HOUR_MS)
  assert.equal(until(NOW + 1), NOW + 1)
})

test('a begun megabyte counts as one', () => {
  assert.deepEqual([0, 1, MEGABYTE, MEGABYTE + 1].map(megabytesOf), [0, 1, 1, 2])
})
