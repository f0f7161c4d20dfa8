// Messages over real sockets to a receiver that fails in every way it can; the store is a real file, the clock is ours.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { startMailServer } from '../../test/support/mail-server.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { type Receiver, startMute, startReceiver, TAKEN, WAYS_TO_FAIL } from '../../test/support/receiver.ts'
import { SECRET, startSending, tell } from '../../test/support/sending.ts'
import { tempStore } from '../../test/support/temp-store.ts'
import { TEST_HTTP } from '../../test/support/test-fetcher.ts'
import { until } from '../../test/support/until.ts'
import { payloadOf } from '../catalogue/people/webhooks.ts'
import { createFetcher } from '../fetching/client.ts'
import type { Store } from '../ports/store.ts'
import { createSecrets } from '../secrets/secrets.ts'
import { WebhookSender } from './webhook-sender.ts'

const HOUR = 3_600_000

const attemptsOf = async (store: Store, id: string) =>
  (await store.listDeadLetters(id, { limit: 9, cursor: null })).items.map(({ attempts }) => attempts)

test('a message is what the specification says: signed over id, timestamp and body, verifiable by its library', async () => {
  await using receiver = await startReceiver()
  await using sending = await startSending()
  await sending.webhooks.create('default', { url: receiver.url, types: ['posts.created'], secret: SECRET })
  await sending.tell('poll.finished')
  await sending.tell('posts.created', { count: 3, title: 'Grüße & <b>' })
  await until('it arrived', () => receiver.received.length === 1)
  const [{ headers, body } = assert.fail()] = receiver.received
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['webhook-timestamp'], String(sending.clock.now() / 1000))
  const verified = new Verifier(SECRET).verify(body, headers as Record<string, string>)
  const at = new Date(sending.clock.now()).toISOString()
  assert.deepEqual(verified, {
    ...{ type: 'posts.created', timestamp: at },
    data: {
      ...{ id: '2', type: 'posts.created', at, sourceId: 's', podcastId: 'default', userId: 'default' },
      ...{ host: 'a.example', url: 'https://a.example/feed', count: 3, title: 'Grüße & <b>' },
    },
  })
  assert.throws(() => new Verifier(SECRET).verify(`${body} `, headers as Record<string, string>))
})

test('a secret without its prefix signs as the one with it does', async () => {
  await using receiver = await startReceiver()
  await using sending = await startSending()
  await sending.webhooks.create('default', { url: receiver.url, secret: SECRET.slice('whsec_'.length) })
  await sending.tell()
  await until('it arrived', () => receiver.received.length === 1)
  const [{ headers, body } = assert.fail()] = receiver.received
  assert.ok(new Verifier(SECRET).verify(body, headers as Record<string, string>))
})

