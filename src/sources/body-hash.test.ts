import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { bodyHashOf } from './body-hash.ts'

test('small and large bodies have the same kind of hash, and a view counts only what it shows', async () => {
  for (const size of [0, 1, 65_536, 65_537, 1_000_000]) {
    const bytes = new Uint8Array(size + 10).fill(7).subarray(5, size + 5)
    assert.equal(await bodyHashOf(bytes), createHash('sha256').update(bytes).digest('hex'))
  }
})
