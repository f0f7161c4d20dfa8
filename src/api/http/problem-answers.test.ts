import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import { problemToAnswer, TooManyRequests } from './problem-answers.ts'

test('an error that passes by itself says when to try again, never too early', () => {
  const until = Date.parse('2026-02-17T10:02:00.200Z')
  assert.equal(
    problemToAnswer(new HostNotFree(until, 'busy')).headers?.['retry-after'],
    'Tue, 17 Feb 2026 10:02:01 GMT',
  )
  assert.equal(problemToAnswer(new TooManyRequests('slow down', 1500)).headers?.['retry-after'], '2')
  assert.equal(problemToAnswer(new Problem('not-found', 'nothing')).headers?.['retry-after'], undefined)
})
