import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewer, newestFirst, readMark, writeMark } from './mark.ts'

test('a mark is read back as it was written, with and without a post', () => {
  for (const mark of [
    { userId: '2244994945', sinceId: '1890000000000000001' },
    { userId: '2244994945', sinceId: null },
  ]) {
    assert.deepEqual(readMark(writeMark(mark)), mark)
  }
  assert.equal(writeMark({ userId: '12', sinceId: null }), '12:')
})

test('what this reader did not write is no mark', () => {
  for (const stored of [null, '', '12', ':34', '2026-02-16T12:00:00.000Z', '12:abc', '12:34:56', '12 :34']) {
    assert.equal(readMark(stored), null, String(stored))
  }
})

test('ids are compared as big integers: neither as text nor rounded to a double', () => {
  assert.equal(isNewer('1000', '999'), true)
  assert.equal(isNewer('1890000000000000001', '1890000000000000000'), true)
  assert.equal(isNewer('1890000000000000000', '1890000000000000000'), false)
  assert.equal(isNewer('1', null), true)
})

test('newest first is by the number of the id', () => {
  const ids = ['999', '1890000000000000001', '1890000000000000000', '1000'].map((id) => ({ id }))
  assert.deepEqual(
    ids.sort(newestFirst).map(({ id }) => id),
    ['1890000000000000001', '1890000000000000000', '1000', '999'],
  )
})