describe('a receiver that', () => {
  for (const [way, answer] of Object.entries(WAYS_TO_FAIL)) {
    test(`${way} gets the same message again within 30 seconds, and nothing is lost`, async () => {
      await using receiver = await startReceiver()
      // Only the one that never answers has to meet the limit.
      await using sending = await startSending(way === 'never answers' ? { answerLimitMs: 2000 } : {})
      const { id } = await sending.webhooks.create('default', { url: receiver.url, types: null, secret: SECRET })
      receiver.answer = answer
      await sending.tell()
      const failed = async () => (await sending.store.getWebhook('default', id))?.failures === 1
      await until('the failure is written', failed)
      assert.equal(receiver.received.length, 1)
      assert.equal(receiver.origin.requestsTo('/elsewhere').length, 0)
      receiver.answer = TAKEN
      await sending.clock.advance(30_000)
      await until('it was taken', async () => (await sending.store.countDeliveries(id)).pending === 0)
      const [first, second] = receiver.received.map(({ headers }) => headers)
      assert.equal(receiver.received.length, 2)
      assert.equal(second?.['webhook-id'], first?.['webhook-id'])
      assert.notEqual(second?.['webhook-timestamp'], first?.['webhook-timestamp'])
      assert.equal(receiver.received[1]?.body, receiver.received[0]?.body)
    })
  }

  test('is not there keeps its message', async () => {
    const gone = await startReceiver()
    const { url, origin } = gone
    await gone[Symbol.asyncDispose]()
    await using sending = await startSending()
    const { id } = await sending.webhooks.create('default', { url, secret: SECRET })
    await sending.tell()
    await until('it failed', async () => (await sending.store.getWebhook('default', id))?.failures === 1)
    assert.equal(origin.requests.length, 0)
    assert.equal((await sending.store.countDeliveries(id)).pending, 1)
  })

  test('answers 410 is not asked again', async () => {
    await using receiver = await startReceiver()
    await using sending = await startSending()
    const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
    receiver.answer = (_request, response) => response.writeHead(410).end()
    await sending.tell()
    await until('it is disabled', async () => (await sending.webhooks.get('default', id)).disabledAt !== null)
    const { disabledAt } = await sending.webhooks.get('default', id)
    await sending.tell()
    await sending.clock.advance(48 * HOUR)
    assert.equal(receiver.received.length, 1)
    const letters = (await sending.webhooks.deadLetters('default', id)).items
    assert.deepEqual(
      letters.map(({ attempts, lastStatus, lastAttemptAt }) => [attempts, lastStatus, lastAttemptAt]),
      [[1, 410, disabledAt]],
    )
    await assert.rejects(sending.webhooks.replay('default', id), { code: 'conflict' })
  })

  test('fails for a day gets ten attempts, then the message is a dead letter that can be sent again', async () => {
    await using receiver = await startReceiver()
    await using sending = await startSending()
    const { store, clock } = sending
    const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
    receiver.answer = (_request, response) => response.writeHead(503).end()
    await sending.tell()
    for (let made = 1; made < 10; made++) {
      await until('it failed', async () => (await store.getWebhook('default', id))?.failures === made)
      const [{ dueAt } = assert.fail()] = await store.waitingWebhooks()
      await clock.advanceTo(dueAt)
    }
    await until('it was given up', async () => (await attemptsOf(store, id)).length === 1)
    const [letter] = (await sending.webhooks.deadLetters('default', id)).items
    assert.deepEqual([letter?.attempts, letter?.lastStatus, letter?.type], [10, 503, 'posts.created'])
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    receiver.answer = TAKEN
    assert.deepEqual(await sending.webhooks.replay('default', id), { replayed: 1 })
    // Its host failed ten times in a row, so even this waits, at most an hour.
    await clock.advance(HOUR)
    await until('it was taken', () => receiver.received.length === 11)
    assert.equal(receiver.received[10]?.headers['webhook-id'], letter?.messageId)
  })

  test('asks for patience is given it', async () => {
    await using receiver = await startReceiver()
    await using sending = await startSending()
    const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
    receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end()
    await sending.tell()
    await until('it failed', async () => (await sending.store.getWebhook('default', id))?.failures === 1)
    const [{ dueAt } = assert.fail()] = await sending.store.waitingWebhooks()
    assert.equal(dueAt, sending.clock.now() + 600_000)
  })
})

test('a slow receiver delays nobody else', async () => {
  await using slow = await startMute()
  await using receiver = await startReceiver()
  await using sending = await startSending({ answerLimitMs: 60_000 })
  await sending.webhooks.create('default', { url: slow.url, secret: SECRET })
  await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
  for (let round = 0; round < 40; round++) await sending.tell()
  await until('the others have all', () => receiver.received.length === 40)
  assert.ok(slow.connected > 0 && slow.connected <= 2)
})

test('twenty receivers that hang delay nobody else', async () => {
  await using slow = await startMute()
  await using receiver = await startReceiver()
  await using sending = await startSending({ answerLimitMs: 60_000 })
  for (let made = 0; made < 20; made++) await sending.webhooks.create('default', { url: slow.url, secret: SECRET })
  for (let round = 0; round < 10; round++) await sending.tell()
  await until('they hang', () => slow.connected >= 2)
  await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
  for (let round = 0; round < 10; round++) await sending.tell()
  await until('the other has all', () => receiver.received.length === 10)
})

