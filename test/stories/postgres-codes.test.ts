// What people are told when PostgreSQL cannot do its work: faults that are hard to provoke, by their codes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toProblem } from '../../src/api/http/problem-answers.ts'
import { PostgresAvailability } from '../../src/storage/database/postgres-availability.ts'

for (const [code, isAway, isFull] of [
  ['53100', true, true],
  ['58030', true, false],
  ['53300', true, false],
  ['25006', true, false],
  ['08006', true, false],
  ['57P01', true, false],
  ['57P02', true, false],
  ['57P03', true, false],
  ['57P04', true, false],
  ['57P05', true, false],
  ['57014', false, false],
  ['53200', false, false],
  ['23505', false, false],
] as const) {
  const answer = isFull ? '507 storage-full' : isAway ? '503 store-away' : '500 internal'
  test(`code ${code} of PostgreSQL is answered ${answer}`, () => {
    const error = Object.assign(new Error('no'), { code })
    assert.throws(() => new PostgresAvailability(undefined).onError(error))
    const problem = toProblem(error)
    assert.equal(`${problem.status} ${problem.code}`, answer)
  })
}
