import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import { problemAnswer, TooMany } from './problem-answers.ts'

test('a problem that passes by itself says when to try again, never too early', () => {
  const until = Date.parse('2026-02-17T10:02:00.200Z')
  assert.equal(problemAnswer(new HostNotFree(until, 'busy')).headers?.['retry-after'], 'Tue, 17 Feb 2026 10:02:01 GMT')
  assert.equal(problemAnswer(new TooMany('slow down', 1500)).headers?.['retry-after'], '2')
  assert.equal(problemAnswer(new Problem('not-found', 'nothing')).headers?.['retry-after'], undefined)
})
