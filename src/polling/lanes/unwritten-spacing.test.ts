import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, TEST_START } from '../../../test/support/manual-clock.ts'
import { unknownHost } from '../../domain/host.ts'
import { spacingEndsAt } from '../../domain/spacing.ts'
import { UnwrittenSpacing } from './unwritten-spacing.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

function hostWith(given: { notBefore: number; lastRequestAt: number }) {
  return { ...unknownHost('a.example'), ...given }
}

test('the longer spacing counts: what the store has, or what it could not take', () => {
  const clock = new ManualClock()
  const spacing = new UnwrittenSpacing(clock)
  const stored = hostWith({ notBefore: TEST_START + 10 * SECOND, lastRequestAt: TEST_START })
  assert.equal(spacing.added(stored), stored)
  spacing.keep('a.example', TEST_START + 30 * SECOND)
  const endsAt = (notBefore: number) =>
    spacingEndsAt(spacing.added(hostWith({ notBefore, lastRequestAt: TEST_START })), clock.now())
  assert.equal(endsAt(TEST_START + 10 * SECOND), TEST_START + 30 * SECOND)
  assert.equal(endsAt(TEST_START + 50 * SECOND), TEST_START + 50 * SECOND)
})

test('spacing that the store could not take holds though the clock was set back during the request', () => {
  const clock = new ManualClock()
  const spacing = new UnwrittenSpacing(clock)
  const reserved = hostWith({ notBefore: TEST_START + 30 * SECOND, lastRequestAt: TEST_START })
  const setBack = TEST_START - 2 * HOUR
  clock.setTo(setBack)
  spacing.keep('a.example', setBack + 30 * SECOND)
  assert.equal(spacingEndsAt(spacing.added(reserved), clock.now()), setBack + 30 * SECOND)
  clock.setTo(setBack + 30 * SECOND)
  assert.equal(spacingEndsAt(spacing.added(reserved), clock.now()), clock.now())
  assert.equal(spacing.added(reserved), reserved, 'it is over and forgotten')
})
