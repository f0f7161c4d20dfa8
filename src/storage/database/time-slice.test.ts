import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TimeSlice } from './time-slice.ts'

test('a time slice is used up after ten milliseconds and starts again in the next turn of the event loop', async () => {
  const slice = new TimeSlice()
  assert.equal(slice.isUsedUp, false)
  const startedAt = performance.now()
  while (performance.now() - startedAt < 11) {
    // Work.
  }
  assert.equal(slice.isUsedUp, true)
  await slice.nextTurn()
  assert.equal(slice.isUsedUp, false)
})
