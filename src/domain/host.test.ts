import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSED_BREAKER, unknownHost } from './host.ts'

test('a lane nobody visited yet is open, unspaced and has no breaker to speak of', () => {
  const host = unknownHost('a.example')
  assert.equal(host.lane, 'a.example')
  assert.equal(host.notBefore, null)
  assert.equal(host.closedUntil, null)
  assert.equal(host.lastSucceededAt, null)
  assert.deepEqual(host.breaker, CLOSED_BREAKER)
})