test('a receiver that hangs gets one message at a time, once that is known of it', async () => {
  await using receiver = await startReceiver()
  await using sending = await startSending({ answerLimitMs: 300 })
  const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
  await sending.tell()
  await until('it took one', async () => {
    // On a machine that stands still for a moment even this one is late, and sent again.
    await sending.clock.advance(10_000)
    return receiver.received.length > 0 && (await sending.store.countDeliveries(id)).pending === 0
  })
  const answered = receiver.received.length
  receiver.answer = () => {}
  for (let round = 0; round < 8; round++) await sending.tell()
  const failures = async () => (await sending.store.getWebhook('default', id))?.failures ?? 0
  await until('the first two had no answer', async () => (await failures()) >= 2)
  let most = 0
  await until('two more had no answer', async () => {
    const { length } = receiver.received
    most = Math.max(most, length - answered - (await failures()))
    return (await failures()) >= 4
  })
  assert.equal(most, 1)
})

test('webhooks to one host have two deliveries in flight together, and share them in turn', async () => {
  await using receiver = await startReceiver()
  const { origin } = receiver
  let inFlight = 0
  let most = 0
  receiver.answer = (_request, response) => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => {
      inFlight--
      response.writeHead(204).end()
    }, 5)
  }
  await using sending = await startSending({ answerLimitMs: 60_000 })
  for (let made = 0; made < 30; made++) {
    await sending.webhooks.create('default', { url: `${origin.url}/hook`, secret: SECRET })
  }
  for (let round = 0; round < 3; round++) await sending.tell()
  await until('all messages arrived', () => receiver.received.length === 90)
  assert.equal(most, 2)
})

test('a host that fails five times in a row is spared, and then probed by one delivery at a time', async () => {
  await using receiver = await startReceiver()
  const { origin } = receiver
  receiver.answer = (_request, response) => response.writeHead(500).end()
  await using sending = await startSending()
  const { clock, store } = sending
  for (let made = 0; made < 20; made++) {
    await sending.webhooks.create('default', { url: `${origin.url}/hook?${made}`, secret: SECRET })
  }
  for (let round = 0; round < 15; round++) await sending.tell()
  const failures = async () => {
    const { items } = await store.listWebhooks('default', { limit: 100, cursor: null })
    return items.reduce((sum, webhook) => sum + webhook.failures, 0)
  }
  const settled = async (made: number) => {
    await until(`${made} deliveries failed`, async () => (await failures()) >= made)
    for (let look = 0; look < 3; look++) {
      sending.sender.lookNow()
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  await until('the host is spared, and nothing is in flight', async () => {
    const [known] = (await store.receiversInUse(clock.now())).values()
    return known?.health.waitUntil != null && known.inFlight === 0
  })
  // The other one of the two in flight may have failed as the sixth.
  const first = receiver.received.length
  assert.ok(first === 5 || first === 6, String(first))
  await clock.advance(59_000)
  await settled(first)
  assert.equal(receiver.received.length, first)
  let waitMs = 1000
  for (let probe = 1; probe <= 3; probe++) {
    await clock.advance(waitMs)
    await settled(first + probe)
    assert.equal(receiver.received.length, first + probe, `probe ${probe}`)
    waitMs = 60_000 * 2 ** probe
  }
  receiver.answer = TAKEN
  await clock.advance(waitMs)
  await until('nothing is lost', () => receiver.received.length >= 300 + first + 3)
  assert.ok(origin.mostAtOnce <= 2)
})

test('a mail server that fails five times in a row is spared, whoever the mail is for', async () => {
  let asked = 0
  let isAway = true
  const answers = (line: string) => (line.startsWith('EHLO') && ++asked > 0 && isAway ? '421 away' : null)
  await using mail = await startMailServer({ answers })
  await using sending = await startSending({ mailUrl: mail.url })
  const { clock, store } = sending
  const receivers = async () => [...(await store.receiversInUse(clock.now()))]
  for (let made = 0; made < 12; made++) {
    await sending.notifiers.create('default', { kind: 'email', target: `ann${made}@example.org` })
  }
  await sending.tell('source.disabled')
  await until('the mail server is spared', async () => {
    const [[host, known] = [null, null]] = await receivers()
    return host === 'smtp://127.0.0.1' && known?.health.waitUntil != null && known.inFlight === 0
  })
  assert.ok(asked === 5 || asked === 6, String(asked))
  isAway = false
  await clock.advance(60_000)
  await until('every message arrived', () => mail.messages.length === 12)
  await until('all is recorded, and nothing waits', async () => (await receivers()).length === 0)
})

test('addresses and messages that the mail server refuses make no other mail wait', async () => {
  const answers = (line: string) => (/^RCPT.*nobody/.test(line) ? '550 no such address' : null)
  const takes = (message: string) => !/^To: .*spam/m.test(message)
  await using mail = await startMailServer({ answers, takes })
  await using sending = await startSending({ mailUrl: mail.url })
  const { clock, store } = sending
  for (let made = 0; made < 10; made++) {
    await sending.notifiers.create('default', { kind: 'email', target: `${made < 5 ? 'nobody' : 'spam'}${made}@e.org` })
  }
  await sending.tell('source.disabled')
  const failures = async () => {
    const { items } = await store.listWebhooks('default', { limit: 100, cursor: null }, 'notifiers')
    return items.filter((notifier) => notifier.failures > 0).length
  }
  await until('ten messages are refused', async () => (await failures()) === 10)
  await sending.notifiers.create('default', { kind: 'email', target: 'ann@example.org' })
  await sending.tell('source.disabled')
  await until('the eleventh arrives', () => mail.messages.length === 1)
  const nothingWaits = async () => (await store.receiversInUse(clock.now())).size === 0
  await until('all is recorded, and nothing waits', nothingWaits)
})

test('a private address is refused unless it is allowed and the webhook was made with the rights for it', async () => {
  await using receiver = await startReceiver()
  for (const [allow, admin] of [
    [[], true],
    [['127.0.0.0/8'], false],
  ] as const) {
    await using sending = await startSending({ allow })
    const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET }, { admin })
    await sending.tell()
    await until('it failed', async () => (await sending.store.getWebhook('default', id))?.failures === 1)
  }
  assert.equal(receiver.origin.connections, 0)
})

