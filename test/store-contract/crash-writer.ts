// A process of its own that records polls until somebody kills it. argv: database URL.
import { openStore } from '../../src/storage/open-store.ts'
import { aCandidate, anEvent, aRecord, poll } from './fixtures.ts'

const store = await openStore(process.argv[2] ?? '')
for (let n = 1; ; n++) {
  await poll(store, 's1', {
    posts: Array.from({ length: 40 }, (_, k) => aCandidate(`${n}-${k}`, { body: 'word '.repeat(500) })),
    tombstones: [aCandidate(`old-${n}`)],
    lane: 'a.example',
    effects: {
      source: { consecutiveFailures: n },
      host: { bareThrottles: n },
      record: aRecord('s1', { found: n }),
      events: [anEvent({ data: { n } })],
    },
  })
  await store.addPosts(
    's2',
    1,
    Array.from({ length: 30 }, (_, k) => aCandidate(`${n}-${k}`)),
    n,
  )
  if (n === 3) process.stdout.write('writing\n')
}
