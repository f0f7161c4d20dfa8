import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { aRecord, aSource, NOW, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { startOrigin } from '../../../test/support/origin.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { twoProcesses } from '../../../test/support/processes.ts'
import { rss } from '../../../test/support/product.ts'
import { until } from '../../../test/support/until.ts'
import { drained, HOUR } from '../../../test/support/world.ts'
import { openStore } from '../open-store.ts'

const postgres = usePostgres()

test('a change that is committed while the record of a poll waits for it is not overwritten', async () => {
  const database = await postgres.freshDatabase()
  const store = await openStore(database)
  // Within a transaction the list of connections is always the same, so another one looks at it.
  const [other, watcher] = [new pg.Client(database), new pg.Client(database)]
  await Promise.all([other.connect(), watcher.connect()])
  try {
    for (const table of ['sources', 'hosts'] as const) {
      const lane = `${table}.example`
      await withSources(store, aSource(table, { nextPollAt: NOW, host: lane, lane }))
      const { source } = await store.lookAtLane(lane, NOW, [])
      const host = await store.leaseHost(lane, { startedAt: NOW, notBefore: NOW, lease: { by: 'us', until: NOW + 9 } })
      assert.ok(source && host)
      await other.query('BEGIN')
      await other.query(`UPDATE sources SET label = 'by hand' WHERE lane = '${lane}'`)
      await other.query(`UPDATE hosts SET closed_reason = 'by hand' WHERE lane = '${lane}'`)
      let decisions = 0
      const written = poll(store, table, {
        ...{ at: NOW, lane, leasedBy: 'us', asRead: { source, host } },
        decide: (moment) => {
          decisions++
          const record = aRecord(table, { reason: `${moment.source.label}, ${moment.host?.closedReason}` })
          return { source: { lastPolled: NOW }, host: { lastPollOk: true }, record, events: [] }
        },
      })
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await until('it waits', async () => ((await watcher.query(waiting)).rowCount ?? 0) > 0)
      await other.query('COMMIT')
      const result = await written
      assert.ok(result.kind === 'recorded')
      assert.deepEqual([result.record.reason, decisions], ['by hand, by hand', 2])
      assert.deepEqual([result.source.label, (await store.getSource(table))?.label], ['by hand', 'by hand'])
    }
  } finally {
    await Promise.all([other.end(), watcher.end()])
    await store.close()
  }
})

test('a poll that is answered with 304 costs three statements, and nothing is looked up again after it', async (t) => {
  await using world = await twoProcesses(postgres)
  const { clock, one } = world
  const etag = '"same"'
  const origins = await Promise.all(['127.0.0.3', '127.0.0.4', '127.0.0.5'].map((host) => startOrigin({ host })))
  try {
    for (const origin of origins) {
      origin.route('/feed', (request, response) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
        else response.writeHead(200, { etag }).end(rss([]))
      })
      await one.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
    }
    await one.engine.tick()
    await drained(one.engine, clock)
    await clock.advance(2 * HOUR)
    await one.engine.tick()
    await drained(one.engine, clock)
    await clock.advance(2 * HOUR)
    const texts: string[] = []
    t.mock.method(pg.Client.prototype, 'query', counting(texts))
    await one.engine.tick()
    await drained(one.engine, clock)
    t.mock.restoreAll()
    assert.deepEqual(
      origins.map(({ requests }) => requests.length),
      [2, 2, 2],
    )
    const sent = (start: string) => texts.filter((text) => text.startsWith(start)).length
    assert.deepEqual(['SELECT row_to_json(h)', 'INSERT INTO hosts', 'WITH as_read'].map(sent), [3, 3, 3])
    assert.equal(texts.filter((text) => text.includes('FOR UPDATE OF s, h')).length, 0, 'none is read once more')
  } finally {
    for (const origin of origins) await origin[Symbol.asyncDispose]()
  }
})

/** Notes each statement, as it goes out on a connection. */
function counting(texts: string[]) {
  const query = pg.Client.prototype.query
  return function (this: pg.Client, ...args: unknown[]): unknown {
    const [statement] = args
    texts.push((typeof statement === 'string' ? statement : (statement as { text: string }).text).trim())
    return Reflect.apply(query, this, args)
  }
}
