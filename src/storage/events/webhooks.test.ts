import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { eventOf, writeEvents } from '../../../test/support/events.ts'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { putSource } from '../../../test/support/posts.ts'
import { EVENT_TYPES, type NewEvent } from '../../domain/event.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()
const PAGE = { limit: 100, cursor: null }

async function hook(store: Store, given: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook: Webhook = {
    ...{ id: 'hook', userId: 'default', url: 'https://receiver.example/', types: [...EVENT_TYPES], trusted: false },
    ...{
      kind: 'webhook',
      includePosts: false,
      failures: 0,
      disabledAt: null,
      disabledReason: null,
      createdAt: TEST_START,
    },
    ...given,
  }
  const place = { scope: 'webhook', ownerId: webhook.id, name: 'signing', keyId: 'k', sealed: 's' } as const
  await store.addWebhook(webhook, { ...place, updatedAt: TEST_START })
  return webhook
}

function event(...[type, given]: Parameters<typeof eventOf>): NewEvent {
  const about = { userId: 'default', podcastId: 'default', sourceId: 's', host: 'a.example' }
  return eventOf(type, { ...about, data: { count: 1 }, ...given })
}

function queue(store: Store, at = TEST_START): Promise<number> {
  let made = 0
  return store.queueDeliveries({
    at,
    newMessageId: () => `msg_${++made}`,
    payloadOf: ({ type, data }) => JSON.stringify({ type, data }),
  })
}

async function claim(store: Store, now = TEST_START, most = 10) {
  return (await store.claimDeliveries('hook', { now, most, host: null })).map(({ delivery }) => delivery)
}

/** The next message is answered with 410. */
async function gone(store: Store): Promise<void> {
  const [next = assert.fail()] = await claim(store, TEST_START, 1)
  await store.settleDelivery(next, { kind: 'gone', at: TEST_START, status: 410, error: 'Gone' })
}

const failedAt = (at: number, nextAt: number | null) =>
  ({ kind: 'failed', at, status: 500, error: 'Internal Server Error', nextAt }) as const

onBoth('webhooks are kept for their user, and their secret goes with them', async ({ store }) => {
  const webhook = await hook(store)
  assert.deepEqual(await store.getWebhook('default', 'hook'), webhook)
  assert.equal(await store.getWebhook('other', 'hook'), null)
  assert.deepEqual((await store.listWebhooks('default', PAGE)).items, [webhook])
  assert.deepEqual((await store.listWebhooks('other', PAGE)).items, [])
  assert.equal(await store.removeWebhook('other', 'hook'), false)
  assert.equal(await store.removeWebhook('default', 'hook'), true)
  assert.equal(await store.getSecret('webhook', 'hook', 'signing'), null)

  await store.addUser({ id: 'bob', name: 'Bob', createdAt: TEST_START })
  await hook(store, { id: 'his', userId: 'bob' })
  await store.removeUser('bob')
  assert.equal(await store.getWebhook('bob', 'his'), null)
  assert.equal(await store.getSecret('webhook', 'his', 'signing'), null)
})

onBoth('a webhook gets each later event of its types once, in order', async ({ store, again }) => {
  await writeEvents(store, [event('source.created')])
  await hook(store, { types: ['posts.created', 'poll.finished'] })
  await writeEvents(store, [event('posts.created'), event('source.moved'), event('poll.finished')])
  const other = await again()
  await Promise.all([queue(store), queue(other), queue(store)])
  assert.equal(await queue(store), 0)
  const claimed = await claim(store)
  assert.deepEqual(
    claimed.map(({ type, attempts, payload }) => [type, attempts, payload]),
    [
      ['posts.created', 0, '{"type":"posts.created","data":{"count":1}}'],
      ['poll.finished', 0, '{"type":"poll.finished","data":{"count":1}}'],
    ],
  )
})

