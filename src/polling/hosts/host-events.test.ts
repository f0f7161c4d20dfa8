import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSED_BREAKER, unknownHost } from '../../domain/host.ts'
import { hostOpened } from './host-events.ts'

const failure = (sourceId: string) => ({ sourceId, userId: 'u1', at: 0, name: '403' })
const reasonOf = (inARow: number, ...sourceIds: string[]) => {
  const breaker = { ...CLOSED_BREAKER, inARow, failures: sourceIds.map(failure) }
  return hostOpened({ ...unknownHost('a.example'), breaker }, 9, 0).data.reason
}

test('the reason of an opened breaker claims no fewer sources than may have failed', () => {
  assert.equal(reasonOf(2, 's1', 's2'), '2 failures in a row from 2 of its sources (403)')
  assert.equal(reasonOf(3, 's1', 's2'), '3 failures in a row from at least 2 of its sources (403)')
  assert.equal(reasonOf(3, 's1'), '3 failures in a row from 1 of its sources (403)')
})
