import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEVER_POLLED, type Source } from '../../domain/source.ts'
import type { PutOff } from '../../ports/reader.ts'
import { afterPutOff } from './postpone.ts'

const NOW = 1_000_000
const UNTIL = NOW + 1000
const planned = (nextPollAt: number | null): Source =>
  // Only what the rule looks at.
  ({ ...NEVER_POLLED, lane: 'a.example', nextPollAt }) as Source
const by = (because: PutOff['because'], lane = 'b.example'): PutOff => ({ until: UNTIL, reason: '', lane, because })
const led = { leadsTo: 'b.example' }

test('a plan that has come moves, and notes the word or the spacing of a host, but not its breaker', () => {
  const moved = { nextPollAt: UNTIL, ...led }
  assert.deepEqual(afterPutOff(planned(NOW), by('breaker'), 'tick', NOW), moved)
  for (const because of ['not-free', 'busy'] as const) {
    assert.deepEqual(afterPutOff(planned(NOW), by(because), 'tick', NOW), { ...moved, retryAt: UNTIL })
  }
})

test('what a person asked for is planned for then, unless it is planned sooner; a probe leaves the plan alone', () => {
  for (const asked of ['manual', 'create'] as const) {
    assert.deepEqual(afterPutOff(planned(UNTIL + 1), by('not-free'), asked, NOW), { nextPollAt: UNTIL, ...led })
  }
  assert.deepEqual(afterPutOff(planned(null), by('not-free'), 'manual', NOW), { nextPollAt: UNTIL, ...led })
  assert.deepEqual(afterPutOff(planned(UNTIL - 1), by('not-free'), 'manual', NOW), led)
  assert.deepEqual(afterPutOff(planned(UNTIL + 1), by('not-free'), 'probe', NOW), led)
})

test('a source that its own host keeps waiting leads where it led before', () => {
  assert.deepEqual(afterPutOff(planned(NOW), by('busy', 'a.example'), 'tick', NOW), {
    nextPollAt: UNTIL,
    retryAt: UNTIL,
  })
})