onBoth("a webhook hears of its user's sources and hosts only, and of the system without details", async ({ store }) => {
  await store.addUser({ id: 'bob', name: 'Bob', createdAt: TEST_START })
  await putSource(store, { url: 'https://mine.example/feed' })
  await hook(store)
  const nobody = { userId: null, podcastId: null, sourceId: null }
  await writeEvents(store, [
    event('poll.finished', { userId: 'bob' }),
    event('host.opened', { ...nobody, host: 'his.example' }),
    event('host.opened', { ...nobody, host: 'mine.example', data: { reason: '403', sources: ['secret'] } }),
    event('outage.started', { ...nobody, host: null, data: { since: 'x', hosts: ['his.example'] } }),
  ])
  await queue(store)
  assert.deepEqual(
    (await claim(store)).map(({ payload }) => JSON.parse(payload)),
    [
      { type: 'host.opened', data: { reason: '403' } },
      { type: 'outage.started', data: { since: 'x' } },
    ],
  )
})

onBoth(
  'what is claimed nobody else gets for half a minute; retries come before what is new',
  async ({ store, again }) => {
    await hook(store)
    await writeEvents(store, [event('poll.finished'), event('posts.created'), event('source.moved')])
    await queue(store)
    const other = await again()
    const taken = await Promise.all([claim(store, TEST_START, 2), claim(other, TEST_START, 2)])
    assert.deepEqual(
      taken
        .flat()
        .map(({ type }) => type)
        .sort(),
      ['poll.finished', 'posts.created', 'source.moved'],
    )
    assert.deepEqual(await claim(store, TEST_START + 29_999), [])
    const [first, second] = await claim(store, TEST_START + 30_000)
    if (!first || !second) assert.fail('the claims should be over')
    await store.settleDelivery(second, failedAt(TEST_START + 30_000, TEST_START + 40_000))
    await store.settleDelivery(first, { kind: 'put-back', at: TEST_START + 30_000 })
    const [retry, putBack] = await claim(store, TEST_START + 40_000)
    assert.deepEqual([retry?.eventId, retry?.messageId], [second.eventId, second.messageId])
    assert.deepEqual([retry?.attempts, retry?.lastStatus, retry?.firstAttemptAt], [1, 500, TEST_START + 30_000])
    assert.deepEqual([putBack?.eventId, putBack?.attempts], [first.eventId, 0])
  },
)

onBoth('what was delivered is gone; what was given up is a dead letter until it is sent again', async ({ store }) => {
  await hook(store)
  await writeEvents(store, [event('poll.finished'), event('posts.created'), event('source.moved')])
  await queue(store)
  const [one, two, three] = await claim(store)
  if (!one || !two || !three) assert.fail('three should be claimed')
  await store.settleDelivery(one, { kind: 'delivered', at: TEST_START })
  await store.settleDelivery(two, failedAt(TEST_START, null))
  await store.settleDelivery(three, failedAt(TEST_START, null))
  assert.deepEqual(await store.countDeliveries('hook'), { pending: 0, deadLetters: 2 })
  const dead = await store.listDeadLetters('hook', { limit: 1, cursor: null })
  assert.deepEqual([dead.items[0]?.eventId, dead.items[0]?.lastError], [three.eventId, 'Internal Server Error'])
  const next = await store.listDeadLetters('hook', { limit: 1, cursor: dead.nextCursor })
  assert.deepEqual([next.items[0]?.eventId, next.nextCursor], [two.eventId, null])

  for (const ids of [['999'], [two.eventId, one.eventId], ['x']]) {
    assert.equal(await store.replayDeadLetters('hook', { at: TEST_START, ids }), null)
  }
  assert.equal(await store.replayDeadLetters('hook', { at: TEST_START, ids: [two.eventId] }), 1)
  const [again] = await claim(store)
  assert.deepEqual([again?.messageId, again?.attempts, again?.firstAttemptAt], [two.messageId, 0, null])
  assert.equal(await store.replayDeadLetters('hook', { at: TEST_START, ids: null }), 1)
  assert.equal(await store.replayDeadLetters('hook', { at: TEST_START, ids: null }), 0)
})

onBoth('a receiver that is back gets at once what was put off for its absence', async ({ store }) => {
  await hook(store)
  await writeEvents(
    store,
    Array.from({ length: 4 }, () => event('poll.finished')),
  )
  await queue(store)
  const claimed = await claim(store)
  const hour = TEST_START + 3_600_000
  for (const delivery of claimed.slice(0, 3)) await store.settleDelivery(delivery, failedAt(TEST_START, hour))
  const [last] = claimed.slice(3)
  assert.deepEqual(await claim(store, TEST_START + 1000), [])
  await store.settleDelivery(last ?? assert.fail(), { kind: 'delivered', at: TEST_START + 1000 })
  assert.equal((await claim(store, TEST_START + 1000)).length, 3)
  assert.equal((await store.getWebhook('default', 'hook'))?.failures, 0)
})

