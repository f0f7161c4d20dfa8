import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextUseAt, recentUses } from './uses-per-minute.ts'

const MINUTE = 60_000

test('in no minute are there more uses than allowed, and whoever waits as told may go on', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
  fc.assert(
    fc.property(waits, fc.integer({ min: 1, max: 12 }), (between, perMinute) => {
      let now = 1_000_000
      let uses: readonly number[] = []
      const all: number[] = []
      for (const waitMs of between) {
        now += waitMs
        const until = nextUseAt(uses, perMinute, now)
        if (until !== null) {
          assert.ok(until > now && until <= now + MINUTE)
          assert.equal(nextUseAt(uses, perMinute, until), null)
          continue
        }
        uses = [...recentUses(uses, now), now]
        all.push(now)
        assert.ok(all.filter((at) => at > now - MINUTE).length <= perMinute)
      }
    }),
  )
})

test('after the clock was set back, uses that lie ahead hold nobody up', () => {
  const uses = [10 * MINUTE, 10 * MINUTE]
  assert.equal(nextUseAt(uses, 2, 10 * MINUTE), 11 * MINUTE)
  assert.equal(nextUseAt(uses, 2, 5 * MINUTE), null)
})
