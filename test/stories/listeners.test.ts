// What `npm run soak -- listeners` shows with a thousand clients, with a few.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../../bench/soak/listeners.ts'

test(
  'clients that read nothing cost the others no event, and get each event once when they come back',
  { skip: process.platform !== 'linux' && 'the system does not tell' },
  async (t) => {
    const size = { clients: 30, slow: 4, backlog: 2000, events: 5, heapMb: 160, stuckSeconds: 0 }
    const { memoryMb, heard, broken } = await listen(size)
    t.diagnostic(`${memoryMb.toFixed(0)} MB`)
    assert.deepEqual(broken, [])
    assert.ok(heard >= size.events, `${heard} events`)
  },
)
