// What `npm run soak` shows in an hour, in three minutes: nothing fails, nothing grows, and a small container is enough.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soak } from '../../bench/soak/soak.ts'

/** What small containers have. All resident pages are counted, also those of Node's own file, which a container can drop. */
const SMALL_CONTAINER_MB = 256

test(
  'while feeds are polled and programs read for three minutes, no answer fails, nothing grows, and 256 MB are enough',
  { skip: process.platform !== 'linux' && 'the system does not tell' },
  async (t) => {
    const { samples, requests, errors, polls, events, slopes, broken } = await soak({
      minutes: 3,
      rate: 20,
      streams: 20,
      sources: 40,
    })
    const mostMb = Math.max(...samples.map(({ memoryMb }) => memoryMb))
    t.diagnostic(`in a minute: ${JSON.stringify(slopes)}; most memory ${mostMb.toFixed(0)} MB`)
    assert.deepEqual([...broken, ...errors], [])
    assert.ok(mostMb > 0 && mostMb <= SMALL_CONTAINER_MB, `${mostMb.toFixed(0)} MB`)
    assert.ok(
      samples.length > 2 && requests > 20 && polls > 0 && events > 0,
      `${requests} requests, ${polls} polls, ${events} events`,
    )
  },
)
