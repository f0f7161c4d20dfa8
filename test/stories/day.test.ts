import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type SimulationResult, simulate } from '../../bench/simulation/simulate.ts'

describe('a day of 200 sources on 20 hosts, by the logs of the origins', () => {
  let day: SimulationResult
  before(async () => {
    day = await simulate({ sources: 200, hosts: 20, hours: 24 })
  })

  test('it is a busy day', () => {
    assert.ok(day.requests > 3000, `${day.requests} requests`)
    assert.ok(day.posts > 1500, `${day.posts} posts`)
  })
  test('no host is visited sooner than its delay after the visit before', () => {
    assert.deepEqual(day.spacingViolations, [])
  })
  test('no host that asked to be left alone is asked before its time', () => {
    assert.deepEqual(day.requestsWhileClosed, [])
  })
  test('no poll comes later than a tick and the time its lane needs', () => {
    assert.deepEqual(day.latePolls, [])
  })
  test('nothing is stored twice', () => {
    assert.deepEqual(day.duplicates, [])
  })
  test('nothing that an answer carried is lost', () => {
    assert.deepEqual(day.lost, [])
  })
})
