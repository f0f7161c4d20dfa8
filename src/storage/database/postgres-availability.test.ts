import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../ports/log.ts'
import { PostgresAvailability } from './postgres-availability.ts'

function availabilityWithLog() {
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string) => {
    logged.push(`${message} ${fields.reason ?? ''}`.trim())
  }
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const clock = { now: 1000 }
  const availability = new PostgresAvailability(log, () => clock.now)
  const fail = (error: Error) => assert.throws(() => availability.onError(error), error)
  const failToConnect = () => fail(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return { logged, clock, availability, fail, failToConnect }
}

test('each outage is logged once when it begins and once when it ends, however many queries fail', () => {
  const { logged, clock, availability, failToConnect } = availabilityWithLog()
  availability.onAnswer()
  for (let asked = 0; asked < 5; asked++) failToConnect()
  clock.now += 30_000
  availability.onAnswer()
  availability.onAnswer()
  assert.equal(logged.length, 2)
  assert.match(logged[0] ?? '', /^PostgreSQL cannot be reached: .* connect ECONNREFUSED$/)
  assert.equal(logged[1], 'PostgreSQL answers again, after 30 s')
  failToConnect()
  assert.equal(logged.length, 3)
})

test('a server that answers only some queries is not reported as back', () => {
  const { logged, clock, availability, failToConnect } = availabilityWithLog()
  availability.onAnswer()
  for (let asked = 0; asked < 20; asked++) {
    failToConnect()
    clock.now += 1000
    availability.onAnswer()
  }
  assert.equal(logged.length, 1)
})

test('errors of a statement, and errors before the first answer, are not logged here', () => {
  const { logged, availability, fail, failToConnect } = availabilityWithLog()
  failToConnect()
  availability.onAnswer()
  fail(Object.assign(new Error('relation does not exist'), { code: '42P01' }))
  assert.deepEqual(logged, [])
})
