// What is known of receivers' hosts holds for all processes on a store, and after a restart.
import assert from 'node:assert/strict'
import { useEngines } from '../../test/support/engines.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { startMute, startReceiver, TAKEN } from '../../test/support/receiver.ts'
import { SECRET, startSending, tell } from '../../test/support/sending.ts'
import { until } from '../../test/support/until.ts'
import type { Store } from '../ports/store.ts'

const onBoth = useEngines()
const nowInSeconds = () => Math.floor(Date.now() / 1000) * 1000
const on = (store: Store) => ({ store, remove: async () => {} })

async function failuresOf(store: Store): Promise<number> {
  const { items } = await store.listWebhooks('default', { limit: 100, cursor: null })
  return items.reduce((sum, webhook) => sum + webhook.failures, 0)
}

onBoth('two processes together have two deliveries in flight to a host', async ({ store, again }) => {
  const clock = new ManualClock(nowInSeconds())
  await using receiver = await startReceiver()
  let inFlight = 0
  let most = 0
  receiver.answer = (_request, response) => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => {
      inFlight--
      response.writeHead(204).end()
    }, 5)
  }
  await using one = await startSending({ temp: on(store), clock, answerLimitMs: 60_000 })
  await using other = await startSending({ temp: on(await again()), clock, answerLimitMs: 60_000 })
  for (let made = 0; made < 6; made++) await one.webhooks.create('default', { url: receiver.url, secret: SECRET })
  for (let round = 0; round < 4; round++) await tell(store, clock, 'posts.created')
  await until('all messages arrived', () => {
    one.sender.lookNow()
    other.sender.lookNow()
    return receiver.received.length === 24
  })
  assert.equal(most, 2)
  await until('nothing is left behind', async () => (await store.receiversInUse(clock.now())).size === 0)
})

onBoth('a host that is spared stays so after a restart, until one probe succeeds', async ({ store, again }) => {
  const clock = new ManualClock(nowInSeconds())
  await using receiver = await startReceiver()
  receiver.answer = (_request, response) => response.writeHead(500).end()
  const first = await startSending({ temp: on(store), clock })
  for (let made = 0; made < 8; made++) await first.webhooks.create('default', { url: receiver.url, secret: SECRET })
  await tell(store, clock, 'posts.created')
  await until('the host is spared', async () => {
    const known = [...(await store.receiversInUse(clock.now())).values()]
    return known[0]?.health.waitUntil != null && known[0].inFlight === 0
  })
  await first.stop()
  const before = receiver.received.length
  assert.ok(before === 5 || before === 6, String(before))

  await using one = await startSending({ temp: on(store), clock })
  await using other = await startSending({ temp: on(await again()), clock })
  const looked = async () => {
    for (let look = 0; look < 3; look++) {
      one.sender.lookNow()
      other.sender.lookNow()
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  await clock.advance(59_000)
  await looked()
  assert.equal(receiver.received.length, before)
  await clock.advance(1000)
  await until('a probe failed', async () => (await failuresOf(store)) === before + 1)
  await looked()
  assert.equal(receiver.received.length, before + 1)
  receiver.answer = TAKEN
  await clock.advance(120_000)
  await until('nothing is lost', async () => {
    await looked()
    return receiver.received.length === before + 1 + 8
  })
  await until('the host is good again', async () => (await store.receiversInUse(clock.now())).size === 0)
})

onBoth('a test message takes a place, is the probe of a host that is spared, and ends its wait', async ({ store }) => {
  const clock = new ManualClock(nowInSeconds())
  await using receiver = await startReceiver()
  receiver.answer = (_request, response) => response.writeHead(500).end()
  await using sending = await startSending({ temp: on(store), clock })
  const { id } = await sending.webhooks.create('default', { url: receiver.url, secret: SECRET })
  const webhook = (await store.getWebhook('default', id)) ?? assert.fail()
  for (let n = 0; n < 5; n++) assert.equal((await sending.sender.sendNow(webhook, '{}')).kind, 'failed')
  const waits = async () => [...(await store.receiversInUse(clock.now())).values()].map(({ health }) => health)
  assert.deepEqual(await waits(), [{ failures: 5, waitUntil: clock.now() + 60_000 }])
  assert.equal((await sending.sender.sendNow(webhook, '{}')).kind, 'failed')
  assert.deepEqual(await waits(), [{ failures: 5, waitUntil: clock.now() + 60_000 }])
  receiver.answer = TAKEN
  assert.equal((await sending.sender.sendNow(webhook, '{}')).kind, 'delivered')
  assert.deepEqual(await waits(), [])
})

onBoth('a webhook that is removed while it hangs makes no room for another', async ({ store }) => {
  const clock = new ManualClock(nowInSeconds())
  await using mute = await startMute()
  await using sending = await startSending({ temp: on(store), clock, answerLimitMs: 60_000 })
  const make = () => sending.webhooks.create('default', { url: mute.url, secret: SECRET })
  const made = [await make(), await make()]
  await sending.tell()
  await until('two hang', () => mute.connected === 2)
  for (const { id } of made) await sending.webhooks.remove('default', id)
  await make()
  await sending.tell()
  await until('its message waits', async () => (await store.waitingWebhooks()).length === 1)
  for (let look = 0; look < 3; look++) {
    sending.sender.lookNow()
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  assert.equal(mute.connected, 2)
})
