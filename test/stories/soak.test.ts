// What `npm run soak` shows in an hour, in a few seconds: the machinery works, nothing fails, and nothing grows fast.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soak } from '../../bench/soak/soak.ts'

test(
  'while feeds are polled and programs read, no answer fails and nothing grows',
  { skip: process.platform !== 'linux' && 'the system does not tell' },
  async (t) => {
    const { samples, requests, errors, polls, events, slopes, broken } = await soak({
      minutes: 0.25,
      rate: 20,
      streams: 20,
      sources: 40,
    })
    t.diagnostic(`in a minute: ${JSON.stringify(slopes)}`)
    assert.deepEqual([...broken, ...errors], [])
    assert.ok(
      samples.length > 2 && requests > 20 && polls > 0 && events > 0,
      `${requests} requests, ${polls} polls, ${events} events`,
    )
  },
)
