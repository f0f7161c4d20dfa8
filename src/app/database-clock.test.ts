import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseClock } from './database-clock.ts'

test('a machine whose clock is minutes off has the time of the database', async () => {
  const server = Date.now() + 180_000
  const startedAt = performance.now()
  const clock = await databaseClock(
    async () => server + (performance.now() - startedAt),
    async () => {},
  )
  try {
    const expected = server + (performance.now() - startedAt)
    assert.ok(Math.abs(clock.now() - expected) < 60_000, `${clock.now() - expected} ms apart`)
    assert.ok(Number.isInteger(clock.now()))
  } finally {
    clock.close()
  }
})
