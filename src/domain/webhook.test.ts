import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAt } from './webhook.ts'

const DAY = 24 * 3_600_000

function attemptsFrom(start: number): number[] {
  const times: number[] = [start]
  for (;;) {
    const next = retryAt({ attempts: times.length, firstAttemptAt: start }, times.at(-1) ?? start)
    if (next === null) return times
    times.push(next)
  }
}

test('the first retry comes within 30 seconds, each later one after a longer wait', () => {
  const times = attemptsFrom(1000)
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  assert.ok((waits[0] ?? 0) <= 30_000)
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
})

test('the last attempt is made a day after the first, and then the message is given up', () => {
  const times = attemptsFrom(1000)
  assert.equal(times.at(-1), 1000 + DAY)
  assert.equal(times.length, 10)
})

test('a hint of the receiver puts a retry off, but not beyond the day', () => {
  const attempted = { attempts: 1, firstAttemptAt: 0 }
  assert.equal(retryAt(attempted, 0, 60_000), 60_000)
  assert.equal(retryAt(attempted, 0, 1), 10_000)
  assert.equal(retryAt(attempted, 0, 9 * DAY), DAY)
})

test('no count of attempts overflows', () => {
  assert.equal(retryAt({ attempts: 5000, firstAttemptAt: 0 }, 1), DAY)
})
