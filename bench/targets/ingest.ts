// New posts at full speed, and how long people wait for a list meanwhile.
import { figureNamed } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { type Row, valueRow } from './row.ts'

const AIMS = [
  { engine: 'SQLite', postsPerSecond: 7000, p99Ms: 100 },
  { engine: 'PostgreSQL', postsPerSecond: 6000, p99Ms: 150 },
]

export const ingest: Part = {
  name: 'ingest',
  about: 'new posts at full speed, and lists meanwhile, on SQLite and PostgreSQL',
  minutes: 3.5,
  async *measure({ isQuick, run }) {
    // A list every 50 ms makes about a hundred in 8 s: with fewer, the p99 would be the slowest of all.
    const size = isQuick ? { HOSTS: '50', SECONDS: '1', ROUNDS: '2' } : { SECONDS: '8', ROUNDS: '5' }
    const ran = await run({ name: 'ingest', env: { CLIENTS: '', ...size } })
    yield* AIMS.flatMap(({ engine, postsPerSecond, p99Ms }): Row[] => {
      const of = (what: string) => figureNamed(ran, `${engine}, ${what}`)
      const [idle, busy] = [of('nothing is polled, p99'), of('polls bring posts, p99')]
      return [
        valueRow(`new posts, ${engine}`, of('polls bring posts, new posts'), ['at least', postsPerSecond]),
        valueRow(`a list meanwhile, p99, ${engine}`, busy, ['under', p99Ms], idle),
      ]
    })
  },
}
