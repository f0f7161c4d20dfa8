import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../ports/log.ts'
import { Reach } from './postgres-away.ts'

function reachWithLog() {
  const said: string[] = []
  const say = (fields: Record<string, unknown>, message: string) => {
    said.push(`${message} ${fields.reason ?? ''}`.trim())
  }
  const log: Log = { debug: say, info: say, warn: say, error: say }
  const clock = { now: 1000 }
  const reach = new Reach(log, () => clock.now)
  const refuse = (error: Error) => assert.throws(() => reach.refused(error), error)
  const gone = () => refuse(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return { said, clock, reach, refuse, gone }
}

test('a database that goes away and comes back is told once each, however many ask it', () => {
  const { said, clock, reach, gone } = reachWithLog()
  reach.answered()
  for (let asked = 0; asked < 5; asked++) gone()
  clock.now += 30_000
  reach.answered()
  reach.answered()
  assert.equal(said.length, 2)
  assert.match(said[0] ?? '', /^PostgreSQL cannot be reached: .* connect ECONNREFUSED$/)
  assert.equal(said[1], 'PostgreSQL answers again, after 30 s')
  gone()
  assert.equal(said.length, 3)
})

test('a database that answers only some is not back', () => {
  const { said, clock, reach, gone } = reachWithLog()
  reach.answered()
  for (let asked = 0; asked < 20; asked++) {
    gone()
    clock.now += 1000
    reach.answered()
  }
  assert.equal(said.length, 1)
})

test('what is wrong with a statement, or keeps from starting, is for others to tell', () => {
  const { said, reach, refuse, gone } = reachWithLog()
  gone()
  reach.answered()
  refuse(Object.assign(new Error('relation does not exist'), { code: '42P01' }))
  assert.deepEqual(said, [])
})
