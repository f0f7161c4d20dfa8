// A connection to PostgreSQL that is lost while a poll takes its host, or is being recorded: a fault of nobody's source.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { usePostgres } from '../support/postgres.ts'
import { twoProcesses } from '../support/processes.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()

/** Somebody who keeps the rows of all hosts to himself, and then ends the connection that waits for one. */
async function keeperOfHosts(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return {
    async keep() {
      await client.query('BEGIN')
      await client.query('SELECT * FROM hosts FOR UPDATE')
    },
    async endWhoWaits() {
      // What somebody sees of others' activity stays as it was for the length of a transaction.
      const look = new pg.Client({ connectionString: url })
      await look.connect()
      await until('somebody waits', async () => (await look.query(`SELECT pid ${waiting}`)).rows.length === 1)
      await look.query(`SELECT pg_terminate_backend(pid) ${waiting}`)
      await look.end()
      await client.query('ROLLBACK')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

test('a poll whose connection is lost while it is recorded is recorded over another one, once', async () => {
  await using world = await twoProcesses(postgres)
  const { one } = world
  await using keeper = await keeperOfHosts(one.config.database.url)
  const { id, answer } = await world.pollHeld('/feed')
  await keeper.keep()
  answer()
  await keeper.endWhoWaits()
  await one.engine.drain()
  const { items } = await one.store.listPolls(id, { limit: 9, cursor: null })
  assert.deepEqual(
    items.map(({ outcome, created }) => [outcome, created]),
    [['success', 1]],
  )
  assert.equal((await one.store.getSource(id))?.consecutiveFailures, 0)
})

test('a poll whose connection is lost while it takes its host counts for nothing, and the next tick makes it', async () => {
  await using world = await twoProcesses(postgres)
  const { origin, one } = world
  await using keeper = await keeperOfHosts(one.config.database.url)
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  origin.route('/feed', { body: rss([]) })
  await one.store.changeHost('127.0.0.2', () => ({ lastRequestAt: 1 }))
  await keeper.keep()
  await one.engine.tick()
  await keeper.endWhoWaits()
  await one.engine.drain()
  const failed = await one.store.getSource(id)
  assert.deepEqual([failed?.consecutiveFailures, failed?.lastFailureReason], [0, null])
  await one.engine.tick()
  await one.engine.drain()
  const { items } = await one.store.listPolls(id, { limit: 9, cursor: null })
  assert.deepEqual(
    items.map(({ outcome }) => outcome),
    ['success'],
  )
})
