// What a tick costs among very many sources: with none due, and with 1,000 due on as many hosts. Those hosts are still in
// their spacing, so their lanes wait and nobody is asked. The first tick with due sources wakes the lanes, and each of
// them then looks at its host and at its next source.
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openStoreAndDatabase } from '../../test/support/store-and-database.ts'
import { costOf } from '../cpu-time.ts'
import { type Figure, figureOf, printFigure } from '../figures.ts'

const ROUNDS = 9
const DUE = 1000
const HOUR_MS = 3_600_000

export async function measureTicks(url: string, serverPid: number | null): Promise<readonly Figure[]> {
  const app = await createApp({ config: configFrom({ database: { url } }), log: silentLog })
  const figures: Figure[] = []
  const measure = async (name: string, rounds: number, work: () => Promise<unknown>): Promise<void> => {
    const values: number[] = []
    for (let round = 0; round < rounds; round++) values.push((await costOf(work, serverPid)).cpuMs)
    const figure = figureOf(`${name}, CPU`, 'ms', values)
    printFigure(figure)
    figures.push(figure)
  }
  const tick = () => app.engine.tick()
  try {
    await tick()
    await measure('a tick with none due', ROUNDS, tick)
    const { store, db } = await openStoreAndDatabase(url)
    await makeDue(db, Date.now())
    await store.close()
    await measure(`finding ${DUE} hosts with due sources`, ROUNDS, () => app.store.dueLanes(Date.now()))
    // With what the lanes do meanwhile.
    await measure(`a tick that wakes ${DUE} lanes`, 1, tick)
    await measure(`a tick with ${DUE} due, lanes awake`, ROUNDS, tick)
  } finally {
    await app.engine.stop(1000)
    await app.close()
  }
  return figures
}

async function makeDue(db: Database, now: number): Promise<void> {
  const rows = await db.all('SELECT min(id) AS id FROM sources WHERE enabled = 1 GROUP BY lane LIMIT ?', [DUE])
  const ids = db.dialect.list(rows.map((row) => row.id as string))
  await db.run('UPDATE hosts SET not_before = ?', [now + HOUR_MS])
  await db.run(`UPDATE sources SET next_poll_at = ? WHERE ${db.dialect.oneOf('id')}`, [now, ids])
}
