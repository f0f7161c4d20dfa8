// Two processes that queue messages on one PostgreSQL, brought into each other's way at every step. SQLite has one
// writer at a time: nothing can come in between there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from '../../../test/support/events.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import type { Database, Transaction } from '../database/db.ts'
import { openPostgres } from '../database/postgres-db.ts'
import { openStore } from '../open-store.ts'
import { insertEvents } from './events.ts'
import { queueDeliveries } from './queue-deliveries.ts'

const postgres = usePostgres()

const EVENT = eventOf('poll.finished')
let made = 0
const REQUEST = { at: TEST_START, newMessageId: () => `msg_${++made}`, payloadOf: () => '{}' }

async function addWebhook(url: string): Promise<void> {
  const store = await openStore(url, { now: TEST_START })
  const place = { scope: 'webhook', ownerId: 'hook', name: 'signing', keyId: 'k', sealed: 's' } as const
  await store.addWebhook(
    {
      ...{ id: 'hook', userId: 'default', url: 'https://receiver.example/', types: [...EVENT_TYPES], trusted: false },
      ...{
        kind: 'webhook',
        includePosts: false,
        failures: 0,
        disabledAt: null,
        disabledReason: null,
        createdAt: TEST_START,
      },
    },
    { ...place, updatedAt: TEST_START },
  )
  await store.close()
}

function addEvents(db: Database, count = 1): Promise<void> {
  const events = Array.from({ length: count }, () => EVENT)
  return db.transaction((tx) => insertEvents(tx, events))
}

/** `before` happens after the webhook was seen to be behind, `between` after that many statements about it. */
function interrupted(
  db: Database,
  { before, between, steps }: { before(): Promise<unknown>; between(): Promise<unknown>; steps: number },
): Database {
  let left = steps
  const then = async <T>(result: Promise<T>): Promise<T> => {
    const value = await result
    if (left-- === 1) await between()
    return value
  }
  const slowed = (tx: Transaction): Transaction => ({
    ...{ dialect: tx.dialect, script: tx.script, announceEvents: tx.announceEvents },
    all: (...asked) => then(tx.all(...asked)),
    get: (...asked) => then(tx.get(...asked)),
    run: (...asked) => then(tx.run(...asked)),
  })
  return {
    ...{ dialect: db.dialect, close: () => db.close(), onEventsWritten: (listener) => db.onEventsWritten(listener) },
    diskSpace: () => db.diskSpace(),
    onEvents: (listener) => db.onEvents(listener),
    ...{ all: db.all.bind(db), get: db.get.bind(db), run: db.run.bind(db), write: db.write.bind(db) },
    announceEvents: (...announced) => db.announceEvents(...announced),
    async transaction(work) {
      await before()
      return db.transaction((tx) => work(slowed(tx)))
    },
  }
}

test('an event committed between any two steps of a sender that was overtaken becomes a message (PostgreSQL)', async () => {
  const url = await postgres.freshDatabase()
  await addWebhook(url)
  const [db, other] = [await openPostgres(url), await openPostgres(url)]
  try {
    let steps = 0
    for (let came = true; came; ) {
      came = false
      await addEvents(other)
      const between = async () => {
        came = true
        await addEvents(other)
      }
      const before = () => queueDeliveries(other, REQUEST)
      await queueDeliveries(interrupted(db, { before, between, steps: ++steps }), REQUEST)
      await queueDeliveries(db, REQUEST)
      const events = await db.all('SELECT id AS event_id FROM events ORDER BY id')
      const messages = await db.all('SELECT event_id FROM deliveries ORDER BY event_id')
      assert.deepEqual(messages, events, `after step ${steps}`)
    }
    assert.ok(steps > 3, 'it came in between')
  } finally {
    await Promise.all([db.close(), other.close()])
  }
})

test('events that were cleaned up before a webhook came to them are passed once and for all (PostgreSQL)', async () => {
  const url = await postgres.freshDatabase()
  await addWebhook(url)
  const db = await openPostgres(url)
  try {
    await addEvents(db, 2)
    await db.run('DELETE FROM events')
    assert.equal(await queueDeliveries(db, REQUEST), 0)
    assert.deepEqual(await db.all('SELECT position FROM webhooks'), [{ position: 2 }])
  } finally {
    await db.close()
  }
})
