// Memory while many feeds come in at once, each round in a new process that is started as `serve` is.
import { AS_SERVE } from '../as-serve.ts'
import { type ChildBenchmark, figureOfRounds, type Ran } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { rowWithoutAim, valueRow } from './row.ts'

const ROUNDS = 5

function manyFeeds(feeds: number, entries: number): ChildBenchmark {
  const { flags, env } = AS_SERVE
  return { name: 'many-feeds', flags, env: { ...env, FEEDS: String(feeds), ENTRIES: String(entries) } }
}

export const memory: Part = {
  name: 'memory',
  about: 'peak memory and event loop while many feeds come in at once',
  minutes: 1,
  async *measure({ isQuick, run, note }) {
    const [small, large]: [Ran[], Ran[]] = [[], []]
    // Fills the cache of compiled code, which every `serve` but the first one finds.
    await run(manyFeeds(2, 2))
    for (let round = 0; round < ROUNDS; round++) {
      small.push(await run(isQuick ? manyFeeds(20, 47) : manyFeeds(500, 47)))
      large.push(await run(isQuick ? manyFeeds(4, 359) : manyFeeds(64, 359)))
    }
    const size = ([ran]: readonly Ran[]) => `${ran?.printed.feeds} feeds of ${ran?.printed.feedKb} KB`
    note('1,000,000 idle sources in memory: see the part million; MB are of 1024 x 1024 bytes')
    yield* [
      valueRow(`peak, ${size(small)} at once`, figureOfRounds(small, 'all new, peak'), ['under', 250]),
      valueRow(`peak, ${size(large)} at once`, figureOfRounds(large, 'all new, peak'), ['under', 350]),
      valueRow(`event loop p99, ${size(large)}`, figureOfRounds(large, 'all new, event loop p99'), ['under', 50]),
      rowWithoutAim(`event loop p99, ${size(small)}`, figureOfRounds(small, 'all new, event loop p99')),
    ]
  },
}
