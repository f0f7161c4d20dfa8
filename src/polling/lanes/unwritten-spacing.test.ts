import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknownHost } from '../../domain/host.ts'
import { spacingEndsAt } from '../../domain/spacing.ts'
import { UnwrittenSpacing } from './unwritten-spacing.ts'

const START = Date.parse('2026-11-18T10:00:00Z')
const HOUR = 3_600_000

function unwritten() {
  let now = START
  const clock = { now: () => now, sleep: () => Promise.reject(new Error('nobody sleeps')) }
  const spacing = new UnwrittenSpacing(clock)
  const stored = { ...unknownHost('a.example'), notBefore: START + 1000, lastRequestAt: START - 1000 }
  return {
    spacing,
    /** How long the host is left alone. */
    waitMs: () => spacingEndsAt(spacing.added(stored), now) - now,
    setClock: (at: number) => {
      now = at
    },
  }
}

test('spacing that the store could not take counts until it is over, then that of the store', () => {
  const { spacing, waitMs, setClock } = unwritten()
  spacing.keep('a.example', START + 5000)
  assert.equal(waitMs(), 5000)
  setClock(START + 5000)
  assert.equal(waitMs(), 0)
  setClock(START)
  assert.equal(waitMs(), 1000)
})

test('after the clock was set back, the rest of it is waited for from then on, however far back', () => {
  for (const backMs of [2000, HOUR / 2, 3 * HOUR, 400 * 24 * HOUR]) {
    const { spacing, waitMs, setClock } = unwritten()
    spacing.keep('a.example', START + 5000)
    setClock(START - backMs)
    assert.equal(waitMs(), 5000, `${backMs} ms back`)
    setClock(START - backMs + 4000)
    assert.equal(waitMs(), 1000, `${backMs} ms back, 4 s later`)
  }
})

test('the longest spacing there is, and more, is never taken for one from before the clock was set back', () => {
  const { spacing, waitMs } = unwritten()
  spacing.keep('a.example', START + HOUR)
  assert.equal(waitMs(), HOUR)
  spacing.keep('a.example', START + 5 * HOUR)
  assert.equal(waitMs(), HOUR)
})
