import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useEngines } from '../../../test/support/engines.ts'
import { eventOf, writeEvents } from '../../../test/support/events.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { usePostgres } from '../../../test/support/postgres.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { openStoreAndDatabase } from '../../../test/support/store-and-database.ts'
import { insertEvents } from '../events/events.ts'
import type { Database } from './db.ts'

const onBoth = useEngines()
const postgres = usePostgres()

/** A transaction that has written an event and commits, or gives up, when it is told to. */
function slowWriter(db: Database, fails = false) {
  const [written, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = db.transaction(async (tx) => {
    await insertEvents(tx, [eventOf('source.moved')])
    written.resolve()
    await told.promise
    if (fails) throw new Error('given up')
  })
  done.catch(() => {})
  return { written: written.promise, end: () => told.resolve(), done }
}

test('an event is given out when all that may come before it are settled (PostgreSQL)', async () => {
  const { store, db } = await openStoreAndDatabase(await postgres.freshDatabase(), { now: TEST_START })
  for (const fails of [false, true]) {
    const start = await store.lastEventId()
    const slow = slowWriter(db, fails)
    await slow.written
    await writeEvents(store, [eventOf('source.created')])
    assert.equal(await store.lastEventId(), start)
    assert.deepEqual(await store.eventsAfter(start, 10), [])
    slow.end()
    await slow.done.catch(() => {})
    const types = (await store.eventsAfter(start, 10)).map(({ type }) => type)
    assert.deepEqual(types, fails ? ['source.created'] : ['source.moved', 'source.created'])
  }
  await store.close()
})

onBoth('writers that commit in another order than they began are followed without a loss', async (opened) => {
  const { store } = opened
  const sources = await Promise.all(Array.from({ length: 8 }, () => putSource(store)))
  let isWriting = true
  const writers = sources.map(async ({ id }, index) => {
    const own = index % 2 === 0 ? store : await opened.again()
    for (let round = 0; round < 10; round++) {
      const count = 1 + ((round * 3 + index) % 5)
      await putPosts(
        own,
        id,
        Array.from({ length: count }, (_, n) => candidate(`${index} ${round} ${n}`)),
      )
    }
  })
  const all = Promise.all(writers).finally(() => {
    isWriting = false
  })
  const seen: string[] = []
  for (let after = '0', wasWriting = true; wasWriting; ) {
    wasWriting = isWriting
    const { posts, position } = await store.followPosts({ podcastId: 'default', after, limit: 3 })
    seen.push(...posts.map(({ id }) => id))
    assert.ok(Number(position) >= Number(after))
    if (posts.length > 0) wasWriting = true
    after = position
  }
  await all
  const listed = (await store.listPosts({ podcastId: 'default', limit: 500, cursor: null })).items.map(({ id }) => id)
  assert.deepEqual(
    seen,
    listed.toSorted((a, b) => Number(a) - Number(b)),
  )
})
