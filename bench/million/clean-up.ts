// What clean-up costs among very many posts: one slice, which is a transaction, and a run of 500 posts. Posts that end at
// the same time belong to sources that lie far apart.
import { openStoreAndDatabase } from '../../test/support/store-and-database.ts'
import { costOf, postgresProcess } from '../cpu-time.ts'

const SLICE = 50
const RUN = 500
const DAY_MS = 24 * 3_600_000

export async function measureCleanUp(url: string): Promise<void> {
  const server = url.startsWith('postgres') ? await postgresProcess(url) : null
  const { store, db } = await openStoreAndDatabase(url)
  const clean = async (posts: number) => {
    // Posts are a millisecond apart.
    const row = await db.get('SELECT created_at FROM posts WHERE links = 0 ORDER BY created_at LIMIT 1 OFFSET ?', [
      posts,
    ])
    const now = Number(row?.created_at) + DAY_MS
    const cost = await costOf(
      () => store.cleanUp({ now, maxArticleAgeDays: 1, pollHistoryDays: 30, batch: posts }),
      server,
    )
    return cost.cpuMs
  }
  try {
    for (const [name, posts, rounds] of [
      ['a slice', SLICE, 100],
      ['a run', RUN, 20],
    ] as const) {
      await clean(posts)
      const found: number[] = []
      for (let round = 0; round < rounds; round++) found.push(await clean(posts))
      const sorted = found.toSorted((a, b) => a - b)
      const [median, p99] = [sorted[rounds >> 1] ?? 0, sorted[Math.floor(rounds * 0.99)] ?? 0]
      console.log(`clean-up, ${name} of ${posts} posts: ${median.toFixed(1)} ms of CPU, p99 ${p99.toFixed(1)}`)
    }
  } finally {
    await store.close()
  }
}
