// What clean-up costs among very many posts: one slice, which is a transaction, and a run of 500 posts. Posts that end at
// the same time belong to sources that lie far apart.
import { openStoreAndDatabase } from '../../test/support/store-and-database.ts'
import { costOf } from '../cpu-time.ts'
import { type Figure, figureOf, printFigure, say } from '../figures.ts'
import { medianOf, quantileOf } from '../spread.ts'

const ROUNDS = 5
const SLICES = { posts: 25, times: 100 }
const RUNS = { posts: 500, times: 4 }
const DAY_MS = 24 * 3_600_000

/** Of this thread alone, which nobody else can use meanwhile, and of all threads and the server. */
type Cost = Readonly<Record<'threadMs' | 'allMs', number>>

export async function measureCleanUp(url: string, serverPid: number | null): Promise<readonly Figure[]> {
  const { store, db } = await openStoreAndDatabase(url)
  const clean = async (posts: number): Promise<Cost> => {
    // Posts are a millisecond apart.
    const row = await db.get('SELECT created_at FROM posts WHERE links = 0 ORDER BY created_at LIMIT 1 OFFSET ?', [
      posts,
    ])
    const now = Number(row?.created_at) + DAY_MS
    const before = process.threadCpuUsage()
    const { cpuMs } = await costOf(
      () => store.cleanUp({ now, maxArticleAgeDays: 1, pollHistoryDays: 30, batch: posts }),
      serverPid,
    )
    const { user, system } = process.threadCpuUsage(before)
    return { threadMs: (user + system) / 1000, allMs: cpuMs }
  }
  const rounds = async ({ posts, times }: typeof SLICES): Promise<readonly (readonly Cost[])[]> => {
    await clean(posts)
    const all: Cost[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const costs: Cost[] = []
      for (let n = 0; n < times; n++) costs.push(await clean(posts))
      all.push(costs)
    }
    return all
  }
  try {
    const figures = figuresOf(await rounds(SLICES), await rounds(RUNS))
    say(`clean-up, a slice of ${SLICES.posts} posts and a run of ${RUNS.posts}`)
    for (const figure of figures) printFigure(figure)
    return figures
  } finally {
    await store.close()
  }
}

type Rounds = readonly (readonly Cost[])[]

function figuresOf(slices: Rounds, runs: Rounds): readonly Figure[] {
  const of = (rounds: Rounds, what: keyof Cost, pick: (values: readonly number[]) => number) =>
    rounds.map((costs) => pick(costs.map((cost) => cost[what])))
  const p99 = (values: readonly number[]) => quantileOf(values, 0.99)
  const slice = 'clean-up, a slice'
  return [
    figureOf(`${slice}, p99, CPU`, 'ms', of(slices, 'allMs', p99)),
    figureOf(`${slice}, median, CPU`, 'ms', of(slices, 'allMs', medianOf)),
    figureOf(`${slice}, p99, CPU of main thread`, 'ms', of(slices, 'threadMs', p99)),
    figureOf('clean-up, a run, CPU', 'ms', of(runs, 'allMs', medianOf)),
  ]
}
