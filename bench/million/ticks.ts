// What a tick costs among very many sources: with none due, and with 1,000 due on as many hosts. Those hosts are still in
// their spacing, so their lanes wait and nobody is asked. The first tick with due sources wakes the lanes, and each of
// them then looks at its host and at its next source.
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openStoreAndDatabase } from '../../test/support/store-and-database.ts'

const ROUNDS = 7
const DUE = 1000
const HOUR_MS = 3_600_000

export async function measureTicks(url: string): Promise<void> {
  const app = await createApp({ config: configFrom({ database: { url } }), log: silentLog })
  const tickMs = () => cpuMsOf(() => app.engine.tick())
  try {
    await tickMs()
    console.log(`a tick with none due ${await median(tickMs)} ms of CPU`)
    const { store, db } = await openStoreAndDatabase(url)
    await makeDue(db, Date.now())
    await store.close()
    const dueMs = () => cpuMsOf(() => app.store.dueLanes(Date.now()))
    console.log(`finding ${DUE} hosts with due sources ${await median(dueMs)} ms of CPU`)
    console.log(`a tick that wakes ${DUE} lanes ${(await tickMs()).toFixed(1)} ms of CPU, with what lanes do meanwhile`)
    console.log(`a tick with ${DUE} lanes awake ${await median(tickMs)} ms of CPU`)
  } finally {
    await app.engine.stop(1000)
    await app.close()
  }
}

async function makeDue(db: Database, now: number): Promise<void> {
  const rows = await db.all('SELECT min(id) AS id FROM sources WHERE enabled = 1 GROUP BY lane LIMIT ?', [DUE])
  const ids = db.dialect.list(rows.map((row) => row.id as string))
  await db.run('UPDATE hosts SET not_before = ?', [now + HOUR_MS])
  await db.run(`UPDATE sources SET next_poll_at = ? WHERE ${db.dialect.oneOf('id')}`, [now, ids])
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function median(measure: () => Promise<number>): Promise<string> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round++) found.push(await measure())
  return (found.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0).toFixed(1)
}
