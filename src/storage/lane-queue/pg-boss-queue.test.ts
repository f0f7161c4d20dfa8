import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { aSource, withSources } from '../../../test/store-contract/fixtures.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { startPooler } from '../../../test/support/transaction-pooler.ts'
import { until } from '../../../test/support/until.ts'
import type { LaneQueue, PollAnswer, TakenLane } from '../../ports/lane-queue.ts'
import type { Store } from '../../ports/store.ts'
import { openStore } from '../open-store.ts'

const postgres = usePostgres()
const NOW = TEST_START
const OFTEN = { everyMs: 0, skipOpenBreakers: true }

async function withQueues(url: string, body: (store: Store, one: LaneQueue, other: LaneQueue) => Promise<void>) {
  const stores = [await openStore(url, { now: NOW }), await openStore(url, { now: NOW })] as const
  const open = async (store: Store) => (await store.openLaneQueue?.()) ?? assert.fail('PostgreSQL has a queue')
  const queues = [await open(stores[0]), await open(stores[1])] as const
  try {
    await body(stores[0], ...queues)
  } finally {
    for (const queue of queues) await queue.close()
    for (const store of stores) await store.close()
  }
}

const byLane = (a: TakenLane, b: TakenLane) => a.lane.localeCompare(b.lane)
const lanesOf = (taken: readonly TakenLane[]) => taken.map(({ lane }) => lane)

const dueOn = (id: string, lane: string, nextPollAt = NOW) => aSource(id, { lane, nextPollAt })

test('each lane with due work is given to one process, oldest first, and again once it is given back', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one, other) => {
    await withSources(store, dueOn('a', 'a.example'), dueOn('a2', 'a.example'), dueOn('b', 'b.example', NOW - 1))
    await withSources(store, dueOn('later', 'later.example', NOW + 1), dueOn('null', ''))
    assert.equal(await one.offerDue(NOW, OFTEN), 3)
    assert.equal(await other.offerDue(NOW, OFTEN), 0)
    const taken = [await one.take(2), await other.take(2)].map((lanes) => lanesOf(lanes).toSorted())
    assert.deepEqual(taken.flat().toSorted(), ['', 'a.example', 'b.example'])
    assert.deepEqual(await one.take(9), [])
    assert.equal(await one.offerDue(NOW, OFTEN), 0)
    await one.giveBack(taken[0] ?? [])
    assert.equal(await other.offerDue(NOW, OFTEN), 2)
    assert.deepEqual(lanesOf(await other.take(9)).toSorted(), taken[0])
  })
})

