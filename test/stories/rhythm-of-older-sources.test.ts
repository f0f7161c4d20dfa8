// A source that was polled before its rhythm was kept: what is stored tells of it, so that an upgrade notices dead feeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartialConfig } from '../../src/ports/config.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { DAY, drained } from '../support/world.ts'
import { World } from '../support/world-under-clock.ts'

const postgres = usePostgres()
const engines: readonly [string, () => Promise<PartialConfig>][] = [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ database: { url: await postgres.freshDatabase() } })],
]

for (const [engine, configOf] of engines) {
  test(`a feed that died before the upgrade is quiet after its next poll, and a slow one is not (${engine})`, async () => {
    await using origin = await startOrigin()
    await using world = await World.start(await configOf())
    const { clock } = world
    const began = clock.now()
    const gapsInDays = { '/daily': 1, '/every-five-days': 5 }
    const last = began + 25 * DAY
    for (const [path, gap] of Object.entries(gapsInDays)) {
      origin.route(path, (_, response) => {
        const instants = Array.from({ length: Math.floor(25 / gap) + 1 }, (_, n) => began + n * gap * DAY)
        const shown = instants.filter((at) => at <= Math.min(clock.now(), last)).slice(-10)
        response.end(rss(shown.map((at) => ({ title: `At ${at}`, guid: String(at), publishedAt: at })).reverse()))
      })
    }
    const { sources } = world.app.catalogue
    const add = (path: string) =>
      sources.create('default', { type: 'rss', url: origin.url + path, pollIntervalMinutes: 720, backfillDays: 1 })
    const [daily, slow] = [await add('/daily'), await add('/every-five-days')]
    const passDays = async (days: number): Promise<void> => {
      for (let day = 0; day < days; day++) {
        await clock.advance(DAY)
        await world.app.engine.tick()
        await drained(world.app.engine, clock)
      }
    }
    await passDays(25 + 12)
    assert.equal((await sources.get(daily.id)).postCount, 0, 'its posts were cleaned up')
    // As the migration leaves them.
    const set = { rhythm: null, quietSince: null, learnedIntervalMinutes: null }
    for (const { id } of [daily, slow]) await world.app.store.changeSource(id, () => ({ set, events: [] }))
    await passDays(1)
    assert.equal((await sources.get(daily.id)).quietSince, new Date(last + 7 * DAY).toISOString())
    assert.equal((await sources.get(slow.id)).quietSince, null, 'silent for less than four times its gaps')
    assert.notEqual((await world.app.store.getSource(slow.id))?.learnedIntervalMinutes, null)
  })
}
