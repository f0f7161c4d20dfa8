import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TimeSlice } from './time-slice.ts'

test('a time slice is used up after ten milliseconds and starts again in the next turn of the event loop', async (t) => {
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const slice = new TimeSlice()
  assert.equal(slice.isUsedUp, false)
  now += 10
  assert.equal(slice.isUsedUp, false)
  now += 1
  assert.equal(slice.isUsedUp, true)
  await slice.nextTurn()
  assert.equal(slice.isUsedUp, false)
})