test('two processes that start on a new database at once both get the queue, though their connections remember none', async () => {
  const database = await postgres.freshDatabase()
  await using pooler = await startPooler(database)
  const stores = [await openStore(pooler.url, { now: NOW }), await openStore(pooler.url, { now: NOW })]
  // More than the statements of a start, so that all of them go to connections that have looked for the schema.
  const clients = await Promise.all(Array.from({ length: 20 }, () => connected(pooler.url)))
  for (const client of clients) {
    await client.query(`BEGIN; CREATE SCHEMA IF NOT EXISTS public; SELECT to_regclass('tidings_jobs.version')`)
  }
  for (const client of clients) await client.query('COMMIT')
  const key = (await import(new URL('plans.js', import.meta.resolve('pg-boss')).href)).advisoryLockKey('tidings_jobs')
  const holder = await connected(database)
  await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${key})`)
  const opening = Promise.allSettled(stores.map((store) => store.openLaneQueue?.()))
  await until('both wait for each other', async () => (await waitingForLocks(holder)) === 2)
  await holder.query('COMMIT')
  const opened = await opening
  for (const result of opened) if (result.status === 'fulfilled') await result.value?.close()
  for (const store of stores) await store.close()
  for (const client of [holder, ...clients]) await client.end()
  assert.deepEqual(
    opened.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function waitingForLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  return rows[0].waiting
}

test('lanes that cannot be visited now take no places', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one) => {
    await withSources(store, dueOn('a', 'closed.example'), dueOn('b', 'open.example'), dueOn('c', 'free.example'))
    await store.changeHost('closed.example', () => ({ closedUntil: NOW + 1000 }))
    await store.changeHost('open.example', ({ breaker }) => ({ breaker: { ...breaker, state: 'open' } }))
    assert.equal(await one.offerDue(NOW, OFTEN), 1)
    assert.deepEqual(lanesOf(await one.take(9)), ['free.example'])
    assert.equal(await one.offerDue(NOW, { ...OFTEN, skipOpenBreakers: false }), 1)
    assert.equal(await one.offerDue(NOW + 1000, OFTEN), 1)
  })
})

test('one pass is made in its time, whichever process makes it', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one, other) => {
    await withSources(store, dueOn('a', 'a.example'))
    assert.equal(await one.offerDue(NOW, { ...OFTEN, everyMs: 60_000 }), 1)
    await withSources(store, dueOn('b', 'b.example'))
    assert.equal(await other.offerDue(NOW, { ...OFTEN, everyMs: 60_000 }), 0)
    assert.equal(await other.offerDue(NOW, OFTEN), 1)
  })
})

test('a lane in which a person waits for something goes before those that wait longer', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one, other) => {
    await withSources(store, dueOn('a', 'a.example', NOW - 9), dueOn('b', 'b.example', NOW - 5))
    await withSources(
      store,
      dueOn('c', 'c.example'),
      aSource('d', { lane: 'd.example', nextPollAt: NOW, isMadeDue: true }),
    )
    assert.equal(await one.offerDue(NOW, OFTEN), 4)
    await other.offerUrgent('c.example')
    await other.offerUrgent('new.example')
    assert.deepEqual(lanesOf(await one.take(9, 'urgent')).toSorted(), ['c.example', 'd.example', 'new.example'])
    assert.deepEqual(await one.take(9, 'urgent'), [])
    // It is in hand: nothing is added.
    await other.offerUrgent('c.example')
    assert.deepEqual((await other.take(9)).toSorted(byLane), [
      { lane: 'a.example', isUrgent: false },
      { lane: 'b.example', isUrgent: false },
    ])
  })
})

test('a lane that was offered already is hurried when a person makes one of its sources due', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one, other) => {
    await withSources(store, dueOn('a', 'a.example', NOW - 9), dueOn('b', 'b.example'))
    assert.equal(await one.offerDue(NOW, OFTEN), 2)
    await store.changeSource('b', () => ({ set: { isMadeDue: true }, events: [] }))
    assert.equal(await other.offerDue(NOW, OFTEN), 0)
    assert.deepEqual(lanesOf(await other.take(1)), ['b.example'])
  })
})

test('polls that were asked for wait in their order until they are answered, one for each source', async () => {
  await withQueues(await postgres.freshDatabase(), async (_, { askedPolls: here }, { askedPolls: there }) => {
    const asked = (id: string, lane: string) =>
      ({ lane, trigger: 'manual', request: { id, version: 1, lastRecordId: null } }) as const
    const first = await here.ask(asked('a', 'x.example'))
    const second = await there.ask(asked('b', 'x.example'))
    const nowhere = await there.ask(asked('c', ''))
    assert.equal(await there.ask({ ...asked('a', 'x.example'), trigger: 'create' }), first)
    assert.deepEqual(await there.waitingIn(['x.example', 'y.example'], 9), [
      { id: first, ...asked('a', 'x.example') },
      { id: second, ...asked('b', 'x.example') },
    ])
    assert.deepEqual(await there.waitingIn(['', 'x.example'], 1), [{ id: first, ...asked('a', 'x.example') }])
    const answer: PollAnswer = { kind: 'problem', code: 'not-found', detail: 'There is no such source.', until: null }
    await there.answer(first, answer)
    await here.answer(first, { ...answer, detail: 'Something else.' })
    await here.withdraw(second)
    const never = '00000000-0000-4000-8000-000000000000'
    const answers = await here.answersTo([first, second, nowhere, never])
    assert.deepEqual(
      [...answers],
      [
        [first, answer],
        [second, 'gone'],
        [never, 'gone'],
      ],
    )
    assert.deepEqual(await here.waitingIn(['x.example'], 9), [])
    assert.notEqual(await here.ask(asked('a', 'x.example')), first)
  })
})

test('a lane is offered for a poll that was asked for, whatever its breaker says, but not while it is closed', async () => {
  await withQueues(await postgres.freshDatabase(), async (store, one) => {
    const request = { id: 'a', version: 1, lastRecordId: null }
    await one.askedPolls.ask({ lane: 'a.example', trigger: 'manual', request })
    await store.changeHost('a.example', ({ breaker }) => ({
      closedUntil: NOW + 1000,
      breaker: { ...breaker, state: 'open' },
    }))
    assert.equal(await one.offerDue(NOW, OFTEN), 0)
    assert.equal(await one.offerDue(NOW + 1000, OFTEN), 1)
    assert.deepEqual(await one.take(9, 'urgent'), [{ lane: 'a.example', isUrgent: true }])
  })
})

test('a user that owns its database and may do nothing else can use the queue', async () => {
  const url = new URL(await postgres.freshDatabase())
  const admin = new pg.Client(url.href)
  await admin.connect()
  const name = `owner_${url.pathname.slice(1).replace(/\W/g, '')}`
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEDB NOCREATEROLE`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const own = Object.assign(new URL(url), { username: name, password: 'secret', pathname: `/${name}` })
  try {
    await withQueues(own.href, async (store, one) => {
      await withSources(store, dueOn('a', 'a.example'))
      assert.equal(await one.offerDue(NOW, OFTEN), 1)
      assert.deepEqual(lanesOf(await one.take(1)), ['a.example'])
    })
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${name}`)
    await admin.end()
  }
})