onBoth('one bad message among good ones keeps its own schedule', async ({ store }) => {
  await hook(store)
  await writeEvents(store, [event('poll.finished'), event('posts.created')])
  await queue(store)
  const [bad, good] = await claim(store)
  await store.settleDelivery(bad ?? assert.fail(), failedAt(TEST_START, TEST_START + 3_600_000))
  await store.settleDelivery(good ?? assert.fail(), { kind: 'delivered', at: TEST_START })
  assert.deepEqual(await claim(store, TEST_START + 3_599_999), [])
})

onBoth('a disabled webhook gets nothing more, and what waited can be looked at', async ({ store }) => {
  await hook(store)
  await writeEvents(store, [event('poll.finished'), event('posts.created')])
  await queue(store)
  await gone(store)
  await writeEvents(store, [event('poll.finished')])
  assert.equal(await queue(store), 0)
  assert.deepEqual(await claim(store), [])
  assert.deepEqual(await store.waitingWebhooks(), [])
  assert.deepEqual(await store.countDeliveries('hook'), { pending: 0, deadLetters: 2 })
  const kept = await store.getWebhook('default', 'hook')
  assert.deepEqual([kept?.disabledAt, kept?.disabledReason], [TEST_START, 'the receiver answered 410 Gone'])
})

onBoth('what was on its way to a webhook that is disabled meanwhile becomes a dead letter too', async ({ store }) => {
  await hook(store)
  await writeEvents(
    store,
    Array.from({ length: 5 }, () => event('poll.finished')),
  )
  await queue(store)
  const [failed, putBack, taken] = await claim(store, TEST_START, 3)
  await gone(store)
  await store.settleDelivery(failed ?? assert.fail(), failedAt(TEST_START, TEST_START + 10_000))
  await store.settleDelivery(putBack ?? assert.fail(), { kind: 'put-back', at: TEST_START })
  await store.settleDelivery(taken ?? assert.fail(), { kind: 'delivered', at: TEST_START })
  assert.deepEqual(await store.countDeliveries('hook'), { pending: 0, deadLetters: 4 })
  const letters = (await store.listDeadLetters('hook', PAGE)).items
  assert.deepEqual(
    letters.map(({ attempts, lastError }) => [attempts, lastError]),
    [
      [0, 'the receiver answered 410 Gone'],
      [1, 'Gone'],
      [0, 'the receiver answered 410 Gone'],
      [1, 'Internal Server Error'],
    ],
  )
  assert.equal(await store.replayDeadLetters('hook', { at: TEST_START, ids: null }), 0)
  assert.deepEqual(await store.countDeliveries('hook'), { pending: 0, deadLetters: 4 })
})

onBoth('messages of a receiver that is away do not pile up: events wait in their own table', async ({ store }) => {
  await hook(store)
  await writeEvents(
    store,
    Array.from({ length: 1500 }, () => event('poll.finished')),
  )
  for (let round = 0; round < 20; round++) await queue(store)
  const { pending } = await store.countDeliveries('hook')
  assert.ok(pending >= 1000 && pending < 1500, `${pending} are waiting`)
  for (const delivery of await claim(store, TEST_START, 1000)) {
    await store.settleDelivery(delivery, { kind: 'delivered', at: TEST_START })
  }
  for (let round = 0; round < 20; round++) await queue(store)
  assert.equal((await store.countDeliveries('hook')).pending, 1500 - 1000)
})

onBoth('waiting webhooks are told with the instant of their first message', async ({ store }) => {
  await hook(store)
  assert.deepEqual(await store.waitingWebhooks(), [])
  await writeEvents(store, [event('poll.finished')])
  await queue(store, TEST_START + 5)
  assert.deepEqual(await store.waitingWebhooks(), [
    { webhookId: 'hook', kind: 'webhook', url: 'https://receiver.example/', dueAt: TEST_START + 5 },
  ])
})
