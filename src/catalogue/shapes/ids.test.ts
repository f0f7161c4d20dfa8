import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createIds } from './ids.ts'

it('ids are unique UUIDs that sort as they were made, whatever the clock does', () => {
  const instants = [1_700_000_000_000, 1_700_000_000_001, 1_600_000_000_000]
  let now = 0
  const newId = createIds({ now: () => now })
  const ids: string[] = []
  for (const instant of instants) {
    now = instant
    for (let i = 0; i < 5000; i++) ids.push(newId())
  }
  assert.equal(new Set(ids).size, 15_000)
  assert.deepEqual(ids.toSorted(), ids)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