test('a restart sends what waited, and what was on its way again, with the same id', async () => {
  await using receiver = await startReceiver()
  const clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000)
  await using temp = await tempStore({ now: clock.now() })
  const first = await startSending({ temp, clock })
  const { id } = await first.webhooks.create('default', { url: receiver.url, secret: SECRET })
  receiver.answer = () => {}
  await first.tell()
  await until('it is on its way', () => receiver.received.length === 1)
  await first.stop()
  assert.equal((await temp.store.getWebhook('default', id))?.failures, 0)
  await tell(temp.store, clock, 'source.moved')
  receiver.answer = TAKEN
  const second = await startSending({ temp, clock })
  await until('both were taken', () => receiver.received.length === 3)
  await second.stop()
  const [before, ...later] = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.ok(later.includes(before))
  assert.equal(new Set(later).size, 2)
})

test('a secret that cannot be read any more fails the message instead of sending it unsigned', async () => {
  await using receiver: Receiver = await startReceiver()
  await using sending = await startSending()
  const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
  await sending.store.removeSecret('webhook', id, 'signing')
  await sending.tell()
  await until('it failed', async () => (await sending.store.getWebhook('default', id))?.failures === 1)
  assert.equal(receiver.received.length, 0)
})

test('rounds that fail are told, but not each of them that the database is away', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { storeIsAway: true })
  const broken = new Error('disk on fire')
  const levels: string[] = []
  const say = (level: string) => () => void levels.push(level)
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  await using temp = await tempStore()
  const clock = new ManualClock()
  const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir: null })
  const fetcher = createFetcher({ http: TEST_HTTP, version: '1', publicUrl: null })
  const failing = async () => Promise.reject(levels.length < 3 ? away : broken)
  const store: Store = { ...temp.store, queueDeliveries: failing }
  const sender = new WebhookSender({
    mail: { url: null, from: null },
    store,
    clock,
    fetcher,
    secrets,
    log,
    newMessageId: () => 'm',
    payloadOf,
  })
  sender.start()
  try {
    await until('four rounds failed', () => {
      sender.lookNow()
      return levels.length >= 4
    })
    assert.deepEqual(levels.slice(0, 4), ['debug', 'debug', 'debug', 'error'])
  } finally {
    await sender.stop()
    await fetcher.close()
  }
})
