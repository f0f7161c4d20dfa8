import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { eventOf, writeEvents } from '../../../test/support/events.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import { GOOD_RECEIVER } from '../../domain/receiver-host.ts'
import type { Store } from '../../ports/store.ts'
import { cleanReceivers } from './receiver-hosts.ts'

const onBoth = useEngines()
const HOST = 'receiver.example'
const NOW = TEST_START

async function addHooks(store: Store, count: number, messages: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `hook-${n}`)
  for (const id of ids) {
    const place = { scope: 'webhook', ownerId: id, name: 'signing', keyId: 'k', sealed: 's' } as const
    await store.addWebhook(
      {
        ...{ id, userId: 'default', url: `https://${HOST}/`, types: [...EVENT_TYPES], trusted: false, kind: 'webhook' },
        ...{ includePosts: false, failures: 0, disabledAt: null, disabledReason: null, createdAt: NOW },
      },
      { ...place, updatedAt: NOW },
    )
  }
  const about = { userId: 'default', podcastId: 'default', sourceId: 's', host: 'a.example' }
  for (let n = 0; n < messages; n++) await writeEvents(store, [eventOf('posts.created', about)])
  let made = 0
  await store.queueDeliveries({ at: NOW, newMessageId: () => `msg_${++made}`, payloadOf: () => '{}' })
  return ids
}

const claim = (store: Store, id: string, now = NOW) => store.claimDeliveries(id, { now, most: 4, host: HOST })

onBoth('claims of several processes never exceed what a host may have in flight', async ({ store, again }) => {
  const ids = await addHooks(store, 6, 3)
  const stores = [store, await again(), await again()]
  const claimed = (await Promise.all(ids.map((id, n) => claim(stores[n % 3] ?? store, id)))).flat()
  assert.equal(claimed.length, 2)
  assert.equal((await store.receiversInUse(NOW)).get(HOST)?.inFlight, 2)
  assert.deepEqual(await claim(store, 'hook-5'), [])
  const [first = assert.fail(), second = assert.fail()] = claimed
  const taken = { host: HOST, succeeded: true }
  assert.equal(await store.settleDelivery(first.delivery, { kind: 'delivered', at: NOW }, taken), null)
  assert.equal((await claim(store, 'hook-5')).length, 1)
  const failed = { kind: 'failed', at: NOW, status: 500, error: 'x', nextAt: NOW + 10_000 } as const
  await store.settleDelivery(second.delivery, failed, { host: HOST, succeeded: false })
  assert.deepEqual((await store.receiversInUse(NOW)).get(HOST), {
    ...{ health: { failures: 1, waitUntil: null }, inFlight: 1, isTested: false },
  })
})

onBoth('a claim that is over, or from a clock that was set back, holds no place', async ({ store }) => {
  const [id = assert.fail()] = await addHooks(store, 1, 4)
  assert.equal((await claim(store, id)).length, 2)
  assert.equal((await store.receiversInUse(NOW + 29_999)).get(HOST)?.inFlight, 2)
  assert.equal((await store.receiversInUse(NOW + 30_000)).size, 0)
  assert.equal((await store.receiversInUse(NOW - 3_600_000)).size, 0)
})

onBoth('five failures spare a host, one probe is claimed after the wait, a success forgets it', async ({ store }) => {
  const [id = assert.fail()] = await addHooks(store, 1, 9)
  const failing = { host: HOST, succeeded: false }
  const changes: unknown[] = []
  for (let n = 0; n < 5; n++) {
    const [next = assert.fail()] = await store.claimDeliveries(id, { now: NOW, most: 1, host: HOST })
    const failed = { kind: 'failed', at: NOW, status: 500, error: 'x', nextAt: NOW + 600_000 } as const
    changes.push(await store.settleDelivery(next.delivery, failed, failing))
  }
  assert.deepEqual(changes, [null, null, null, null, 'begins-to-wait'])
  assert.deepEqual(await claim(store, id, NOW + 59_999), [])
  const [probe = assert.fail(), ...more] = await claim(store, id, NOW + 60_000)
  assert.equal(more.length, 0)
  const at = NOW + 60_000
  const taken = { host: HOST, succeeded: true }
  assert.equal(await store.settleDelivery(probe.delivery, { kind: 'delivered', at }, taken), 'is-back')
  assert.equal((await store.receiversInUse(at)).size, 0)
  assert.equal((await claim(store, id, at)).length, 2)
})

onBoth('one test message at a time is on its way to a host, and counts as in flight', async ({ store, again }) => {
  const other = await again()
  const took = await Promise.all([store.takeTestPlace(HOST, NOW), other.takeTestPlace(HOST, NOW)])
  assert.deepEqual(took.toSorted(), [false, true])
  const [id = assert.fail()] = await addHooks(store, 1, 3)
  assert.equal((await claim(store, id)).length, 1)
  assert.equal(await store.endTest(HOST, null, NOW), null)
  assert.deepEqual((await store.receiversInUse(NOW)).get(HOST), {
    ...{ health: GOOD_RECEIVER, inFlight: 1, isTested: false },
  })
  assert.equal(await store.takeTestPlace(HOST, NOW), true)
  assert.equal(await store.endTest(HOST, false, NOW), null)
  assert.equal((await store.receiversInUse(NOW)).get(HOST)?.health.failures, 1)
})

onBoth(
  'a success writes nothing of its host, and a host without news for a day is forgotten',
  async ({ store, db }) => {
    const [id = assert.fail()] = await addHooks(store, 1, 1)
    const [next = assert.fail()] = await claim(store, id)
    await store.settleDelivery(next.delivery, { kind: 'delivered', at: NOW }, { host: HOST, succeeded: true })
    assert.deepEqual(await db.all('SELECT * FROM receiver_hosts'), [])
    await store.takeTestPlace(HOST, NOW)
    await store.endTest(HOST, false, NOW)
    const limits = { now: NOW + 86_400_000, batch: 10, pollHistoryDays: 30, maxArticleAgeDays: 7 }
    assert.equal(await cleanReceivers(db, limits), 0)
    assert.equal(await cleanReceivers(db, { ...limits, now: limits.now + 1 }), 1)
  },
)
